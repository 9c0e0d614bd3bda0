"""`CostOfPass`."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from typing import ClassVar

from context_bench.metrics._numbers import numbers
from ringtrue import metrics
from ringtrue.records import EvalRow


@dataclass
class CostOfPass:
    """Output tokens spent per row that passes."""

    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "cost_of_pass"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """`cost_of_pass`, infinite while nothing passes, and `num_passing`."""
        absent = {"cost_of_pass": inf, "usd_per_pass": inf}
        return numbers(metrics.CostOfPass(self.threshold, self.score_field), rows, absent)
