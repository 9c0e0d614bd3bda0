"""Models as functions of a suite: OpenAI's, Anthropic's, those that litellm knows, and what one makes oneself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from copy import copy
from importlib import import_module
from typing import Any, ClassVar, Self

from multivon_eval.case import EvalCase
from multivon_eval.judge import TIMEOUT, JudgeConfig
from multivon_eval.judge_endpoints import parameters, replied, takes_temperature
from multivon_eval.provider_evidence import provider_operation
from ringtrue.sync import run as run_blocking

__all__ = ["AnthropicAdapter", "LiteLLMAdapter", "ModelAdapter", "OpenAIAdapter"]

Messages = list[dict[str, Any]]

_RAG_SYSTEM_PREFIX = (
    "The context below is all you know. Answer from it and from nothing else; where it does not hold the answer, say "
    "that it does not."
)
_CLIENT_ONLY = ("extra_headers", "extra_query")


def context_block(context: str | Sequence[str | None] | None) -> str:
    """A case's context as a part of a system prompt, several chunks under numbers; empty where there is none."""
    if isinstance(context, str) or not context:
        return f"\n\nContext:\n{context}\n" if context else ""
    chunks = [f"[chunk {number}]\n{chunk}" for number, chunk in enumerate(context, 1) if chunk]
    return "\n\nContext:\n{}\n".format("\n\n".join(chunks))


class ModelAdapter(ABC):
    """A model as a function: an input in, an answer out."""

    @abstractmethod
    def __call__(self, input: str) -> str:
        """The answer to an input."""

    def with_system_prompt(self, prompt: str) -> Self:
        """The same adapter with another system prompt; an adapter of one's own says itself how."""
        raise NotImplementedError(f"{type(self).__name__} has no system prompt: define with_system_prompt in it")


class ChatAdapter(ModelAdapter):
    """A chat model; in a suite the context of a case is part of the system prompt.

    Where a subclass has a `__call__` of its own, a suite calls that.
    """

    provider: ClassVar[str] = "unknown"

    def __init__(
        self,
        model: str,
        *,
        client: Any = None,
        system_prompt: str = "",
        temperature: float = 0.0,
        max_tokens: int = 1024,
        **kwargs: Any,
    ) -> None:
        self.model = model
        self._client, self._system_prompt = client, system_prompt
        self._temperature, self._max_tokens, self._extra = temperature, max_tokens, kwargs

    def __call__(self, input: str) -> str:
        return self._observed(self._build_messages(input))

    def with_system_prompt(self, prompt: str) -> Self:
        """The same adapter with another system prompt; the client is shared."""
        if not isinstance(prompt, str):
            raise TypeError(f"a system prompt is text; got {type(prompt).__name__}")
        other = copy(self)
        other._system_prompt, other._extra = prompt, dict(self._extra)
        return other

    def _call_with_case(self, case: EvalCase) -> str:
        if type(self).__call__ is not ChatAdapter.__call__:
            return self(case.input)
        found = context_block(case.context)
        grounded = self
        if found:
            prompt = "\n\n".join(filter(None, (self._system_prompt, _RAG_SYSTEM_PREFIX + found)))
            grounded = self.with_system_prompt(prompt)
        return grounded._observed(grounded._build_messages(case.input))

    def _build_messages(self, input: str) -> Messages:
        system = [{"role": "system", "content": self._system_prompt}] if self._system_prompt else []
        return [*system, {"role": "user", "content": input}]

    def _observed(self, messages: Messages) -> str:
        with provider_operation(self.provider, "target", self.model):
            return self._ask(messages)

    @abstractmethod
    def _ask(self, messages: Messages) -> str:
        """The model's answer to messages."""

    def _asked_of(self, provider: str, messages: Messages) -> str:
        """The answer of a provider's endpoint, where no client was given to ask it."""
        if unknown := [name for name in _CLIENT_ONLY if name in self._extra]:
            raise ValueError(f"{unknown[0]} is an option of a client: pass client=")
        extra = dict(self._extra)
        timeout, body = extra.pop("timeout", None) or TIMEOUT, extra.pop("extra_body", None) or {}
        config = JudgeConfig(
            provider, self.model, temperature=self._temperature, max_tokens=self._max_tokens, timeout=timeout
        ).resolve()
        return run_blocking(replied(messages, config, {**parameters(config), **extra, **body})).text


class OpenAIAdapter(ChatAdapter):
    """A model of OpenAI, or of any endpoint that OPENAI_BASE_URL names; `client` is an `openai.OpenAI`."""

    provider = "openai"

    def __init__(self, model: str = "gpt-4o", **settings: Any) -> None:
        super().__init__(model, **settings)

    def _ask(self, messages: Messages) -> str:
        if self._client is None:
            return self._asked_of("openai", messages)
        response = self._client.chat.completions.create(
            model=self.model,
            messages=messages,
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            **self._extra,
        )
        return response.choices[0].message.content or ""


class LiteLLMAdapter(ChatAdapter):
    """Any model that litellm knows; `api_base`, `api_key` and other settings of it go there as they are."""

    provider = "litellm"

    def _ask(self, messages: Messages) -> str:
        try:
            litellm = import_module("litellm")
        except ImportError as error:
            raise ImportError("LiteLLMAdapter needs litellm: pip install litellm") from error
        client = {} if self._client is None else {"client": self._client}
        response = litellm.completion(
            model=self.model,
            messages=messages,
            temperature=self._temperature,
            max_tokens=self._max_tokens,
            **client,
            **self._extra,
        )
        return response.choices[0].message.content or ""


class AnthropicAdapter(ChatAdapter):
    """A model of Anthropic; `client` is an `anthropic.Anthropic`.

    Models that refuse a temperature are not given one.
    """

    provider = "anthropic"

    def __init__(self, model: str = "claude-haiku-4-5-20251001", **settings: Any) -> None:
        super().__init__(model, **settings)

    def _supports_temperature(self) -> bool:
        return takes_temperature(self.model)

    def _build_messages(self, input: str) -> Messages:
        return [{"role": "user", "content": input}]

    def _ask(self, messages: Messages) -> str:
        if self._client is None:
            system = [{"role": "system", "content": self._system_prompt}] if self._system_prompt else []
            return self._asked_of("anthropic", [*system, *messages])
        return self._client.messages.create(**self._build_kwargs(messages, self._system_prompt)).content[0].text or ""

    def _build_kwargs(self, messages: Messages, system: str = "") -> dict[str, Any]:
        given: dict[str, Any] = {"model": self.model, "messages": messages, "max_tokens": self._max_tokens}
        given |= self._extra
        if self._supports_temperature():
            # Newer versions of the package know no parameter of this name; the service does.
            given["extra_body"] = {**given.get("extra_body", {}), "temperature": self._temperature}
        return {**given, "system": system} if system else given


_format_context_block = context_block
