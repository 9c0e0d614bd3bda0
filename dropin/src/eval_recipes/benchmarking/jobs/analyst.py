"""Who analyses and judges in a benchmark that names only who replies to agents."""

from __future__ import annotations

from typing import TypedDict

from eval_recipes.benchmarking.schemas import AnalysisProvider, ContinuationProvider


class Analyst(TypedDict):
    """A provider and the name of a model there."""

    provider: AnalysisProvider
    model: str


def analyst(provider: ContinuationProvider, model: str) -> Analyst:
    """Whoever replies to agents, with OpenAI's address where nobody does."""
    return {"provider": "openai" if provider == "none" else provider, "model": model}
