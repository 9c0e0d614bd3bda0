"""`Attempted`: how often a system is right where it answers at all, and SimpleQA's F-score of both."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.metrics.metric import ComputedMetric, summary_of_ratio
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class Attempted(ComputedMetric):
    """Correct / attempted, and the harmonic mean of that and correct / all, as SimpleQA reports them."""

    correct_field: str = "correct"
    incorrect_field: str = "incorrect"
    name = "attempted"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`correct_given_attempted` and `f_score`, which is correct over the mean of all and attempted."""
        return {
            "correct_given_attempted": summary_of_ratio(rows, self._given_attempted, unit="share"),
            "f_score": summary_of_ratio(rows, self._f_score, unit="share"),
        }

    def _given_attempted(self, row: EvalRow) -> tuple[float, float] | None:
        right, wrong = row.scores.get(self.correct_field), row.scores.get(self.incorrect_field)
        return None if right is None or wrong is None else (right, right + wrong)

    def _f_score(self, row: EvalRow) -> tuple[float, float] | None:
        pair = self._given_attempted(row)
        return None if pair is None else (pair[0], (1 + pair[1]) / 2)
