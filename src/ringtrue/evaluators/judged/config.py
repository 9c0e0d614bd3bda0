"""`BaseEvaluatorConfig`: what every documented evaluation can be told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ringtrue.evaluators.check import is_number, require
from ringtrue.models.client.providers import Provider, require_provider
from ringtrue.models.client.urls import api_root


@dataclass(frozen=True, kw_only=True)
class BaseEvaluatorConfig:
    """Who is asked: a provider whose address and key are in the environment, and the name of a model, any name.

    `base_url` is another address. `timeout` is how many seconds one attempt may take: 600, or 1,200 with a high effort,
    unless given.
    """

    provider: Provider = "openai"
    model: str = "gpt-5"
    base_url: str = ""
    timeout: float | None = None

    def __post_init__(self) -> None:
        require_provider(self.provider)
        require(
            self.timeout is None or (is_number(self.timeout) and self.timeout > 0),
            f"timeout must be a number above 0; got {self.timeout!r}",
            parameter="timeout",
            value=self.timeout,
        )
        if self.base_url:
            object.__setattr__(self, "base_url", api_root(self.base_url))
        named = isinstance(self.model, str) and bool(self.model.strip())
        require(named, f"model must be a name; got {self.model!r}", parameter="model", value=self.model)


def require_percent(name: str, value: object) -> None:
    """Raise a ConfigurationError unless a setting is a number from 0 to 100."""
    holds = is_number(value) and 0 <= float(value) <= 100  # type: ignore[arg-type]
    require(holds, f"{name} must be a number from 0 to 100; got {value!r}", parameter=name, value=value)


def require_share(name: str, value: object) -> None:
    """Raise a ConfigurationError unless a setting is a number from 0 to 1."""
    holds = is_number(value) and 0 <= float(value) <= 1  # type: ignore[arg-type]
    require(holds, f"{name} must lie in [0, 1]; got {value!r}", parameter=name, value=value)


def require_count(name: str, value: object, *, least: int = 1) -> None:
    """Raise a ConfigurationError unless a setting is a whole number of at least this much."""
    holds = isinstance(value, int) and not isinstance(value, bool) and value >= least
    require(holds, f"{name} must be a whole number, {least} or more; got {value!r}", parameter=name, value=value)


def require_text(**values: object) -> None:
    """Raise a ConfigurationError unless each of these settings is text that says something."""
    for name, value in values.items():
        holds = isinstance(value, str) and bool(value.strip())
        require(holds, f"{name} must be text that says something; got {value!r}", parameter=name, value=value)


def require_texts(name: str, value: object) -> None:
    """Raise a ConfigurationError unless a setting is a list of texts with something in them."""
    listed = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    holds = listed and all(isinstance(item, str) and item.strip() for item in value)  # type: ignore[attr-defined]
    require(holds, f"{name} must be a list of texts; got {value!r}", parameter=name, value=value)
