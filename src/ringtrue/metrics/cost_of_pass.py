"""`CostOfPass`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ringtrue.metrics.metric import Computed, rows_with_keys, summary_of_ratio
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CostOfPass(Computed):
    """Tokens spent per row that passes, those sent and those that came; None while nothing passes.

    A row that does not say how long its case is has the documented two numbers, and the second is what was spent.
    """

    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "cost_of_pass"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`cost_of_pass` in tokens, `num_passing`, and `usd_per_pass` where the price of every row is known."""
        passed = {
            id(row): row.scores.get(key, -1.0) >= self.threshold for row, key in rows_with_keys(rows, self.score_field)
        }

        def tokens(row: EvalRow) -> tuple[float, float] | None:
            if row.output_tokens is None or (row.case_tokens is not None and row.input_tokens is None):
                return None
            sent = (row.input_tokens or 0) if row.case_tokens is not None else 0
            return sent + row.output_tokens, passed[id(row)]

        def dollars(row: EvalRow) -> tuple[float, float] | None:
            return None if row.cost is None else (row.cost, passed[id(row)])

        found = {
            "cost_of_pass": summary_of_ratio(rows, tokens, unit="tokens"),
            "num_passing": Summary(float(sum(passed.values())), len(rows), unit="count"),
        }
        if rows and all(row.cost is not None for row in rows):
            found["usd_per_pass"] = summary_of_ratio(rows, dollars, unit="dollars")
        return found
