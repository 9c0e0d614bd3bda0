"""`FunctionSystem`: a user's function or object as a system, and `as_system`: anything that answers."""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from ringtrue.dialects.coercion import output_text, seconds
from ringtrue.dialects.dicts import example
from ringtrue.dialects.suite import suite_case
from ringtrue.errors import ConfigurationError
from ringtrue.identity import name_of, origin
from ringtrue.records import Case, Output
from ringtrue.sync import in_thread
from ringtrue.systems.system import System


def as_system(obj: Any, *, name: str = "") -> System:
    """A system as it is, an object with `process`, or a function of the input.

    A function whose first parameter is called `messages`, `case` or `example` gets the conversation, the case or its
    dict.
    """
    if isinstance(obj, type):
        raise ConfigurationError(f"{obj.__name__} is a class; pass an object: {obj.__name__}(...)", value=obj)
    if isinstance(obj, System):
        return obj
    process = getattr(obj, "process", None)
    if callable(process):
        return FunctionSystem(name or name_of(obj), process, _by_example, obj)
    if callable(obj):
        return FunctionSystem(name or name_of(obj), obj, _calling(obj), obj)
    raise ConfigurationError(
        f"{obj!r} is not a system: pass a function, or an object with process(example)",
        parameter="systems",
        value=obj,
    )


Arguments = Callable[[Case, int], tuple[Any, ...]]


@dataclass(frozen=True)
class FunctionSystem:
    """A user's object or function, synchronous or not."""

    name: str
    function: Callable[..., Any]
    arguments: Arguments
    speaker: Any
    in_flight: int = 1
    case_seconds: float = 600.0

    async def answer(self, case: Case, repeat: int) -> Output:
        """What the user's code returns: text, a dict with a response, or an Output."""
        converse = getattr(self.speaker, "process_conversation", None)
        turns = case.fields.get("turns")
        if turns and case.fields.get("multi_turn") and callable(converse):
            return _conversed(await _called(converse, (_copied(turns),)))
        said = await _called(self.function, self.arguments(case, repeat))
        return as_output(said, example(case) if self.arguments is _by_example else None)

    def signature(self) -> str:
        """Where the code comes from and a hash of it."""
        return f"{self.name}={origin(self.speaker)}"

    def request_key(self, case: Case, repeat: int) -> str | None:
        """Code may change behind its signature: its answers serve the run they belong to and no other."""
        return None


async def _called(function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004
        return await function(*arguments)
    result = await in_thread(function, *arguments)
    return await result if isinstance(result, Awaitable) else result


def _copied(value: Any) -> Any:
    try:
        return deepcopy(value)
    except TypeError:  # a row may hold an open file or a lock
        return value


def _by_example(case: Case, repeat: int) -> tuple[Any, ...]:
    return (_copied(example(case)),)  # code that sorts the choices it was given must not sort the evaluator's


def _by_case(case: Case, repeat: int) -> tuple[Any, ...]:
    return (_copied(suite_case(case)),)


def _by_input(case: Case, repeat: int) -> tuple[Any, ...]:
    return (case.input,)


def _by_messages(case: Case, repeat: int) -> tuple[Any, ...]:
    said = case.messages or [{"role": "user", "content": case.input}]
    return ([dict(message) for message in said],)


def _calling(function: Callable[..., Any]) -> Arguments:
    try:
        names = list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        names = []
    first = names[0] if names else ""
    if first in ("example", "original", "row"):
        return _by_example
    if first == "messages":
        return _by_messages
    return _by_case if first == "case" else _by_input


def as_output(value: Any, given: Mapping[str, Any] | None = None) -> Output:
    """The output in what code returned; `given` is the example where it was given one to return."""
    if isinstance(value, Output):
        return value
    if isinstance(value, Mapping) and "response" in value:
        text, problem = output_text(value["response"])
        reported = value.get("api_usage")
        usage = reported if isinstance(reported, Mapping) else {}
        return Output(
            text,
            problem,
            latency_seconds=seconds(value.get("latency")),
            input_tokens=_count(usage.get("prompt_tokens")),
            output_tokens=_count(usage.get("completion_tokens")),
            fields=_changed(value, given),
        )
    if isinstance(value, Mapping) and given is not None:
        # As JSON it would hold the question and the gold answer.
        problem = "the system returned a dict without 'response'"
        return Output(problem=problem, fields=_changed(value, given))
    text, problem = output_text(value)
    return Output(text, problem)


def _changed(value: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    known = given or {}
    return {
        name: found for name, found in value.items() if name != "response" and not _equal(found, known.get(name, ...))
    }


def _equal(found: Any, given: Any) -> bool:
    try:
        return bool(found == given)
    except Exception:  # an array has no single answer
        return False


def _conversed(messages: Any) -> Output:
    if not isinstance(messages, (list, tuple)):
        return Output(problem=f"process_conversation returned {type(messages).__name__}, not a list of messages")
    contents = [message.get("content") for message in messages if isinstance(message, Mapping)]
    text, problem = output_text(contents[-1] if contents else "")
    return Output(text, problem, messages=tuple(messages))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
