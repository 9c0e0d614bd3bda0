"""`PerDatasetBreakdown`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from context_bench.metrics._numbers import numbers
from ringtrue import metrics
from ringtrue.records import EvalRow


@dataclass
class PerDatasetBreakdown:
    """The mean of one score in each dataset."""

    score_field: str = "f1"
    name: ClassVar[str] = "per_dataset"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """`dataset:NAME` for each dataset, in order of name; rows without one are `dataset:unknown`."""
        return numbers(metrics.PerDatasetBreakdown(self.score_field), rows)
