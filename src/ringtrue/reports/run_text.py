"""A run in a terminal: a block for each dataset, its headline first, every number with its unit, interval and n.

The layout is that of 80 columns, and a stacked one below 64; words, order, marks and decimals are those of the pages.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from ringtrue.records import Row, Run
from ringtrue.reports.cost import run_cost
from ringtrue.reports.headline_table import headline_table
from ringtrue.reports.number import count, duration, number
from ringtrue.reports.terminal.canvas import WIDTH, Canvas, plain_text, print_lines
from ringtrue.reports.terminal.headline_lines import headline_lines
from ringtrue.reports.terminal.run_notes import run_notes
from ringtrue.reports.terminal.score_lines import score_lines
from ringtrue.safetext import printable
from ringtrue.stats.row_status import RowVerdicts

if TYPE_CHECKING:
    from rich.text import Text

SHOWN_CASES = 20


def print_run(run: Run, *, cases: bool = False, show: str = "") -> None:
    """Print a run on standard output; `show` is the command that shows it again, by its id by default."""
    print_lines(lambda canvas: run_lines(canvas, run, cases=cases, show=show))


def print_rows(run: Run, rows: Sequence[Row], *, left_out: int = 0) -> None:
    """Print rows on standard output, a few lines each, and how many more there are."""
    print_lines(lambda canvas: _many_rows(canvas, run, rows, left_out))


def print_case(run: Run, rows: Sequence[Row]) -> None:
    """Print the answers to a case in full on standard output."""
    from ringtrue.reports.terminal.row_lines import case_lines

    print_lines(lambda canvas: case_lines(canvas, run, rows))


def run_text(run: Run, *, width: int = WIDTH, plain: bool = False, cases: bool = False) -> str:
    """The run as text without colours."""
    return plain_text(run_lines(Canvas(width, plain=plain), run, cases=cases))


def run_lines(canvas: Canvas, run: Run, *, cases: bool = False, show: str = "") -> Iterator[Text]:
    """The run line by line; `cases` adds those that did not pass, with what each check says."""
    yield from _title(canvas, run)
    for block in headline_table(run):
        yield canvas.text("")
        yield from headline_lines(canvas, block)
        yield from score_lines(canvas, run, block)
    if cases:
        yield from _failed_rows(canvas, run)
    if run.made.job == "run" or len(run.made.systems) > 1:
        yield from _sentences(canvas, run)
    show = show or (f"ringtrue show {run.id}" if run.id else "")
    notes = list(run_notes(canvas, run, show, errors_shown=cases))
    if notes:
        yield canvas.text("")
        yield from notes


def _sentences(canvas: Canvas, run: Run) -> Iterator[Text]:
    """Yield sentences that compare the systems of a run."""
    from ringtrue.reports.comparing.system_sentences import system_sentences  # with it comes all of comparing

    sentences = system_sentences(run)
    if sentences:
        yield canvas.text("")
        yield from (line for sentence in sentences for line in canvas.lines(sentence, "bold"))


def _title(canvas: Canvas, run: Run) -> Iterator[Text]:
    """Yield the run's name, its size, and its time and cost."""
    cost = run_cost(run)["total"]
    facts = [
        f"{run.made.job} {run.id}".strip(),
        count(len(run.rows), "row"),
        number(cost, "dollars", marked=True) if cost else "",
        duration(sum(run.seconds.values())) if run.seconds else "",
        f"{count(run.problems, 'broken row')} left out" if run.problems else "",
        run.status if run.status != "finished" else "",
    ]
    shown = " · ".join(fact for fact in facts if fact)
    yield from canvas.lines(f"{printable(run.made.name)}   {shown}" if run.made.name else shown, "bold")


def _failed_rows(canvas: Canvas, run: Run) -> Iterator[Text]:
    """The rows that did not pass, errors first."""
    verdicts = RowVerdicts(run.made)
    rows = [row for row in run.rows.page(order="worst") if verdicts.status(row) != "passed"]
    if rows:
        yield canvas.text("")
        yield from _many_rows(canvas, run, rows[:SHOWN_CASES], len(rows) - SHOWN_CASES)


def _many_rows(canvas: Canvas, run: Run, rows: Sequence[Row], left_out: int) -> Iterator[Text]:
    from ringtrue.reports.terminal.row_lines import row_lines  # a run without its rows needs none of it

    verdicts = RowVerdicts(run.made)
    for row in rows:
        yield from row_lines(canvas, run, row, verdicts)
    if not rows:
        yield canvas.text("no such rows")
    if left_out > 0:
        yield canvas.text(f"… and {left_out:,} more", "dim")
