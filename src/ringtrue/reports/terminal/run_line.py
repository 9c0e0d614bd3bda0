"""A run in one line, as Python shows it."""

from __future__ import annotations

from ringtrue.records import Run, Summary
from ringtrue.reports.headline_table import headline_table
from ringtrue.reports.number import absence_words, at_threshold, count, with_interval
from ringtrue.safetext import printable

SHOWN = 3


def run_line(run: Run) -> str:
    """Return one line on a run: its name, its size, and the best system's share on each dataset with its interval."""
    blocks = headline_table(run)
    shares = [(block.dataset, line.share) for block in blocks for line in block.lines[:1] if line.share is not None]
    all_shares = [line.share for block in blocks for line in block.lines if line.share is not None]
    skipped, errors = sum(one.skipped for one in all_shares), sum(one.errors for one in all_shares)
    facts = [
        count(len(run.rows), "row"),
        count(len(run.made.systems), "system") if len(run.made.systems) > 1 else "",
        *(_passes(dataset, one) for dataset, one in shares[:SHOWN]),
        count(len(shares) - SHOWN, "more dataset") if len(shares) > SHOWN else "",
        *absence_words(skipped, errors),
        run.status if run.status != "finished" else "",
    ]
    named = f" {run.id[:12]}" if run.id else ""
    return printable(f"<Run{named}: {', '.join(fact for fact in facts if fact)}>")


def _passes(dataset: str, share: Summary) -> str:
    return f"{dataset} passed {with_interval(share)}{at_threshold(share)}".lstrip()
