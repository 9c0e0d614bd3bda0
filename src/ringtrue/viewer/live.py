"""A run while it grows: how far it is, how fast, and what its rows say so far."""

from __future__ import annotations

import time
from collections.abc import Mapping
from dataclasses import dataclass, replace

from ringtrue.records import Made, Run, Summary
from ringtrue.reports.number import count, duration
from ringtrue.stats.anytime_share import share_so_far
from ringtrue.stats.row_status import PASS_RATE, headline_of
from ringtrue.store.runs import Counts


@dataclass(frozen=True, slots=True)
class Progress:
    """The number of rows, of how many, and how many a second; 0 if it is not known."""

    done: int
    of: int = 0
    rate: float = 0.0

    @property
    def words(self) -> str:
        """`412 of 900 rows · 3.1 rows/s · 2 min 37 s left`."""
        parts = [f"{self.done:,} of {count(self.of, 'row')}" if self.of >= self.done else count(self.done, "row")]
        if self.rate:
            parts.append(f"{self.rate:.1f} rows/s")
            if self.of > self.done:
                parts.append(f"{duration((self.of - self.done) / self.rate)} left")
        return " · ".join(parts)


class Pace:
    """Watches runs grow; the rate is that since a run was first seen, or since it began."""

    def __init__(self) -> None:
        self._seen: dict[str, tuple[float, int]] = {}

    def progress(self, id: str, made: Made, done: int) -> Progress:
        """Return the progress of a run."""
        now = time.monotonic()
        begun, first = self._seen.setdefault(id, (now, done))
        if now - begun >= 1:
            rate = (done - first) / (now - begun)
        else:
            elapsed = time.time() - made.started
            rate = done / elapsed if made.started and elapsed > 1 else 0.0
        return Progress(done, _rows_planned(made), rate)


def _rows_planned(made: Made) -> int:
    return sum(one.cases for one in made.datasets) * max(1, len(made.systems)) * _repeats(made)


def _repeats(made: Made) -> int:
    repeats = made.options.get("repeats")
    return repeats if isinstance(repeats, int) and repeats > 0 else 1


def summaries_so_far(
    counts: Counts, thresholds: Mapping[str, float | None], repeats: int = 1
) -> dict[str, dict[str, dict[str, Summary]]]:
    """The share of rows that passed so far, by dataset and system, with an interval that holds at any time.

    `thresholds` are those of the datasets' headlines.
    """
    blocks: dict[tuple[str, str], dict[str, int]] = {}
    for (dataset, system, status), amount in counts.items():
        blocks.setdefault((dataset or "", system), {})[status] = amount
    found: dict[str, dict[str, dict[str, Summary]]] = {}
    for (dataset, system), own in blocks.items():
        found.setdefault(dataset, {})[system] = {
            PASS_RATE: replace(_share(own, repeats), threshold=thresholds.get(dataset or ""))
        }
    return found


def _share(counts: Mapping[str, int], repeats: int) -> Summary:
    passed, failed = counts.get("passed", 0), counts.get("failed", 0)
    n = passed + failed
    share = Summary(
        passed / n if n else None,
        n,
        skipped=counts.get("skipped", 0),
        errors=counts.get("error", 0),
        passed=passed,
        failed=failed,
        unit="share",
    )
    return share_so_far(share, repeats)


def with_summaries(run: Run, counts: Counts) -> Run:
    """A run with what its rows say so far, where it has no summaries yet."""
    if run.summaries:
        return run
    headlines = {one.name: headline_of(one.headline, run.made.evaluators) for one in run.made.datasets}
    thresholds = {name: one.threshold for name, one in headlines.items() if one is not None and one.is_main}
    sums = summaries_so_far(counts, {} if run.made.job == "suite" else thresholds, _repeats(run.made))
    return replace(run, summaries=sums)
