"""`Latency`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from context_bench.metrics._numbers import numbers
from ringtrue import metrics
from ringtrue.records import EvalRow


@dataclass
class Latency:
    """Mean, median and the nearest-rank 95th and 99th percentiles of the seconds an answer took."""

    name: ClassVar[str] = "latency"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """`latency_mean`, `latency_median`, `latency_p95`, `latency_p99`; of no rows zeros."""
        return numbers(metrics.Latency(), rows)
