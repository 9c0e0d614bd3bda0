"""`ToolConversation`: given turns of a user, in which a model calls functions of a simulated environment."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from typing import Protocol

from ringtrue.errors import ConfigurationError
from ringtrue.models.reply import Reply
from ringtrue.records import Case, Json
from ringtrue.scoring.tool_calls.read_calls import ToolCall
from ringtrue.scoring.tool_calls.steps import calls_of, written_call

Message = Mapping[str, Json]
Tools = Sequence[Mapping[str, Json]]

ENVIRONMENTS = {"bfcl": "ringtrue.scoring.tool_calls.bfcl_services:BfclServices"}
"""The name of an environment, and the class that is given the rest of a case's `environment`."""
MAX_STEPS = 20


class Environment(Protocol):
    """The simulated services that carry out calls; they keep what calls changed until the conversation ends."""

    def call(self, call: ToolCall) -> str: ...


@dataclass(frozen=True)
class ToolConversation:
    """The fields of a case that describe a conversation with tools.

    After each turn of the user the model is asked again until it makes no more calls; one that makes them in more than
    `max_steps` steps of a turn ends the conversation there. `tools` are sent with every request, those in `added_tools`
    from their turn on. With `in_text` there are no tools: calls are written in the reply, and their results are sent
    as the user's message.
    """

    turns: Sequence[Message]
    environment: Mapping[str, Json]
    tools: Tools = ()
    added_tools: Mapping[str, Tools] = field(default_factory=dict)
    in_text: bool = False
    max_steps: int = MAX_STEPS

    @classmethod
    def of(cls, case: Case) -> ToolConversation | None:
        """The conversation a case is, if its calls have an environment."""
        fields = case.fields
        turns, environment = fields.get("turns"), fields.get("environment")
        if not isinstance(environment, Mapping) or not isinstance(turns, Sequence):
            return None
        given = {name: fields[name] for name in ("tools", "added_tools", "max_steps") if fields.get(name)}
        return cls(turns, environment, in_text=fields.get("calls_in") == "text", **given)

    async def hold(
        self, ask: Callable[[Sequence[Message], Tools], Awaitable[Reply]], history: list[Message]
    ) -> list[Reply]:
        """The replies of the model, in order; `history` grows by all that is said."""
        environment = self._open_environment()
        replies: list[Reply] = []
        tools = list(self.tools)
        asked = 0
        for turn in self.turns:
            history.append(dict(turn))
            if turn.get("role") != "user":
                continue
            tools += self.added_tools.get(str(asked), ())
            asked += 1
            for _ in range(self.max_steps + 1):
                replies.append(await ask(history, tools))
                said = _assistant_message(replies[-1])
                history.append(said)
                calls = calls_of(said, in_text=self.in_text)
                if not calls:
                    break
                results = [environment.call(call) for call in calls]
                history += self._results(said, calls, results)
            else:
                break
        return replies

    def _results(self, said: Message, calls: Iterable[ToolCall], results: Iterable[str]) -> list[Message]:
        if not self.in_text:
            ids = [str(call.get("id") or "") for call in said["tool_calls"]]
            return [
                {"role": "tool", "tool_call_id": own, "content": text} for own, text in zip(ids, results, strict=False)
            ]
        tool_results = [
            {"role": "tool", "name": written_call(call), "content": text}
            for call, text in zip(calls, results, strict=True)
        ]
        return [{"role": "user", "content": repr(tool_results)}]

    def _open_environment(self) -> Environment:
        name = str(self.environment.get("name"))
        if name not in ENVIRONMENTS:
            raise ConfigurationError(
                f"no environment named {name!r}; there is {', '.join(ENVIRONMENTS)}",
                parameter="environment",
                value=name,
            )
        module, _, own = ENVIRONMENTS[name].partition(":")
        rest = {key: value for key, value in self.environment.items() if key != "name"}
        opened: Environment = getattr(import_module(module), own)(**rest)
        return opened


def _assistant_message(reply: Reply) -> Message:
    said: dict[str, Json] = {"role": "assistant", "content": reply.text}
    return {**said, "tool_calls": [dict(call) for call in reply.tool_calls]} if reply.tool_calls else said
