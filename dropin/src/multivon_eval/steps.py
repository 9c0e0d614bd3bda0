"""The steps of an agent in lines, for people and for judges."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from multivon_eval.values import part, shown


def call_text(call: Any) -> str:
    """A call with its arguments."""
    return f"{part(call, 'name')}({shown(part(call, 'arguments') or {})})"


def python_call(call: Any) -> str:
    """A call with its arguments, as Python writes it."""
    given = part(call, "arguments") or {}
    named = [f"{name}={value!r}" for name, value in given.items()] if isinstance(given, dict) else [repr(given)]
    return f"{part(call, 'name')}({', '.join(named)})"


def steps_text(
    steps: Sequence[Any], called: Callable[[Any], str] = call_text, value: Callable[[Any], str] = shown
) -> str:
    """Every step whole: what was thought, called, answered and said."""
    numbered = enumerate(steps, 1)
    return "\n".join(line for number, step in numbered for line in (f"Step {number}:", *_lines(step, called, value)))


def calls_of(steps: Sequence[Any]) -> list[Any]:
    """The calls of all steps, in order."""
    return [call for step in steps for call in part(step, "tool_calls") or ()]


def _lines(step: Any, called: Callable[[Any], str], value: Callable[[Any], str]) -> Iterator[str]:
    if thought := part(step, "thought"):
        yield f"  thought: {thought}"
    for call in calls_of([step]):
        result = part(call, "result")
        yield f"  → {called(call)}"
        yield "    (no result)" if result is None else f"    = {value(result)}"
    if output := part(step, "output"):
        yield f"  output: {output}"
