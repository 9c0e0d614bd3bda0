"""`LiteLLMPricer`: what a captured request cost by litellm's own table and rules; what they do not cover is unknown."""

from __future__ import annotations

import os
from collections.abc import Mapping
from copy import deepcopy
from importlib.metadata import PackageNotFoundError, version
from typing import Any
from urllib.parse import urlsplit

from ringtrue.reports.canonical import digest

from multivon_eval.values import required

__all__ = ["LiteLLMPricer"]

LOCAL = "LITELLM_LOCAL_MODEL_COST_MAP"
_HOSTS = {"anthropic": "api.anthropic.com", "openai": "api.openai.com"}
_PATHS = ("/v1/messages", "/v1/chat/completions")
_PLAIN = {
    "service_tier": (None, "standard", "default"),
    "inference_geo": (None, "global", "not_available"),
    "speed": (None, "standard"),
}
"""What may be said of how a request was served without another price for it."""
_TOOLS = ("function", "custom", None)
_LIMITS = "an estimate by a table of list prices; discounts, taxes and what a provider rounds are not in it"


class LiteLLMPricer:
    """A `price_estimator` for `account_provider_events`: it asks nobody, and raises where a price is not certain.

    litellm must have been imported with LITELLM_LOCAL_MODEL_COST_MAP=True, so that its table is the one it ships.
    """

    def __init__(self, litellm: Any) -> None:
        if os.environ.get(LOCAL, "").lower() != "true":
            raise ValueError(f"set {LOCAL}=True before litellm is imported: else its prices come from the network")
        self._litellm, self._table = litellm, deepcopy(dict(litellm.model_cost))
        try:
            self._version = version("litellm")
        except PackageNotFoundError:
            self._version = str(getattr(litellm, "__version__", ""))

    def __call__(self, request_event: Mapping[str, Any], response_event: Mapping[str, Any]) -> dict[str, Any]:
        """The cost of a request in dollars, and whose price it is."""
        provider, asked = _asked(request_event)
        model = asked.get("model")
        entry = self._table.get(model) if isinstance(model, str) else None
        if not isinstance(model, str) or entry is None:
            raise ValueError(f"litellm has no price for the model {model!r}")
        if self._litellm.model_cost.get(model) != entry:
            raise ValueError(f"litellm's price for {model!r} was changed since")
        answer = (response_event["response"].get("body") or {}).get("value") or {}
        usage = answer["usage"] if "usage" in answer else response_event["response"].get("usage")
        _require_plain(asked, usage, answer)
        spent = self._litellm.ModelResponse(model=model, usage=self._usage(usage))
        cost = self._litellm.completion_cost(completion_response=spent, model=model, custom_llm_provider=provider)
        provenance = {
            "estimator": "litellm.completion_cost",
            "version": self._version,
            "catalog_key": model,
            "catalog_entry": entry,
            "catalog_digest": digest(entry),
            "request_model": model,
            "response_model": answer.get("model"),
            "limits": _LIMITS,
        }
        return {"cost_usd": cost, "provenance": provenance}

    def _usage(self, usage: Mapping[str, Any]) -> Any:
        """What a provider says of tokens, in litellm's words."""
        if "prompt_tokens" in usage:
            return self._litellm.Usage(**usage)
        module = required("litellm.llms.anthropic.chat.transformation", "LiteLLMPricer", "litellm")
        return module.AnthropicConfig().calculate_usage(usage_object=dict(usage), reasoning_content=None)


def _asked(event: Mapping[str, Any]) -> tuple[str, Mapping[str, Any]]:
    """The provider of a request and what was asked of it."""
    provider, request = event["provider"], event["request"]
    place = urlsplit(request["url"])
    if place.scheme != "https" or place.netloc != _HOSTS.get(provider) or place.path not in _PATHS:
        raise ValueError(f"prices are those of {', '.join(_HOSTS.values())}; this was asked at {request['url']!r}")
    body = (request.get("body") or {}).get("value")
    if not isinstance(body, Mapping):
        raise ValueError("what was asked was not kept")
    return provider, body


def _require_plain(asked: Mapping[str, Any], usage: Any, answer: Mapping[str, Any]) -> None:
    """Raise ValueError where something was used that has a price of its own."""
    if not isinstance(usage, Mapping) or not usage.keys() & {"prompt_tokens", "input_tokens"}:
        raise ValueError("the provider did not say what was used")
    for name, plain in _PLAIN.items():
        for told in (asked, usage, answer):
            if told.get(name) not in plain:
                raise ValueError(f"{name}={told.get(name)!r} may have a price of its own")
    if any(usage.get("server_tool_use") or ()) or any(
        tool.get("type") not in _TOOLS for tool in asked.get("tools") or ()
    ):
        raise ValueError("tools that the provider runs have prices of their own")
    if set(asked.get("modalities") or ("text",)) != {"text"}:
        raise ValueError("sounds and pictures have prices of their own")
