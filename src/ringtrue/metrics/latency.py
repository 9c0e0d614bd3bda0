"""`Latency`: how long answers took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from statistics import median
from typing import ClassVar

from ringtrue.metrics.metric import Computed, from_one_source_each, summary_of_ratio
from ringtrue.records import EvalRow, Summary
from ringtrue.stats.intervals import quantile_interval


@dataclass(frozen=True)
class Latency(Computed):
    """Mean, median and the nearest-rank 95th and 99th percentiles of the seconds an answer took."""

    name: ClassVar[str] = "latency"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`latency_mean`, `latency_median`, `latency_p95`, `latency_p99`, in seconds, of rows that were answered."""
        answered = [row for row in rows if _seconds(row) is not None]
        taken = sorted(row.latency for row in answered if row.latency is not None)
        mean = summary_of_ratio(
            rows, lambda row: None if (taken := _seconds(row)) is None else (taken, 1.0), unit="seconds"
        )
        apart = from_one_source_each(answered)

        def at(share: float, value: float | None) -> Summary:
            interval = quantile_interval(taken, share) if apart else None
            method = "order statistics" if interval else ""
            return replace(mean, value=value, interval=interval, method=method)

        n = len(taken)
        return {
            "latency_mean": mean,
            "latency_median": at(0.5, median(taken) if n else None),
            "latency_p95": at(0.95, taken[ceil(0.95 * n) - 1] if n else None),
            "latency_p99": at(0.99, taken[ceil(0.99 * n) - 1] if n else None),
        }


def _per_row(row: EvalRow) -> tuple[float, float] | None:
    seconds = _seconds(row)
    return None if seconds is None else (seconds, 1.0)


def _seconds(row: EvalRow) -> float | None:
    """How long an answer took; an answer of an earlier run says nothing of the system now."""
    return row.latency if row.status == "ok" and not row.reused else None
