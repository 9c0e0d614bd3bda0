"""`PassRate`."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.metrics.metric import ComputedMetric, ScoreSums, Sums


@dataclass(frozen=True)
class PassRate(ComputedMetric):
    """The share of rows whose score is at least the threshold."""

    threshold: float = 0.7
    score_field: str = "score"
    name = "pass_rate"

    def sums(self) -> Sums:
        """`pass_rate`."""
        return ScoreSums(self.name, self.score_field, self.threshold)
