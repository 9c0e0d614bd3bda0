"""Notes beside the numbers of a run, and what to do next."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from ringtrue.records import Run, RunFacts
from ringtrue.reports.caveats import caveat_lines, error_lines, stop_words
from ringtrue.reports.number import count, number
from ringtrue.reports.terminal.canvas import STYLES, Canvas
from ringtrue.runner.run_facts import facts_of
from ringtrue.stats.row_status import PASS_RATE

if TYPE_CHECKING:
    from rich.text import Text

SHOWN_RUNS = 3


def run_notes(canvas: Canvas, run: Run, show: str, *, errors_shown: bool = False) -> Iterator[Text]:
    """Yield errors, judges, reused answers, and the next command; `show` is the one that shows the run."""
    facts = facts_of(run)
    errors = error_lines(run, facts)
    for line in () if errors_shown else errors:
        yield from canvas.lines(line, STYLES["error"])
    for line in caveat_lines(run):
        yield from canvas.lines(line, STYLES["error"])
    if words := stop_words(run):
        yield from canvas.lines(f"stopped early: {words}", STYLES["error"] if run.stopped_by else "dim")
    if run.spent:
        yield from canvas.lines(bill(run.spent), "dim")
    if run.made.job in ("run", "suite") and (words := _reuse(facts, len(run.rows))):
        yield from canvas.lines(words, "dim")
    if facts.unpriced:
        yield from canvas.lines("cost unknown: no price of the model; RINGTRUE_PRICES names a table", "dim")
    shares = [found[PASS_RATE] for own in run.summaries.values() for found in own.values() if PASS_RATE in found]
    look = "--failed" if any(one.failed for one in shares) else "--errors" if errors else ""
    if show and look:
        yield from canvas.lines(f"next: {show} {look}", "dim", 2)


def _reuse(facts: RunFacts, rows: int) -> str:
    """Return how many answers earlier runs paid for, which runs, and when the oldest of them was given."""
    if not facts.reused:
        return ""
    named = [name for name in facts.reused_from if name]
    words = f"{facts.reused:,} of {count(rows, 'answer')} reused"
    if named:
        words += f" from {'run' if len(named) == 1 else 'runs'} {', '.join(named[:SHOWN_RUNS])}"
        words += " and others" if len(named) > SHOWN_RUNS else ""
    if facts.reused_since is not None:
        words += f" of {time.strftime('%Y-%m-%d %H:%M', time.gmtime(facts.reused_since))} UTC"
    return f"{words}; --no-reuse asks again"


def bill(spent: Mapping[str, float | None]) -> str:
    """Return the judges' calls, tokens and cost, in words."""
    calls, tokens, hits = (int(spent.get(name) or 0) for name in ("calls", "tokens", "cache_hits"))
    cost = "cost unknown" if spent.get("cost") is None else number(spent["cost"], "dollars", marked=True)
    words = f"judges took {count(calls, 'call')} and {count(tokens, 'token')}, {cost}"
    return f"{words}; {count(hits, 'reply', 'replies')} came from the store"
