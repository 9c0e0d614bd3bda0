"""`CostOfPass`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import ClassVar

from ringtrue.metrics.metric import Computed, RatioRows, Sums, keyed
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CostOfPass(Computed):
    """Tokens spent per row that passes, those sent and those that came; None while nothing passes.

    A row that does not say how long its case is has the documented two numbers, and the second is what was spent.
    """

    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "cost_of_pass"

    def sums(self) -> Sums:
        """`cost_of_pass` in tokens, `num_passing`, and `usd_per_pass` where the price of every row is known."""
        return _PassSums(self.threshold, self.score_field)


@dataclass
class _PassSums:
    threshold: float
    score_field: str
    tokens: RatioRows = field(default_factory=lambda: RatioRows("cost_of_pass", "tokens", _tokens))
    dollars: RatioRows = field(default_factory=lambda: RatioRows("usd_per_pass", "dollars", _dollars))
    passing: int = 0
    unpriced: int = 0

    def add(self, rows: Sequence[EvalRow]) -> None:
        told = [
            replace(row, scores={_PASSED: float(row.scores.get(key, -1.0) >= self.threshold)})
            for row, key in keyed(rows, self.score_field)
        ]
        self.tokens.add(told)
        self.dollars.add(told)
        self.passing += sum(row.scores[_PASSED] == 1.0 for row in told)
        self.unpriced += sum(row.cost is None for row in rows)

    def merge(self, other: _PassSums) -> None:
        self.tokens.merge(other.tokens)
        self.dollars.merge(other.dollars)
        self.passing += other.passing
        self.unpriced += other.unpriced

    def summaries(self) -> Mapping[str, Summary]:
        rows = self.tokens.rows
        found = {**self.tokens.summaries(), "num_passing": Summary(float(self.passing), rows, unit="count")}
        return {**found, **self.dollars.summaries()} if rows and not self.unpriced else found


_PASSED = "passed"


def _tokens(row: EvalRow) -> tuple[float, float] | None:
    if row.output_tokens is None or (row.case_tokens is not None and row.input_tokens is None):
        return None
    sent = (row.input_tokens or 0) if row.case_tokens is not None else 0
    return sent + row.output_tokens, row.scores[_PASSED]


def _dollars(row: EvalRow) -> tuple[float, float] | None:
    return None if row.cost is None else (row.cost, row.scores[_PASSED])
