"""`ToolCallAccuracy`: an agent called the tools it should."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import ClassVar

from multivon_eval.evaluators.base import Check, settable
from multivon_eval.steps import calls_of
from multivon_eval.values import part
from ringtrue.evaluators import check
from ringtrue.records import Score, Trial


@settable
@dataclass(frozen=True)
class ToolCallAccuracy(Check, check.Check):
    """The share of expected tools that the trace calls, in order if asked; unexpected ones count only if asked.

    In order: how many of the expected calls are met, from the first on, as the trace goes by.
    """

    default_name: ClassVar[str] = "tool_call_accuracy"
    parts: ClassVar[tuple[str, ...]] = ("tool_call_accuracy",)
    needs: ClassVar[str] = "`expected_tool_calls`, a list of names, and `agent_trace`"
    formula: ClassVar[str] = "expected tools called / expected tools; with penalize_unexpected, / all tools"

    require_order: bool = False
    threshold: float = 0.7
    penalize_unexpected: bool = field(default=False, kw_only=True)

    def grade(self, trial: Trial) -> Score:
        """The share of the expected tools that were called."""
        expected, trace = (trial.case.fields.get(name) for name in ("expected_tool_calls", "agent_trace"))
        if expected is None:
            return Score.skipped("expected_tool_calls is not given; [] says that no tool is to be called")
        if trace is None:
            return Score.skipped("agent_trace is not given; [] is a trace without calls")
        called = [str(part(call, "name")) for call in calls_of(trace)]
        missing = sorted(set(expected) - set(called))
        unexpected = [name for name in called if name not in expected]
        lines = [f"Called: {called}", f"Expected: {list(expected)}"]
        lines += [f"Missing tools: {missing}"] if missing else []
        counted = " (strict mode: they count against the score)" if self.penalize_unexpected else ""
        lines += [f"Unexpected tools: {sorted(set(unexpected))}{counted}"] if unexpected else []
        return self.verdict(self._share(list(expected), called, unexpected), "\n".join(lines))

    def _share(self, expected: list[str], called: list[str], unexpected: list[str]) -> float:
        if not expected:
            return float(not called)
        if self.require_order:
            extra = len(unexpected) if self.penalize_unexpected else 0
            return _in_order(expected, called) / (len(expected) + extra)
        whole = set(expected) | (set(called) if self.penalize_unexpected else set())
        return len(set(expected) & set(called)) / len(whole)


def _in_order(expected: Sequence[str], called: Sequence[str]) -> int:
    met = 0
    for name in called:
        met += met < len(expected) and name == expected[met]
    return met
