"""`CompressionRatio`."""

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
    """How much shorter what came back is than what was sent: 1 − output tokens / input tokens."""

    name: ClassVar[str] = "compression_ratio"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`compression_ratio`, `mean_input_tokens`, `mean_output_tokens`, over rows whose tokens were counted."""
        found = {
            "compression_ratio": summary_of_ratio(rows, _saved, unit="ratio", least=-inf),
            "mean_input_tokens": summary_of_ratio(rows, lambda row: _per_row(row, row.input_tokens), unit="tokens"),
            "mean_output_tokens": summary_of_ratio(rows, lambda row: _per_row(row, row.output_tokens), unit="tokens"),
        }
        if any(row.token_source == ESTIMATE for row in rows):
            return {key: replace(one, method=f"{one.method}; estimated tokens") for key, one in found.items()}
        return found


def _saved(row: EvalRow) -> tuple[float, float] | None:
    sent, came = row.input_tokens, row.output_tokens
    return None if sent is None or came is None else (sent - came, sent)


def _per_row(row: EvalRow, tokens: int | None) -> tuple[float, float] | None:
    return None if _saved(row) is None or tokens is None else (tokens, 1.0)
