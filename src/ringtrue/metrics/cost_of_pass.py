"""`CostOfPass`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from ringtrue.metrics.metric import ComputedMetric, RatioRows, Sums, rows_with_keys
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CostOfPass(ComputedMetric):
    """Input and output tokens per row that passes; None if no row passes.

    If a row does not know the tokens of its case, only its output tokens count.
    """

    threshold: float = 0.7
    score_field: str = "score"
    name = "cost_of_pass"

    def sums(self) -> Sums:
        """`cost_of_pass` in tokens, `num_passing`, and dollars where prices are known.

        `usd_per_case` needs the price of every answer, `usd_per_pass` that of every row.
        """
        return _PassSums(self.threshold, self.score_field)


@dataclass
class _PassSums:
    threshold: float
    score_field: str
    tokens: RatioRows = field(default_factory=lambda: RatioRows("cost_of_pass", "tokens", _tokens))
    dollars: RatioRows = field(default_factory=lambda: RatioRows("usd_per_pass", "dollars", _dollars))
    each: RatioRows = field(default_factory=lambda: RatioRows("usd_per_case", "dollars", _dollars_per_answer))
    passing: int = 0
    unpriced: int = 0
    unpriced_answers: int = 0

    def add(self, rows: Sequence[EvalRow]) -> None:
        measured_rows = [
            replace(row, scores={_PASSED: float(row.scores.get(key, -1.0) >= self.threshold)})
            for row, key in rows_with_keys(rows, self.score_field)
        ]
        self.tokens.add(measured_rows)
        self.dollars.add(measured_rows)
        self.each.add(measured_rows)
        self.passing += sum(row.scores[_PASSED] == 1.0 for row in measured_rows)
        self.unpriced += sum(row.cost is None for row in rows)
        self.unpriced_answers += sum(row.cost is None and row.status == "ok" for row in rows)

    def merge(self, other: _PassSums) -> None:
        self.tokens.merge(other.tokens)
        self.dollars.merge(other.dollars)
        self.each.merge(other.each)
        self.passing += other.passing
        self.unpriced += other.unpriced
        self.unpriced_answers += other.unpriced_answers

    def summaries(self) -> Mapping[str, Summary]:
        rows = self.tokens.rows
        found = {**self.tokens.summaries(), "num_passing": Summary(float(self.passing), rows, unit="count")}
        priced = {} if self.unpriced_answers else self.each.summaries()
        found |= {key: one for key, one in priced.items() if one.n}
        return {**found, **self.dollars.summaries()} if rows and not self.unpriced else found


_PASSED = "passed"


def _tokens(row: EvalRow) -> tuple[float, float] | None:
    if row.output_tokens is None or (row.case_tokens is not None and row.input_tokens is None):
        return None
    sent = (row.input_tokens or 0) if row.case_tokens is not None else 0
    return sent + row.output_tokens, row.scores[_PASSED]


def _dollars(row: EvalRow) -> tuple[float, float] | None:
    return None if row.cost is None else (row.cost, row.scores[_PASSED])


def _dollars_per_answer(row: EvalRow) -> tuple[float, float] | None:
    return None if row.cost is None or row.status != "ok" else (row.cost, 1.0)
