"""`BaseEvaluatorConfig`: what every documented evaluation can be told."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.models.client.providers import Provider, require_provider
from ringtrue.require import require_text


@dataclass(frozen=True, kw_only=True)
class BaseEvaluatorConfig:
    """Who is asked: a provider whose address and key are in the environment, and the name of a model, any name."""

    provider: Provider = "openai"
    model: str = "gpt-5"

    def __post_init__(self) -> None:
        require_provider(self.provider)
        require_text("model", self.model)
