"""A ringtrue metric's numbers as documented here: always floats."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ringtrue.records import EvalRow


def numbers(metric: Any, rows: Sequence[EvalRow], absent: Mapping[str, float] | None = None) -> dict[str, float]:
    """The metric's numbers; one that there is nothing to compute from is 0.0 unless `absent` names another."""
    found = metric.compute(rows)
    return {key: (absent or {}).get(key, 0.0) if value is None else value for key, value in found.items()}
