"""`CompressionRatio`."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from ringtrue.metrics.metric import Computed
from ringtrue.records import EvalRow, Summary


@dataclass(frozen=True)
class CompressionRatio(Computed):
    """How much shorter what came back is than what was sent: 1 − output tokens / input tokens."""

    name: ClassVar[str] = "compression_ratio"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`compression_ratio`, `mean_input_tokens`, `mean_output_tokens`, over rows whose tokens were counted."""
        counted = [
            (row.input_tokens, row.output_tokens)
            for row in rows
            if row.input_tokens is not None and row.output_tokens is not None
        ]
        n, missing = len(counted), len(rows) - len(counted)
        sent, came = sum(pair[0] for pair in counted), sum(pair[1] for pair in counted)
        return {
            "compression_ratio": Summary(1 - came / sent if sent else None, n, missing),
            "mean_input_tokens": Summary(sent / n if n else None, n, missing),
            "mean_output_tokens": Summary(came / n if n else None, n, missing),
        }
