"""`BaseEvaluatorConfig`: the settings of every transcript evaluation."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.models.client.providers import Provider, require_provider
from ringtrue.models.client.urls import api_root
from ringtrue.require import require_number, require_text


@dataclass(frozen=True, kw_only=True)
class BaseEvaluatorConfig:
    """The model of a judge: a provider, whose URL and key come from the environment, and the name of a model.

    `base_url` is another URL. `timeout` is the time limit of one attempt in seconds: by default 600, or 1,200 with
    high reasoning effort.
    """

    provider: Provider = "openai"
    model: str = "gpt-5"
    base_url: str = ""
    timeout: float | None = None

    def __post_init__(self) -> None:
        require_provider(self.provider)
        if self.timeout is not None:
            require_number("timeout", self.timeout, above=0)
        if self.base_url:
            object.__setattr__(self, "base_url", api_root(self.base_url))
        require_text("model", self.model)
