"""`MeanScore`."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.metrics.metric import ComputedMetric, ScoreSums, Sums


@dataclass(frozen=True)
class MeanScore(ComputedMetric):
    """The mean of one score over the rows that have it."""

    score_field: str = "score"
    name = "mean_score"

    def sums(self) -> Sums:
        """`mean_score`."""
        return ScoreSums(self.name, self.score_field)
