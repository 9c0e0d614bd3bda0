"""`Latency`: how long answers took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil

from ringtrue.metrics.metric import ComputedMetric, RatioRows, Sums
from ringtrue.metrics.ordered_numbers import OrderedNumbers
from ringtrue.records import EvalRow, Summary
from ringtrue.stats.intervals import quantile_interval


@dataclass(frozen=True)
class Latency(ComputedMetric):
    """Mean, median and the nearest-rank 95th and 99th percentiles of the seconds an answer took."""

    name = "latency"

    def sums(self) -> Sums:
        """`latency_mean`, `latency_median`, `latency_p95`, `latency_p99`, in seconds, of rows that were answered."""
        return _LatencySums()


@dataclass
class _LatencySums:
    """Percentiles need every number: eight bytes of each row are kept."""

    mean: RatioRows = field(default_factory=lambda: RatioRows("latency_mean", "seconds", _per_row))
    taken: OrderedNumbers = field(default_factory=OrderedNumbers)

    def add(self, rows: Sequence[EvalRow]) -> None:
        self.mean.add(rows)
        self.taken.add(seconds for row in rows if (seconds := _seconds(row)) is not None)

    def merge(self, other: _LatencySums) -> None:
        self.mean.merge(other.mean)
        self.taken.merge(other.taken)

    def summaries(self) -> Mapping[str, Summary]:
        taken, mean = self.taken, self.mean.summary()
        apart, n = self.mean.sums.independent, len(taken)

        def at(share: float, value: float | None) -> Summary:
            interval = quantile_interval(taken, share) if apart else None
            method = "order statistics" if interval else ""
            return replace(mean, value=value, interval=interval, method=method)

        return {
            "latency_mean": mean,
            "latency_median": at(0.5, taken.median),
            "latency_p95": at(0.95, taken[ceil(0.95 * n) - 1] if n else None),
            "latency_p99": at(0.99, taken[ceil(0.99 * n) - 1] if n else None),
        }


def _per_row(row: EvalRow) -> tuple[float, float] | None:
    seconds = _seconds(row)
    return None if seconds is None else (seconds, 1.0)


def _seconds(row: EvalRow) -> float | None:
    """Return the seconds of an answer; an answer of an earlier run says nothing of the system now."""
    return row.latency if row.status == "ok" and not row.reused else None
