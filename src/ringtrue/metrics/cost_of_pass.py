"""`CostOfPass`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ringtrue.metrics.metric import Computed
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CostOfPass(Computed):
    """Output tokens spent per row that passes; None while nothing passes."""

    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "cost_of_pass"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`cost_of_pass` in tokens, `num_passing`, and `usd_per_pass` where the price of every row is known."""
        counted = [row for row in rows if row.output_tokens is not None]
        passing = sum(row.scores.get(self.score_field, -1.0) >= self.threshold for row in rows)
        tokens = sum(row.output_tokens or 0 for row in counted)
        found = {
            "cost_of_pass": Summary(
                tokens / passing if passing and counted else None, len(counted), len(rows) - len(counted)
            ),
            "num_passing": Summary(float(passing), len(rows)),
        }
        prices = [row.cost for row in rows if row.cost is not None]
        if prices and len(prices) == len(rows):
            found["usd_per_pass"] = Summary(sum(prices) / passing if passing else None, len(rows))
        return found
