"""`to_json`."""

from __future__ import annotations

from context_bench.results import EvalResult


def to_json(result: EvalResult) -> str:
    """A result as JSON, without Infinity or NaN."""
    return result.to_json()
