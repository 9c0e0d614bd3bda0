"""`ManualTracer`: an agent that says itself what it does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from multivon_eval.case import AgentStep, ToolCall
from multivon_eval.integrations.base import AgentTracer, ModelFunction


class ManualTracer(AgentTracer):
    """Steps that the agent records itself, in a block of `step` each."""

    def instrument(self, fn: ModelFunction) -> ModelFunction:
        """The function itself."""
        return fn

    def get_trace(self) -> list[AgentStep]:
        """The recorded steps."""
        return list(self._steps)

    @contextmanager
    def step(self, thought: str = "") -> Iterator[StepRecorder]:
        """A step that is recorded when its block ends, however it ends."""
        recorder = StepRecorder(thought)
        try:
            yield recorder
        finally:
            self._steps.append(recorder.step)

    def record_tool_call(self, name: str, arguments: dict[str, Any] | None = None, result: Any = None) -> None:
        """Record a call as a step of its own."""
        with self.step() as step:
            step.record_tool_call(name, arguments, result)

    def record_output(self, output: str) -> None:
        """Record what was said as a step of its own."""
        with self.step() as step:
            step.set_output(output)


class StepRecorder:
    """One step while it happens."""

    def __init__(self, thought: str = "") -> None:
        self.step = AgentStep(thought)

    def record_tool_call(self, name: str, arguments: dict[str, Any] | None = None, result: Any = None) -> None:
        """Record a call of this step."""
        self.step.tool_calls.append(ToolCall(name, arguments or {}, result))

    def set_output(self, output: str) -> None:
        """Say what came of the step."""
        self.step.output = output
