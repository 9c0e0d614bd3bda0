"""`to_markdown`."""

from __future__ import annotations

from context_bench.results import EvalResult


def to_markdown(result: EvalResult) -> str:
    """The summary as a Markdown table."""
    return result.to_markdown()
