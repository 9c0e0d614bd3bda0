"""The endpoints that evaluations name: `openai` and `azure_openai`."""

from __future__ import annotations

import os
from typing import Any, Literal, TypeAlias, get_args

from ringtrue.errors import ConfigurationError
from ringtrue.models.client.endpoint import OPENAI, Endpoint
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.urls import api_root

Provider: TypeAlias = Literal["openai", "azure_openai"]


def require_provider(name: object) -> None:
    """Raise a ConfigurationError unless a provider has this name."""
    if name not in get_args(Provider):
        known = ", ".join(map(repr, get_args(Provider)))
        raise ConfigurationError(f"provider must be one of {known}; got {name!r}", parameter="provider", value=name)


def from_env(provider: Provider, **settings: Any) -> Endpoint:
    """The endpoint that the environment names for a provider.

    `openai`: OPENAI_BASE_URL, OPENAI_API_KEY. `azure_openai`: AZURE_OPENAI_ENDPOINT, AZURE_OPENAI_API_KEY and, where
    the default is not wanted, AZURE_OPENAI_VERSION. RINGTRUE_PRICES names a table of prices. An `api_key` wins.
    """
    require_provider(provider)
    settings = {"prices": Prices.from_env(), **settings}
    key = settings.pop("api_key", None)
    if provider == "openai":
        return Endpoint.from_env(api_key=key, **settings)
    for missing in ("AZURE_OPENAI_ENDPOINT", "AZURE_OPENAI_API_KEY"):
        if not os.environ.get(missing) and not (key and missing.endswith("KEY")):
            raise ConfigurationError(f"provider 'azure_openai' needs {missing} in the environment", parameter=missing)
    return Endpoint(address_from_env(provider), key or os.environ["AZURE_OPENAI_API_KEY"], **settings)


def address_from_env(provider: Provider) -> str:
    """Return the address of a provider: a verdict depends on it, and it is known without a key."""
    if provider == "openai":
        return api_root(os.environ.get("OPENAI_BASE_URL") or OPENAI)
    address = os.environ.get("AZURE_OPENAI_ENDPOINT")
    if not address:
        return provider
    version = os.environ.get("AZURE_OPENAI_VERSION")
    return api_root(f"{address.rstrip('/')}/openai/v1{f'?api-version={version}' if version else ''}")
