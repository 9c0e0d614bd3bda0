"""Whom a benchmark's judges ask."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from eval_recipes.benchmarking.schemas import AnalysisProvider
from ringtrue.models.client.providers import from_env
from ringtrue.models.model import Model
from ringtrue.models.structured.structured_model import StructuredModel


@asynccontextmanager
async def asking(
    provider: AnalysisProvider, judge: Model | StructuredModel | None = None
) -> AsyncIterator[StructuredModel]:
    """The judge that was given, or the provider's endpoint as the environment names it, closed at the end."""
    if judge is not None:
        yield judge if isinstance(judge, StructuredModel) else StructuredModel(judge)
        return
    async with from_env(provider) as endpoint:
        yield StructuredModel(endpoint)
