"""`CompressionRatio`: how much of what was given a system spared a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import inf

from ringtrue.metrics.metric import ComputedMetric, RatioRows, Sums
from ringtrue.models.tokens import ESTIMATE
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CompressionRatio(ComputedMetric):
    """1 − tokens that the model received / tokens of the case: 0 for a pass-through, 0.5 for half the context.

    If a row does not know the tokens of its case, the ratio uses its input and output tokens.
    """

    name = "compression_ratio"

    def sums(self) -> Sums:
        """`compression_ratio`, `mean_input_tokens`, `mean_output_tokens`, over rows whose tokens were counted."""
        return _TokenSums()


@dataclass
class _TokenSums:
    ratios: list[RatioRows] = field(
        default_factory=lambda: [
            RatioRows("compression_ratio", "ratio", _saved_tokens, least=-inf),
            RatioRows("mean_input_tokens", "tokens", _input_pair),
            RatioRows("mean_output_tokens", "tokens", _output_pair),
        ]
    )
    estimated: bool = False

    def add(self, rows: Sequence[EvalRow]) -> None:
        for one in self.ratios:
            one.add(rows)
        self.estimated |= any(row.token_source == ESTIMATE for row in rows)

    def merge(self, other: _TokenSums) -> None:
        for one, its in zip(self.ratios, other.ratios, strict=True):
            one.merge(its)
        self.estimated |= other.estimated

    def summaries(self) -> Mapping[str, Summary]:
        found = {one.key: one.summary() for one in self.ratios}
        if self.estimated:
            return {key: replace(one, method=f"{one.method}; estimated tokens") for key, one in found.items()}
        return found


def _saved_tokens(row: EvalRow) -> tuple[float, float] | None:
    if row.case_tokens is not None:
        given, received = row.case_tokens, row.input_tokens
    else:
        given, received = row.input_tokens or 0, row.output_tokens
    return None if received is None or row.input_tokens is None else (given - received, given)


def _input_pair(row: EvalRow) -> tuple[float, float] | None:
    return None if _saved_tokens(row) is None or row.input_tokens is None else (row.input_tokens, 1.0)


def _output_pair(row: EvalRow) -> tuple[float, float] | None:
    return None if _saved_tokens(row) is None or row.output_tokens is None else (row.output_tokens, 1.0)
