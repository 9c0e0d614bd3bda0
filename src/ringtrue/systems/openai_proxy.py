"""`OpenAIProxy`: any OpenAI-compatible endpoint as a system."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ringtrue.dialects.dicts import example
from ringtrue.dialects.origin import origin
from ringtrue.errors import ConfigurationError
from ringtrue.models.address import api_root
from ringtrue.models.blocking import run_blocking
from ringtrue.models.endpoint import Endpoint
from ringtrue.models.model import Model
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Case, Json, Output

Message = Mapping[str, Json]


class OpenAIProxy:
    """Asks `/v1/chat/completions` of an endpoint; usage, cost, attempts and the latency of the request are recorded.

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
        endpoint: Model | None = None,
    ) -> None:
        self.root = api_root(base_url)
        self.name = name or f"openai_proxy_{self.root.partition('://')[2].partition('/')[0]}"
        self.model, self.system_prompt, self.build_messages = model, system_prompt, build_messages
        self.parameters = dict(extra_body or {})
        self.in_flight = max_in_flight
        self._endpoint = endpoint
        self._settings: dict[str, Any] = {
            "api_key": api_key,
            "timeout_seconds": timeout,
            "max_retries": max_retries,
            "retry_base_seconds": retry_base_delay,
            "max_in_flight": max_in_flight,
        }

    def __repr__(self) -> str:
        return f"OpenAIProxy({self.root!r}, model={self.model!r}, name={self.name!r})"

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """The endpoint's reply to a case; a conversation is asked turn by turn."""
        turns = case.fields.get("turns")
        if case.fields.get("multi_turn") and isinstance(turns, Sequence) and turns:
            return await self._conversation(turns)
        return _output([await self._asked().ask(self._request(self.messages(case)))], ())

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        """The documented call: the example with its `response` and `api_usage`."""
        output = run_blocking(self.answer(Case(fields=example, input=str(example.get("question") or ""))))
        usage = {"prompt_tokens": output.input_tokens, "completion_tokens": output.output_tokens}
        return {**example, "response": output.text, "api_usage": usage}

    def process_conversation(self, turns: Sequence[Message]) -> list[dict[str, Any]]:
        """The documented call: the assistant's messages, one for each given turn."""
        said = run_blocking(self._conversation(turns)).messages
        return [dict(message) for message in said if message.get("role") == "assistant"]

    def messages(self, case: Case) -> list[dict[str, Any]]:
        """What is sent for a case."""
        found = example(case)
        if self.build_messages is not None:
            return self.build_messages(found)
        start: list[dict[str, Any]] = []
        if self.system_prompt:
            start.append({"role": "system", "content": self.system_prompt})
        if isinstance(found.get("turns"), Sequence) and found["turns"]:
            return [*start, *(dict(turn) for turn in found["turns"])]
        question, context = str(found.get("question") or case.input), str(found.get("context") or case.context)
        if not question and not context:
            raise ConfigurationError(f"the case {case.id!r} asks nothing: it has no question, no context and no turns")
        if context and question and context != question:
            start.append({"role": "system", "content": context})
        return [*start, {"role": "user", "content": question or context}]

    def signature(self) -> str:
        """Endpoint, model, parameters, prompt: everything that decides what is sent, and nothing secret."""
        builder = origin(self.build_messages) if self.build_messages else None
        return (
            f"{self.name}={self.root}|{self.model}|{sorted(self.parameters.items())!r}|{self.system_prompt!r}|{builder}"
        )

    def request_key(self, case: Case, repeat: int) -> str | None:
        """The identity of the exact request."""
        return self._request(self.messages(case)).key(repeat)

    def _request(self, messages: Sequence[Message]) -> Request:
        return Request(self.root, self.model, tuple(messages), self.parameters)

    def _asked(self) -> Model:
        if self._endpoint is None:
            self._endpoint = Endpoint(self.root, **self._settings)
        return self._endpoint

    async def _conversation(self, turns: Sequence[Message]) -> Output:
        history: list[Message] = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        replies: list[Reply] = []
        for turn in turns:
            history.append(dict(turn))
            replies.append(await self._asked().ask(self._request(history)))
            history.append({"role": "assistant", "content": replies[-1].text})
        return _output(replies, tuple(history))


def _output(replies: Sequence[Reply], messages: tuple[Message, ...]) -> Output:
    last = replies[-1]
    return Output(
        last.text,
        messages=messages,
        tool_calls=tuple(last.tool_calls),
        latency_seconds=sum(reply.latency_seconds for reply in replies),
        input_tokens=_sum([reply.input_tokens for reply in replies]),
        output_tokens=_sum([reply.output_tokens for reply in replies]),
        cost=_sum([reply.cost for reply in replies]),
        calls=sum(reply.attempts for reply in replies),
    )


def _sum(values: Sequence[Any]) -> Any:
    return None if any(value is None for value in values) else sum(values)
