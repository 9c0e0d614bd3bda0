"""The endpoints that evaluations name: `openai` and `azure_openai`."""

from __future__ import annotations

import os
from typing import Any, Literal, TypeAlias, get_args

from ringtrue.errors import ConfigurationError
from ringtrue.models.endpoint import Endpoint

Provider: TypeAlias = Literal["openai", "azure_openai"]


def require_provider(name: object) -> None:
    """Raise a ConfigurationError unless a provider has this name."""
    if name not in get_args(Provider):
        known = ", ".join(map(repr, get_args(Provider)))
        raise ConfigurationError(f"provider must be one of {known}; got {name!r}", parameter="provider", value=name)


def from_env(provider: Provider, **settings: Any) -> Endpoint:
    """The endpoint that the environment names for a provider.

    `openai`: OPENAI_BASE_URL, OPENAI_API_KEY. `azure_openai`: AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_API_KEY and, where
    the default is not wanted, AZURE_OPENAI_VERSION.
    """
    require_provider(provider)
    if provider == "openai":
        return Endpoint.from_env(**settings)
    address, key = os.environ.get("AZURE_OPENAI_ENDPOINT"), os.environ.get("AZURE_OPENAI_API_KEY")
    if not address or not key:
        missing = "AZURE_OPENAI_ENDPOINT" if not address else "AZURE_OPENAI_API_KEY"
        raise ConfigurationError(f"provider 'azure_openai' needs {missing} in the environment", parameter=missing)
    version = os.environ.get("AZURE_OPENAI_VERSION")
    query = f"?api-version={version}" if version else ""
    return Endpoint(f"{address.rstrip('/')}/openai/v1{query}", key, **settings)
