"""`OpenAIProxy`: any OpenAI-compatible endpoint as a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.client.prices import Prices
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.models.client.urls import api_root
from ringtrue.models.model import Model
from ringtrue.models.reply import Reply
from ringtrue.records import Json, Output
from ringtrue.systems.chat import ChatSystem


class OpenAIProxy(ChatSystem):
    """An OpenAI-compatible endpoint, asked through `/v1/chat/completions`.

    Without `api_key` the key comes from OPENAI_API_KEY at the first call. `build_messages(example)` replaces the
    default messages: the system prompt, the context as a system message, the question as the user's.
    """

    def __init__(
        self,
        base_url: str,
        model: str = "gpt-3.5-turbo",
        name: str | None = None,
        api_key: str | None = None,
        system_prompt: str | None = None,
        build_messages: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None,
        timeout: float = 30.0,
        extra_body: Mapping[str, Json] | None = None,
        max_retries: int = 3,
        retry_base_delay: float = 1.0,
        *,
        max_in_flight: int = 64,
    ) -> None:
        self.root = api_root(base_url)
        self.take_name(name, f"openai_proxy_{self.root.partition('://')[2].partition('/')[0]}")
        self.model, self.system_prompt, self.build_messages = model, system_prompt, build_messages
        self.parameters = dict(extra_body or {})
        self.in_flight = max_in_flight
        self._endpoint: Endpoint | None = None
        self._settings: dict[str, Any] = {
            "api_key": api_key,
            "timeout_seconds": timeout,
            "retries": RetryPolicy(max_retries, base_seconds=retry_base_delay),
            "max_in_flight": max_in_flight,
        }

    def prepare(self) -> None:
        """Find the key, before the first call."""
        self._model()

    def allow_in_flight(self, count: int) -> None:
        """Allow `count` requests at once, if fewer were allowed."""
        self._settings["max_in_flight"] = max(count, self._settings["max_in_flight"])
        if self._endpoint is not None:
            self._endpoint.allow_in_flight(count)

    def has_price(self) -> bool:
        """Whether the cost of an answer will be known."""
        return Prices.from_env().knows(self.model, self.root)

    def cost_of(self, output: Output) -> float | None:
        """Return the cost of a stored answer by the prices known now; None if the model or its tokens have none."""
        reply = Reply(output.text, input_tokens=output.input_tokens, output_tokens=output.output_tokens)
        return self.endpoint().prices.cost(reply, self.model, self.root)

    def endpoint(self) -> Endpoint:
        """The endpoint that is asked, with its limiter."""
        if self._endpoint is None:
            self._endpoint = Endpoint.from_env(self.root, prices=Prices.from_env(), **self._settings)
        return self._endpoint

    async def close(self) -> None:
        """Close the connections."""
        if self._endpoint is not None:
            await self._endpoint.close()

    def _model(self) -> Model:
        return self.endpoint()
