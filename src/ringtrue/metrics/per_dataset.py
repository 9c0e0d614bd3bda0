"""`PerDatasetBreakdown`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.metrics.metric import ComputedMetric, summary_of_scores
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class PerDatasetBreakdown(ComputedMetric):
    """The mean of one score in each dataset."""

    score_field: str = "f1"
    name = "per_dataset"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`dataset:NAME` for each dataset, in order of name; rows without one are `dataset:unknown`."""
        groups: dict[str, list[EvalRow]] = {}
        for row in rows:
            groups.setdefault(row.dataset or "unknown", []).append(row)
        return {f"dataset:{name}": summary_of_scores(groups[name], self.score_field) for name in sorted(groups)}
