"""`OpenAIProxy` with its documented key, usage and error texts."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from context_bench._urlopen import UrlopenEndpoint
from ringtrue.errors import ModelError
from ringtrue.models import Model, Prices
from ringtrue.records import Case, Json
from ringtrue.systems.openai_proxy import OpenAIProxy as NativeOpenAIProxy


class ProxyError(ModelError, RuntimeError):
    """The endpoint gave no usable reply; the text starts with the documented words."""

    @classmethod
    def of(cls, error: ModelError) -> ProxyError:
        """An error in this dialect."""
        return cls(f"{_words(error)}: {error}", kind=error.kind, status=error.status, attempts=error.attempts)


class OpenAIProxy(NativeOpenAIProxy):
    """Asks `/v1/chat/completions` of an endpoint; the key is the argument or what OPENAI_API_KEY is when it is made."""

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
    ) -> None:
        key = api_key or os.environ.get("OPENAI_API_KEY")
        rest = (system_prompt, build_messages, timeout, extra_body, max_retries, retry_base_delay)
        super().__init__(base_url, model, name, key, *rest)

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        """The example with its `response` and, where the endpoint reports it, `api_usage`."""
        try:
            processed = super().process(example)
        except ModelError as error:
            raise ProxyError.of(error) from None
        usage = {name: count for name, count in processed.pop("api_usage").items() if count is not None}
        if usage:
            processed["api_usage"] = {**usage, "total_tokens": sum(usage.values())}
        return processed

    def process_conversation(self, turns: Sequence[Mapping[str, Json]]) -> list[dict[str, Any]]:
        """The assistant's messages, one for each given turn."""
        try:
            return super().process_conversation(turns)
        except ModelError as error:
            raise ProxyError.of(error) from None

    def _messages(self, example: dict[str, Any]) -> list[dict[str, Any]]:
        return self.messages(Case(fields=example))

    def _model(self) -> Model:
        if self._endpoint is None:
            self._endpoint = UrlopenEndpoint(self.root, prices=Prices.from_env(), **self._settings)
        return self._endpoint


def _words(error: ModelError) -> str:
    """Return the documented error text of an error."""
    if error.status is not None:
        return f"HTTP {error.status}"
    if error.kind in ("connection", "timeout"):
        return "Could not connect" if error.kind == "connection" else "Timed out"
    if "not a JSON object" in str(error) or "HTML" in str(error) or "empty body" in str(error):
        return "The endpoint sent invalid JSON"
    return "The endpoint sent empty choices" if "empty list of choices" in str(error) else "Unexpected response"
