"""`ChatSystem`: a model as a system: what it is sent for a case, and what of the reply is kept."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from ringtrue.dialects.dicts import example
from ringtrue.dialects.fields import ASSISTANTS, DEFAULT
from ringtrue.errors import ConfigurationError
from ringtrue.identity import NamedByClass, canonical_json, digest, origin
from ringtrue.models.model import Model
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.records import Case, Json, Output
from ringtrue.sync import run_sync
from ringtrue.systems.system import PreparedRequest
from ringtrue.systems.tool_conversation import ToolConversation

Message = Mapping[str, Json]


class ChatSystem(NamedByClass, ABC):
    """A system that asks a model; usage, cost, attempts and the latency of each request are recorded."""

    name: str
    in_flight: int
    root: str
    model: str
    parameters: dict[str, Json]
    system_prompt: str | None = None
    build_messages: Callable[[dict[str, Any]], list[dict[str, Any]]] | None = None

    @abstractmethod
    def _model(self) -> Model:
        """The model behind it."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.root!r}, model={self.model!r}, name={self.name!r})"

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """The endpoint's reply to a case; a conversation is asked turn by turn."""
        return await self.prepare_request(case, repeat).ask()

    def prepare_request(self, case: Case, repeat: int) -> PreparedRequest:
        """The exact request of a case; of a conversation, all that is given of it."""
        request = self.request(self.messages(case), repeat)
        turns = case.fields.get("turns")
        held = ToolConversation.of(case)
        if held is not None:
            return PreparedRequest(
                digest(f"{request.key(repeat)}{canonical_json(held)}"), partial(self._hold, held, repeat)
            )
        if case.fields.get("multi_turn") and isinstance(turns, Sequence) and turns:
            return PreparedRequest(request.key(repeat), partial(self._conversation, turns, repeat))
        return PreparedRequest(request.key(repeat), partial(self._reply, request))

    def process(self, example: dict[str, Any]) -> dict[str, Any]:
        """Answer an example: the example with its `response` and `api_usage`."""
        messages = DEFAULT.conversation(example)
        case = Case(fields=example, input=str(example.get("question") or ""), messages=messages)
        output = run_sync(self.answer(case))
        usage = {"prompt_tokens": output.input_tokens, "completion_tokens": output.output_tokens}
        return {**example, "response": output.text, "api_usage": usage}

    def process_conversation(self, turns: Sequence[Message]) -> list[dict[str, Any]]:
        """Answer each given turn: the assistant's messages."""
        said = run_sync(self._conversation(turns)).messages
        return [dict(message) for message in said if message.get("role") == "assistant"]

    def messages(self, case: Case) -> list[dict[str, Any]]:
        """Return the messages to send for a case."""
        found = example(case)
        if self.build_messages is not None:
            return self.build_messages(found)
        start: list[dict[str, Any]] = []
        if self.system_prompt:
            start.append({"role": "system", "content": self.system_prompt})
        if isinstance(found.get("turns"), Sequence) and found["turns"]:
            return [*start, *(dict(turn) for turn in found["turns"])]
        if case.messages:
            return [*start, *_conversation_of(case)]
        question, context = str(found.get("question") or case.input), str(found.get("context") or case.context)
        if not question and not context:
            raise ConfigurationError(f"the case {case.id!r} asks nothing: it has no question, no context and no turns")
        if context and question and context not in question:
            start.append({"role": "system", "content": context})
        return [*start, {"role": "user", "content": question or context}]

    def signature(self) -> str:
        """Endpoint, model, parameters, prompt: everything that decides what is sent, and nothing secret."""
        builder = origin(self.build_messages) if self.build_messages else None
        settings = [self.model, self.parameters, self.system_prompt, builder]
        return f"{self.name}={self.root}|{canonical_json(settings)}{self.code_of_subclass()}"

    def request(self, messages: Sequence[Message], repeat: int = 0) -> Request:
        """Return the request for a case."""
        return Request(self.root, self.model, tuple(messages), self.parameters)

    async def _reply(self, request: Request) -> Output:
        return _output([await self._model().ask(request)], ())

    async def _conversation(self, turns: Sequence[Message], repeat: int = 0) -> Output:
        history: list[Message] = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []
        replies: list[Reply] = []
        for turn in turns:
            history.append(dict(turn))
            replies.append(await self._model().ask(self.request(history, repeat)))
            history.append({"role": "assistant", "content": replies[-1].text})
        return _output(replies, tuple(history))

    async def _hold(self, held: ToolConversation, repeat: int) -> Output:
        """A conversation with tools; what is said before and after calls is in the output's messages."""
        history: list[Message] = [{"role": "system", "content": self.system_prompt}] if self.system_prompt else []

        async def ask(messages: Sequence[Message], tools: Sequence[Message]) -> Reply:
            request = self.request(messages, repeat)
            sent = {**request.parameters, "tools": list(tools)} if tools else request.parameters
            return await self._model().ask(replace(request, parameters=sent))

        return _output(await held.hold(ask, history), tuple(history))


def _conversation_of(case: Case) -> list[dict[str, Any]]:
    """The messages of a case as they are; after an answer of the assistant the case's input is the next question."""
    messages = [dict(message) for message in case.messages]
    if case.input and messages[-1].get("role") in ASSISTANTS:
        messages.append({"role": "user", "content": case.input})
    return messages


def _output(replies: Sequence[Reply], messages: tuple[Message, ...]) -> Output:
    last = replies[-1]
    return Output(
        last.text,
        messages=messages,
        tool_calls=tuple(last.tool_calls),
        latency_seconds=_sum([reply.latency_seconds for reply in replies]),
        input_tokens=_sum([reply.input_tokens for reply in replies]),
        output_tokens=_sum([reply.output_tokens for reply in replies]),
        cost=_sum([reply.cost for reply in replies]),
        calls=sum(reply.attempts for reply in replies),
    )


def _sum(values: Sequence[Any]) -> Any:
    return None if None in values else sum(values)
