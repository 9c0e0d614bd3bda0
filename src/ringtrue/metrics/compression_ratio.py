"""`CompressionRatio`: how much of what was given a system spared a model."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from typing import ClassVar

from ringtrue.metrics.metric import Computed, summary_of_ratio
from ringtrue.models.tokens import ESTIMATE
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CompressionRatio(Computed):
    """1 − tokens that the model received / tokens of the case: 0 for a pass-through, 0.5 for half the context.

    A row that does not say how long its case is has the documented two numbers: what went in, and what was left.
    """

    name: ClassVar[str] = "compression_ratio"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`compression_ratio`, `mean_input_tokens`, `mean_output_tokens`, over rows whose tokens were counted."""
        found = {
            "compression_ratio": summary_of_ratio(rows, _saved_tokens, unit="ratio", least=-inf),
            "mean_input_tokens": summary_of_ratio(rows, lambda row: _per_row(row, row.input_tokens), unit="tokens"),
            "mean_output_tokens": summary_of_ratio(rows, lambda row: _per_row(row, row.output_tokens), unit="tokens"),
        }
        if any(row.token_source == ESTIMATE for row in rows):
            return {key: replace(one, method=f"{one.method}; estimated tokens") for key, one in found.items()}
        return found


def _saved_tokens(row: EvalRow) -> tuple[float, float] | None:
    if row.case_tokens is not None:
        given, received = row.case_tokens, row.input_tokens
    else:
        given, received = row.input_tokens or 0, row.output_tokens
    return None if received is None or row.input_tokens is None else (given - received, given)


def _per_row(row: EvalRow, tokens: int | None) -> tuple[float, float] | None:
    return None if _saved_tokens(row) is None or tokens is None else (tokens, 1.0)
