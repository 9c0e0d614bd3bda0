"""Scores of answers, their mean and their pass rate."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from context_bench.metrics._numbers import numbers
from ringtrue import metrics
from ringtrue.records import EvalRow
from ringtrue.scoring.overlap import squad
from ringtrue.scoring.overlap.squad import normalize_answer

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


def f1_score(response: str | None = None, reference: str = "", *, prediction: str | None = None) -> float:
    """Token F1 after normalisation; the first text is called `response` or `prediction`."""
    return squad.f1_score(_said(response, prediction), reference)


def recall_score(response: str | None = None, reference: str = "", *, prediction: str | None = None) -> float:
    """The share of the reference's tokens that the first text holds."""
    return squad.recall_score(_said(response, prediction), reference)


def exact_match(response: str | None = None, reference: str = "", *, prediction: str | None = None) -> float:
    """1.0 if both texts are equal after normalisation, else 0.0."""
    return squad.exact_match(_said(response, prediction), reference)


def _said(response: str | None, prediction: str | None) -> str:
    if (response is None) == (prediction is None):
        raise TypeError("give one text to compare: response=, or prediction=")
    return response if response is not None else str(prediction)
