"""`FunctionSystem`: a user's function or object as a system, and `as_system`: anything that answers."""

from __future__ import annotations

import inspect
import time
from collections.abc import Awaitable, Callable, Mapping
from copy import deepcopy
from dataclasses import dataclass, replace
from typing import Any

from ringtrue.dialects.coercion import is_absent, output_text, seconds
from ringtrue.dialects.dicts import NO_RESPONSE, example
from ringtrue.dialects.suite import suite_case
from ringtrue.errors import ConfigurationError
from ringtrue.identity import name_of, origin, overridden_method
from ringtrue.records import Case, Output
from ringtrue.sync import in_caller_thread
from ringtrue.systems.questions import asks_something
from ringtrue.systems.system import System

ASYNC_IN_FLIGHT = 16
"""Cases that an asynchronous function gets at once; a plain one gets one, so that its latency is its own."""


def as_system(obj: Any, *, name: str = "") -> System:
    """Turn a function, or an object with `process`, into a system.

    A function gets the input, or, if its first parameter is named `messages`, `case` or `example`, the conversation,
    the case or a dict.
    """
    if isinstance(obj, type):
        raise ConfigurationError(f"{obj.__name__} is a class; pass an object: {obj.__name__}(...)", value=obj)
    process = getattr(obj, "process", None)
    if isinstance(obj, System):
        if overridden_method(obj, "answer", "messages", "request", "process") != "process":
            return obj
        return replace(_function_system(name or obj.name, process, _by_example, obj), in_flight=obj.in_flight)  # type: ignore[arg-type]
    if callable(process):
        return _function_system(name or name_of(obj), process, _by_example, obj)
    if callable(obj):
        return _function_system(name or name_of(obj), obj, _calling(obj), obj)
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

    @property
    def reads_rows(self) -> bool:
        """Whether the code is given the whole row, and may ask by names of its own."""
        return self.arguments in (_by_example, _by_case)

    async def answer(self, case: Case, repeat: int) -> Output:
        """Return the answer of the user's code: text, a dict with a response, or an Output."""
        converse = getattr(self.speaker, "process_conversation", None)
        turns = case.fields.get("turns")
        if turns and case.fields.get("multi_turn") and callable(converse):
            said, spent = await _call(converse, (_copy(turns),))
            return replace(_conversation_output(said), latency_seconds=spent)
        if not self.reads_rows and case.fields and not asks_something(case):
            raise ConfigurationError(f"the case {case.id!r} asks nothing: it has no question, no context and no turns")
        said, spent = await _call(self.function, self.arguments(case, repeat))
        output = as_output(said, example(case) if self.arguments is _by_example else None)
        return output if output.latency_seconds is not None else replace(output, latency_seconds=spent)

    def signature(self) -> str:
        """The origin of the code and a hash of it."""
        return f"{self.name}={origin(self.speaker)}"


def _function_system(name: str, function: Callable[..., Any], arguments: Arguments, speaker: Any) -> FunctionSystem:
    return FunctionSystem(name, function, arguments, speaker, ASYNC_IN_FLIGHT if is_async(function) else 1)


def is_async(function: Any) -> bool:
    """Whether calling something gives a coroutine."""
    return inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None))  # noqa: B004


async def _call(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, float]:
    """Return a function's result, and its seconds alone: no wait for a thread is in them."""
    if is_async(function):
        started = time.monotonic()
        return await function(*arguments), time.monotonic() - started
    result, spent = await in_caller_thread(_call_timed, function, arguments)
    if isinstance(result, Awaitable):
        started = time.monotonic()
        return await result, spent + time.monotonic() - started
    return result, spent


def _call_timed(function: Callable[..., Any], arguments: tuple[Any, ...]) -> tuple[Any, float]:
    started = time.monotonic()
    return function(*arguments), time.monotonic() - started


def _copy(value: Any) -> Any:
    try:
        return deepcopy(value)
    except TypeError:  # a row may hold an open file or a lock
        return value


def _by_example(case: Case, repeat: int) -> tuple[Any, ...]:
    return (_copy(example(case)),)  # code that sorts the choices it was given must not sort the evaluator's


def _by_case(case: Case, repeat: int) -> tuple[Any, ...]:
    return (_copy(suite_case(case)),)


def _by_input(case: Case, repeat: int) -> tuple[Any, ...]:
    return (case.input or case.context,)


def _by_messages(case: Case, repeat: int) -> tuple[Any, ...]:
    said = case.messages or case.fields.get("turns") or [{"role": "user", "content": case.input}]
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
    """Turn what code returned (text, a dict with `response`, an Output, or None for no answer) into an Output.

    Anything else is a failure, because its text would be scored as if it were an answer. `given` is the example where
    the code was given one to return.
    """
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
            fields=_changed_fields(value, given),
        )
    if isinstance(value, Mapping) and given is not None:
        # As JSON it would hold the question and the gold answer.
        return Output(problem=NO_RESPONSE, fields=_changed_fields(value, given))
    if isinstance(value, str) or is_absent(value):
        text, problem = output_text(value)
        return Output(text, problem)
    kind = type(value).__name__
    also = f" with {', '.join(map(repr, list(value)[:5]))}" if isinstance(value, Mapping) and value else ""
    return Output(problem=f"the system returned {kind}{also}, not text or a dict with 'response'")


def _changed_fields(value: Mapping[str, Any], given: Mapping[str, Any] | None) -> dict[str, Any]:
    known = given or {}
    changed = {
        name: found for name, found in value.items() if name != "response" and not _equal(found, known.get(name, ...))
    }
    return {**changed, **{name: None for name in known if name not in value}}


def _equal(found: Any, given: Any) -> bool:
    try:
        return bool(found == given)
    except Exception:  # an array has no single answer
        return False


def _conversation_output(messages: Any) -> Output:
    if not isinstance(messages, (list, tuple)):
        return Output(problem=f"process_conversation returned {type(messages).__name__}, not a list of messages")
    contents = [message.get("content") for message in messages if isinstance(message, Mapping)]
    text, problem = output_text(contents[-1] if contents else "")
    return Output(text, problem, messages=tuple(messages))


def _count(value: Any) -> int | None:
    return value if isinstance(value, int) and not isinstance(value, bool) and value >= 0 else None
