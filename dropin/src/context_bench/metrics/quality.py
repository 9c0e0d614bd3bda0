"""Scores of answers, their mean and their pass rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from context_bench.metrics._numbers import numbers
from ringtrue import metrics
from ringtrue.records import EvalRow
from ringtrue.scoring.overlap.squad import exact_match, f1_score, normalize_answer, recall_score

__all__ = ["MeanScore", "PassRate", "exact_match", "f1_score", "normalize_answer", "recall_score"]


@dataclass
class MeanScore:
    """The mean of one score over the rows that have it."""

    score_field: str = "score"
    name: ClassVar[str] = "mean_score"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """`mean_score`; of no rows 0.0."""
        return numbers(metrics.MeanScore(self.score_field), rows)


@dataclass
class PassRate:
    """The share of rows whose score is at least the threshold."""

    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "pass_rate"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """`pass_rate`; of no rows 0.0."""
        return numbers(metrics.PassRate(self.threshold, self.score_field), rows)
