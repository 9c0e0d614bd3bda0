"""Rows in a terminal: a few lines for each, or one case in full with the answers of every system."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import zip_longest
from typing import TYPE_CHECKING

from ringtrue.records import Row, Run
from ringtrue.reports.answer_text import answer_problem, answer_text, row_traceback
from ringtrue.reports.number import number
from ringtrue.reports.pages.case_view import AnswerView, CaseView, CheckView, case_views
from ringtrue.reports.terminal.canvas import STYLES, Canvas, cells
from ringtrue.safetext import one_line, printable
from ringtrue.stats.row_status import RowVerdicts

if TYPE_CHECKING:
    from rich.text import Text

SHOWN_CHARS = 200
TRACEBACK_LINES = 8
FULL_CHARS = 20_000
SIDE_BY_SIDE = 72
"""From this many columns on, two answers are side by side."""


def row_lines(canvas: Canvas, run: Run, row: Row, verdicts: RowVerdicts | None = None) -> Iterator[Text]:
    """A row in a few lines: how it ended, what was asked, expected and answered, and why."""
    status = (verdicts or RowVerdicts(run.made)).status(row)
    mark = f"{canvas.mark(status)}  "
    case, output = row.trial.case, row.trial.output
    system = f"{printable(row.system)}  " if len(run.made.systems) > 1 else ""
    first, *rest = canvas.lines(
        f"{mark}{system}{printable(str(case.id))}  {one_line(case.input, SHOWN_CHARS)}".rstrip(), indent=4
    )
    first.stylize(STYLES[status], 0, len(mark))
    yield from (first, *rest)
    if case.expected is not None:
        yield from canvas.lines(f"    expected: {one_line(' | '.join(case.expected), SHOWN_CHARS)}", "", 6)
    if answer := answer_text(output):
        yield from canvas.lines(f"    answer: {one_line(answer, SHOWN_CHARS)}", "", 6)
    for name, reason in reasons(row):
        yield from canvas.lines(f"    {printable(name)}: {one_line(reason, SHOWN_CHARS)}", "dim", 6)
    for line in row_traceback(row).splitlines()[-TRACEBACK_LINES:]:
        yield from canvas.lines(f"      {printable(line)}", "dim", 8)


def reasons(row: Row) -> Iterator[tuple[str, str]]:
    """Yield why a row did not pass: the problem of its output, else the reason of each check that did not pass."""
    output = row.trial.output
    if problem := answer_problem(output):
        yield output.error or "output", problem
        if output.error:
            return
    for name, score in row.scores.items():
        if score.status != "scored" or not score.passed:
            yield name, score.reason or (f"scored {score.value:g}" if score.value is not None else score.status)


def case_lines(canvas: Canvas, run: Run, rows: Sequence[Row]) -> Iterator[Text]:
    """Cases in full: the question, what is expected, and each system's answer with every check and its reason."""
    for place, case in enumerate(case_views(rows, run.made)):
        if place:
            yield canvas.text("")
        where = f"{printable(case.dataset)}  " if case.dataset else ""
        yield from canvas.lines(f"{where}{printable(case.id)}", "bold")
        yield from _field(canvas, "question", case.question or "(none)")
        if case.context:
            yield from _field(canvas, "context", case.context)
        if case.expected:
            yield from _field(canvas, "expected", " | ".join(case.expected))
        yield canvas.text("")
        yield from _answers(canvas, case)


def _answers(canvas: Canvas, case: CaseView) -> Iterator[Text]:
    if case.remark:
        yield from canvas.lines(f"the two answers: {case.remark}", "dim")
    elif len(case.answers) == 2 and all(one.pieces for one in case.answers):
        yield from canvas.lines("[-only in the first-]  {+only in the second+}", "dim")
    if len(case.answers) == 2 and canvas.width >= SIDE_BY_SIDE:
        yield from _side_by_side(canvas, *case.answers)
        return
    for place, one in enumerate(case.answers):
        if place:
            yield canvas.text("")
        yield from _answer(canvas, one, "[-" if place == 0 else "{+")


def _side_by_side(canvas: Canvas, first: AnswerView, second: AnswerView) -> Iterator[Text]:
    half = Canvas((canvas.width - 3) // 2, plain=canvas.plain)
    for left, right in zip_longest(_answer(half, first, "[-"), _answer(half, second, "{+")):
        line = canvas.text("") if left is None else left
        line.append(" " * (half.width - cells(line.plain)))
        line.append_text(canvas.text(" │ ", "dim"))
        yield line if right is None else line.append_text(right)


def _answer(canvas: Canvas, one: AnswerView, mark: str) -> Iterator[Text]:
    facts = [
        "" if one.seconds is None else number(one.seconds, "seconds", marked=True),
        "" if one.cost is None else number(one.cost, "dollars", marked=True),
        "reused" if one.reused else "",
    ]
    status = canvas.mark(one.status)
    first, *rest = canvas.lines(" · ".join([f"{status}  {printable(one.system)}", *filter(None, facts)]), indent=2)
    first.stylize(STYLES[one.status], 0, len(status))
    yield from (first, *rest)
    for line in _paragraphs(_marked_text(one, mark) if one.text else "(no answer)"):
        for drawn in canvas.lines(f"  {line}", "" if one.text else "dim", 2):
            drawn.highlight_regex(r"\[-.*?-\]", "red underline")
            drawn.highlight_regex(r"\{\+.*?\+\}", "green underline")
            yield drawn
    if one.problem:
        yield from canvas.lines(f"  {printable(' '.join(one.problem.split()))}", STYLES["error"], 4)
    for check in one.checks:
        yield from _check(canvas, check)
    for line in one.traceback.splitlines()[-TRACEBACK_LINES:]:
        yield from canvas.lines(f"    {printable(line)}", "dim", 6)


def _check(canvas: Canvas, check: CheckView) -> Iterator[Text]:
    value = "" if check.value is None else f" {number(check.value)}"
    why = f": {' '.join(check.reason.split())}" if check.reason else ""
    status = canvas.mark(check.status)
    first, *rest = canvas.lines(f"  {status}  {printable(check.name)}{value}{printable(why)}", "dim", 4)
    first.stylize(STYLES[check.status], 2, 2 + len(status))
    yield from (first, *rest)


def _marked_text(one: AnswerView, mark: str) -> str:
    """The answer, the words that the other lacks between marks."""
    if not any(piece.changed for piece in one.pieces):
        return one.text
    end = {"[-": "-]", "{+": "+}"}[mark]
    return "".join(f"{mark}{piece.text}{end}" if piece.changed else piece.text for piece in one.pieces)


def _field(canvas: Canvas, name: str, text: str) -> Iterator[Text]:
    for place, line in enumerate(_paragraphs(text)):
        label = f"{name}: " if place == 0 else "  "
        yield from canvas.lines(f"{label}{line}", indent=2)


def _paragraphs(text: str) -> list[str]:
    """The lines of a text, each printable; a very long text is cut and says so."""
    cut = text[:FULL_CHARS]
    lines = [printable(line.expandtabs(4)) for line in cut.splitlines()] or [""]
    return lines if len(text) <= FULL_CHARS else [*lines, f"… {len(text) - FULL_CHARS:,} more characters"]
