"""Compression of the processed examples, and the systems that no other beats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from context_bench.metrics._numbers import numbers
from ringtrue import metrics
from ringtrue.records import EvalRow


@dataclass
class CompressionRatio:
    """1 − output tokens / input tokens."""

    name: ClassVar[str] = "compression_ratio"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """`compression_ratio`, `mean_input_tokens`, `mean_output_tokens`; of no rows zeros."""
        return numbers(metrics.CompressionRatio(), rows)


@dataclass(frozen=True)
class ParetoRank(metrics.ParetoRank):
    """The front a system is on, 1 being the best; `quality_field` names a score, whose mean is compared."""

    quality_field: str = "score"

    def rank(self, summary: Mapping[str, Mapping[str, float | None]]) -> dict[str, int]:
        """The rank of every system of a run's summary."""
        named = any(self.quality_field in numbers for numbers in summary.values())
        return self.rank_systems(summary, self.quality_field if named else "mean_score", self.cost_field)
