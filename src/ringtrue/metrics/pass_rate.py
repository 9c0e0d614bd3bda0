"""`PassRate`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ringtrue.metrics.metric import Computed, summary_of_scores
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class PassRate(Computed):
    """The share of rows whose score is at least the threshold."""

    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "pass_rate"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`pass_rate`."""
        return {"pass_rate": summary_of_scores(rows, self.score_field, threshold=self.threshold)}
