"""`ToolCallAccuracy`: an agent called the tools it should."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Evaluator


class ToolCallAccuracy(Evaluator):
    """The share of expected tools that the trace calls, in order if asked; unexpected ones count only if asked.

    In order: how many of the expected calls are met, from the first on, as the trace goes by.
    """

    name = "tool_call_accuracy"

    def __init__(
        self, require_order: bool = False, threshold: float = 0.7, *, penalize_unexpected: bool = False
    ) -> None:
        super().__init__(threshold)
        self.require_order, self.penalize_unexpected = require_order, penalize_unexpected

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        """The share of the expected tools that were called."""
        expected = case.expected_tool_calls
        if expected is None:
            return self._skipped("expected_tool_calls is not given; [] says that no tool is to be called")
        if case.agent_trace is None:
            return self._skipped("agent_trace is not given; [] is a trace without calls")
        called = [str(_part(call, "name")) for step in case.agent_trace for call in _part(step, "tool_calls") or ()]
        missing = sorted(set(expected) - set(called))
        unexpected = [name for name in called if name not in expected]
        lines = [f"Called: {called}", f"Expected: {list(expected)}"]
        lines += [f"Missing tools: {missing}"] if missing else []
        counted = " (strict mode: they count against the score)" if self.penalize_unexpected else ""
        lines += [f"Unexpected tools: {sorted(set(unexpected))}{counted}"] if unexpected else []
        return self._result(self._share(expected, called, len(unexpected)), "\n".join(lines))

    def _share(self, expected: Sequence[str], called: Sequence[str], unexpected: int) -> float:
        if not expected:
            return float(not called)
        if self.require_order:
            return _met_in_order(expected, called) / (len(expected) + unexpected * self.penalize_unexpected)
        whole = set(expected) | (set(called) if self.penalize_unexpected else set())
        return len(set(expected) & set(called)) / len(whole)


def _met_in_order(expected: Sequence[str], called: Sequence[str]) -> int:
    met = 0
    for name in called:
        met += met < len(expected) and name == expected[met]
    return met


def _part(value: Any, name: str) -> Any:
    """An attribute of a step or call, or the value under a key where it is a dict."""
    return value.get(name) if isinstance(value, dict) else getattr(value, name, None)
