"""`Recording`: LangChain's callbacks as steps; `RecordingTracer`: a tracer whose handlers are recordings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multivon_eval.case import AgentStep, ToolCall
from multivon_eval.integrations.base import CallbackTracer
from multivon_eval.values import part, required, shown


class Recording:
    """The steps of one call of an agent; a call of a tool belongs to the step that is open when it starts."""

    steps: list[AgentStep]
    open: AgentStep | None
    pending: dict[Any, ToolCall]

    def begin(self) -> None:
        """Nothing is recorded yet."""
        self.steps, self.open, self.pending = [], None, {}

    def trace(self) -> list[AgentStep]:
        """The steps so far, the open one included; a step in which nothing happened is none."""
        steps = [*self.steps, *([self.open] if self.open else [])]
        return [step for step in steps if step.thought or step.tool_calls or step.output]

    def next_step(self, thought: str = "") -> AgentStep:
        """Close the open step and open another."""
        self.close()
        self.open = AgentStep(thought)
        return self.open

    def current(self) -> AgentStep:
        """The open step; there is one after this."""
        return self.open or self.next_step()

    def close(self) -> None:
        """End the open step, if there is one."""
        self.steps, self.open = self.trace(), None

    def on_tool_start(
        self, serialized: Any, input_str: Any, *, run_id: Any = None, inputs: Any = None, **kwargs: Any
    ) -> None:
        """A tool is called; `inputs` are its arguments, where the framework's version tells them."""
        name = part(serialized or {}, "name") or kwargs.get("name") or "unknown_tool"
        call = ToolCall(str(name), dict(inputs) if isinstance(inputs, Mapping) else self.arguments(input_str))
        self.pending[run_id] = call
        self.current().tool_calls.append(call)

    def on_tool_end(self, output: Any, *, run_id: Any = None, **kwargs: Any) -> None:
        """The tool has answered."""
        self._answered(run_id, shown(output))

    def on_tool_error(self, error: Any, *, run_id: Any = None, **kwargs: Any) -> None:
        """The tool has failed."""
        self._answered(run_id, f"[ERROR: {type(error).__name__}: {error}]")

    def arguments(self, given: Any) -> dict[str, Any]:
        """What a tool was called with."""
        return {"input": given}

    def _answered(self, run_id: Any, result: str) -> None:
        call = self.pending.pop(run_id, None)
        if call is not None:
            call.result = result


class RecordingTracer(CallbackTracer):
    """A tracer whose handlers are recordings; a handler from before a reset is no longer read."""

    recording: type[Recording]

    def __init__(self) -> None:
        super().__init__()
        self._live: list[Recording] = []

    def _build_handler(self) -> Any:
        callbacks = required("langchain_core.callbacks", type(self).__name__, "langchain-core")
        handler = type("Handler", (self.recording, callbacks.BaseCallbackHandler), {})()
        handler.begin()
        self._live.append(handler)
        return handler

    def get_trace(self) -> list[AgentStep]:
        """The steps of every handler since the reset."""
        return [*self._steps, *(step for recording in self._live for step in recording.trace())]

    def reset(self) -> None:
        """Forget the steps and the handlers."""
        super().reset()
        self._live = []
