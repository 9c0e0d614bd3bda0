"""`Pooled`: one score over rows that hold different numbers of things, each thing counting alike."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.metrics.metric import ComputedMetric, summary_of_ratio
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class Pooled(ComputedMetric):
    """The mean of a share, weighted by how many things it is a share of: instructions followed / instructions.

    `weight_field` is the score that counts the things of a row.
    """

    score_field: str
    weight_field: str
    name = "pooled"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`pooled_` and the name of the score."""
        return {f"pooled_{self.score_field}": summary_of_ratio(rows, self._parts, unit="share")}

    def _parts(self, row: EvalRow) -> tuple[float, float] | None:
        share, things = row.scores.get(self.score_field), row.scores.get(self.weight_field)
        return None if share is None or things is None else (share * things, things)
