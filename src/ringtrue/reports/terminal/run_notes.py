"""What a reader should know beside the numbers of a run, and what to do next."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ringtrue.records import Row, RowFilter, Run, Summary
from ringtrue.reports.caveats import caveat_lines, stop_words
from ringtrue.reports.cost import known_cost
from ringtrue.reports.headline_table import PASS_RATE, is_score
from ringtrue.reports.number import count, number
from ringtrue.reports.terminal.canvas import STYLES, Canvas
from ringtrue.runner.error_causes import ErrorCauses
from ringtrue.safetext import printable, shorten

if TYPE_CHECKING:
    from rich.text import Text

SHOWN_CHARS = 200
SHOWN_CAUSES = 3
SHOWN_RUNS = 3


def run_notes(canvas: Canvas, run: Run, named: str, *, errors_shown: bool = False) -> Iterator[Text]:
    """What went wrong, who judged, what was reused, and the next command; `named` is how it names the run."""
    errors = list(_error_lines(run))
    for line in () if errors_shown else errors:
        yield from canvas.lines(line, STYLES["error"])
    for line in caveat_lines(run):
        yield from canvas.lines(line, STYLES["error"])
    if words := stop_words(run):
        yield from canvas.lines(f"stopped early: {words}", STYLES["error"] if run.stopped_by else "dim")
    if run.spent:
        yield from canvas.lines(bill(run.spent), "dim")
    if run.made.job in ("run", "suite") and (words := _reuse(run)):
        yield from canvas.lines(words, "dim")
    if known_cost(run) is None and any(_has_no_price(row) for row in run.rows):
        yield from canvas.lines("cost unknown: no price of the model; RINGTRUE_PRICES names a table", "dim")
    shares = [found[PASS_RATE] for own in run.summaries.values() for found in own.values() if PASS_RATE in found]
    look = "--failed" if any(one.failed for one in shares) else "--errors" if errors else ""
    if run.id and look:
        yield from canvas.lines(f"next: ringtrue show {named} {look}", "dim", 2)


def _has_no_price(row: Row) -> bool:
    """Whether the tokens of an answer are known and their price is not."""
    output = row.trial.output
    return output.cost is None and output.input_tokens is not None and output.output_tokens is not None


def _reuse(run: Run) -> str:
    """How many answers earlier runs paid for, which runs, and when the oldest of them was given."""
    reused, oldest, runs = 0, float("inf"), dict[str, None]()
    for row in run.rows:
        if row.reused:
            reused += 1
            oldest = min(oldest, row.answered_at or oldest)
            runs[row.answered_in] = None
    if not reused:
        return ""
    named = [name for name in runs if name]
    words = f"{reused:,} of {count(len(run.rows), 'answer')} reused"
    if named:
        words += f" from {'run' if len(named) == 1 else 'runs'} {', '.join(named[:SHOWN_RUNS])}"
        words += " and others" if len(named) > SHOWN_RUNS else ""
    if oldest != float("inf"):
        words += f" of {time.strftime('%Y-%m-%d %H:%M', time.gmtime(oldest))} UTC"
    return f"{words}; --no-reuse asks again"


def bill(spent: Mapping[str, float | None]) -> str:
    """What judges took, in words."""
    calls, tokens, hits = (int(spent.get(name) or 0) for name in ("calls", "tokens", "cache_hits"))
    cost = "cost unknown" if spent.get("cost") is None else number(spent["cost"], "dollars", marked=True)
    words = f"judges took {count(calls, 'call')} and {count(tokens, 'token')}, {cost}"
    return f"{words}; {count(hits, 'reply', 'replies')} came from the store"


def _error_lines(run: Run) -> Iterator[str]:
    """What went wrong, cause by cause, in the words of who failed; the most frequent first."""
    if not any(_worst_errors(found) for systems in run.summaries.values() for found in systems.values()):
        return
    broken = run.rows.page(RowFilter(status="error"))
    unanswered = [row.trial.output.problem for row in broken if row.trial.output.error]
    if unanswered:
        first = shorten(printable(" ".join(unanswered[0].split())), SHOWN_CHARS)
        said = bool(run.stopped_by) and run.stopped_by.startswith(unanswered[0])
        yield f"{count(len(unanswered), 'answer')} missing" + ("" if said else f", first: {first}")
    causes = ErrorCauses.of(row.scores for row in run.rows if not row.trial.output.error)
    for line in causes.lines()[:SHOWN_CAUSES]:
        yield shorten(printable(" ".join(line.split())), SHOWN_CHARS)


def _worst_errors(found: Mapping[str, Summary]) -> int:
    return max((summary.errors for key, summary in found.items() if is_score(key) or key == PASS_RATE), default=0)
