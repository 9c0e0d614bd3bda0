"""The steps of an agent in lines, for people and for judges."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from multivon_eval.values import part, shown


def steps_text(steps: Sequence[Any]) -> str:
    """Every step whole: what was thought, called, answered and said."""
    return "\n".join(line for number, step in enumerate(steps, 1) for line in (f"Step {number}:", *_lines(step)))


def call_text(call: Any) -> str:
    """A call with its arguments."""
    return f"{part(call, 'name')}({shown(part(call, 'arguments') or {})})"


def calls_of(steps: Sequence[Any]) -> list[Any]:
    """The calls of all steps, in order."""
    return [call for step in steps for call in part(step, "tool_calls") or ()]


def _lines(step: Any) -> Iterator[str]:
    if thought := part(step, "thought"):
        yield f"  thought: {thought}"
    for call in calls_of([step]):
        result = part(call, "result")
        yield f"  → {call_text(call)}"
        yield "    (no result)" if result is None else f"    = {shown(result)}"
    if output := part(step, "output"):
        yield f"  output: {output}"
