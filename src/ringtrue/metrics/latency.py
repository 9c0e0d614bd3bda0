"""`Latency`: how long answers took."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import ceil
from statistics import fmean, median
from typing import ClassVar

from ringtrue.metrics.metric import Computed
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class Latency(Computed):
    """Mean, median and the nearest-rank 95th and 99th percentiles of the seconds an answer took."""

    name: ClassVar[str] = "latency"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`latency_mean`, `latency_median`, `latency_p95`, `latency_p99`, in seconds, of rows that were answered."""
        taken = sorted(row.latency for row in rows if row.latency is not None and row.status == "ok")
        n, missing = len(taken), len(rows) - len(taken)
        values = {
            "latency_mean": fmean(taken) if n else None,
            "latency_median": median(taken) if n else None,
            "latency_p95": taken[ceil(0.95 * n) - 1] if n else None,
            "latency_p99": taken[ceil(0.99 * n) - 1] if n else None,
        }
        return {key: Summary(value, n, missing) for key, value in values.items()}
