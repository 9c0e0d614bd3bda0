"""A client of the provider that the environment names, and texts cut to a number of tokens."""

from __future__ import annotations

import os
from bisect import bisect_left
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING

from eval_recipes.schemas import Provider
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import BaseEvaluatorConfig
from ringtrue.models.tokens import count

if TYPE_CHECKING:
    from openai import AsyncAzureOpenAI, AsyncOpenAI

AZURE_VERSION = "2025-03-01-preview"
"""The first version of Azure's API that has Responses."""
_AZURE_SCOPE = "https://cognitiveservices.azure.com/.default"


@asynccontextmanager
async def create_client(provider: Provider = "azure_openai") -> AsyncIterator[AsyncOpenAI | AsyncAzureOpenAI]:
    """A client of the openai package, closed at the end; evaluations do not need one.

    `openai`: OPENAI_API_KEY, OPENAI_BASE_URL. `azure_openai`: AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_VERSION, and
    AZURE_OPENAI_API_KEY or what azure-identity finds.
    """
    BaseEvaluatorConfig(provider=provider)  # which refuses any other
    async with _client(provider) as client:
        yield client


def _client(provider: Provider) -> AsyncOpenAI | AsyncAzureOpenAI:
    try:
        from openai import AsyncAzureOpenAI, AsyncOpenAI
    except ImportError as error:
        raise ConfigurationError("create_client needs the openai package: pip install openai") from error
    if provider == "openai":
        # A local server needs no key, but the client insists on one.
        key = os.environ.get("OPENAI_API_KEY") or ("none" if os.environ.get("OPENAI_BASE_URL") else None)
        return AsyncOpenAI(api_key=key)
    endpoint = os.environ.get("AZURE_OPENAI_ENDPOINT")
    if not endpoint:
        raise ConfigurationError(
            "provider 'azure_openai' needs AZURE_OPENAI_ENDPOINT in the environment", parameter="AZURE_OPENAI_ENDPOINT"
        )
    version = os.environ.get("AZURE_OPENAI_VERSION") or AZURE_VERSION
    key = os.environ.get("AZURE_OPENAI_API_KEY")
    if key:
        return AsyncAzureOpenAI(azure_endpoint=endpoint, api_version=version, api_key=key)
    try:
        from azure.identity import (  # type: ignore[import-not-found,unused-ignore]
            DefaultAzureCredential,
            get_bearer_token_provider,
        )
    except ImportError as error:
        raise ConfigurationError(
            "provider 'azure_openai' needs AZURE_OPENAI_API_KEY in the environment, or pip install azure-identity",
            parameter="AZURE_OPENAI_API_KEY",
        ) from error
    token = get_bearer_token_provider(DefaultAzureCredential(), _AZURE_SCOPE)
    return AsyncAzureOpenAI(azure_endpoint=endpoint, api_version=version, azure_ad_token_provider=token)


def truncate_reports_to_token_limit(reports: list[str], max_total_tokens: int = 120000) -> list[str]:
    """The reports as they are where they fit together; else each keeps its end, of at most an equal share of tokens."""
    if sum(count(report).count for report in reports) <= max_total_tokens:
        return list(reports)
    share = max_total_tokens // len(reports)
    return [_end(report, share) for report in reports]


def _end(report: str, tokens: int) -> str:
    start = bisect_left(range(len(report)), True, key=lambda at: count(report[at:]).count <= tokens)
    return report[start:]
