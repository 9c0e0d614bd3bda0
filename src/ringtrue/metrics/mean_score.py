"""`MeanScore`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ringtrue.metrics.metric import Computed, summary_of_scores
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class MeanScore(Computed):
    """The mean of one score over the rows that have it."""

    score_field: str = "score"
    name: ClassVar[str] = "mean_score"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`mean_score`."""
        return {"mean_score": summary_of_scores(rows, self.score_field)}
