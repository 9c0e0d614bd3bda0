"""`OpenAIAgentsTracer`: the steps of a run of the OpenAI Agents SDK, after it or while it happens."""

from __future__ import annotations

from typing import Any

from multivon_eval.case import AgentStep, ToolCall
from multivon_eval.integrations.base import AgentTracer, ModelFunction
from multivon_eval.values import arguments, part, required, shown, texts

_SAID = ("MessageOutputItem", "ReasoningItem")
_NOTED = {
    "HandoffCallItem": "handoff: HandoffCallItem",
    "HandoffOutputItem": "handoff: HandoffOutputItem",
    **{
        name: name
        for name in (
            "CodeInterpreterCallItem", "CompactionItem", "ComputerCallItem", "ComputerCallOutputItem",
            "ImageGenerationCallItem", "LocalShellCallItem", "MCPApprovalRequestItem", "MCPApprovalResponseItem",
            "MCPListToolsItem", "ToolApprovalItem", "ToolSearchCallItem", "ToolSearchOutputItem",
        )
    },
}  # fmt: skip
"""Items that have no place in a step -> the note that says they were there."""


class OpenAIAgentsTracer(AgentTracer):
    """Steps of finished runs (`capture(result)`) or of hooks that went along with them (`run_hooks`, then `merge`)."""

    def instrument(self, fn: ModelFunction) -> ModelFunction:
        """The function, with a reset before each call; it calls `capture` or `merge` itself."""

        def called(input_text: str, **kwargs: Any) -> str:
            self.reset()
            return fn(input_text, **kwargs)

        return called

    def get_trace(self) -> list[AgentStep]:
        """The steps so far."""
        return list(self._steps)

    def capture(self, run_result: Any) -> None:
        """Add the steps of a finished run."""
        self._steps.extend(steps_of(part(run_result, "new_items") or ()))

    def run_hooks(self) -> Any:
        """Hooks for one run, with steps of their own."""
        lifecycle = required("agents.lifecycle", "OpenAIAgentsTracer.run_hooks", "openai-agents")
        hooks = type("Hooks", (RunRecording, lifecycle.RunHooksBase), {})()
        hooks.steps, hooks.pending = [], {}
        return hooks

    def merge(self, hooks: Any) -> None:
        """Move the steps of hooks here; what was moved is not moved again."""
        moved = list(part(hooks, "steps") or ())
        if moved:
            self._steps.extend(moved)
            hooks.steps = []


class RunRecording:
    """The SDK's hooks as steps, one for each time a model is asked."""

    steps: list[AgentStep]
    pending: dict[Any, ToolCall]

    async def on_llm_start(self, context: Any, agent: Any, system_prompt: Any = None, input_items: Any = None) -> None:
        """A model is asked."""
        self.steps.append(AgentStep())

    async def on_llm_end(self, context: Any, agent: Any, response: Any) -> None:
        """The model has answered."""
        text = _response_text(response)
        if text:
            step = self._current()
            step.thought = step.output = text

    async def on_tool_start(self, context: Any, agent: Any, tool: Any) -> None:
        """A tool is called."""
        name = part(context, "tool_name") or part(tool, "name") or part(tool, "__name__") or "tool"
        given = part(context, "tool_arguments") or part(part(context, "last_tool_call"), "arguments")
        call = ToolCall(str(name), arguments(given))
        self.pending[_call_id(context, tool)] = call
        self._current().tool_calls.append(call)

    async def on_tool_end(self, context: Any, agent: Any, tool: Any, result: Any) -> None:
        """The tool has answered; some versions say only now that it was called."""
        if _call_id(context, tool) not in self.pending:
            await self.on_tool_start(context, agent, tool)
        self.pending.pop(_call_id(context, tool)).result = shown(result)

    async def on_agent_end(self, context: Any, agent: Any, output: Any) -> None:
        """The agent has answered."""
        if self.steps and not self.steps[-1].output:
            self.steps[-1].output = shown(output)

    def _current(self) -> AgentStep:
        if not self.steps:
            self.steps.append(AgentStep())
        return self.steps[-1]


def steps_of(items: Any) -> list[AgentStep]:
    """The items of a run as steps: what is said begins one, unless it goes on with what was just said.

    A result without its call stands in the last step under a name that says so.
    """
    outputs = [tool_output(item) for item in items if type(item).__name__ == "ToolCallOutputItem"]
    results = {key: output for key, output in outputs if key}
    steps: list[AgentStep] = []
    before = ""
    for item in items:
        kind = type(item).__name__
        if kind in _SAID and before not in _SAID:
            steps.append(AgentStep())
        step = steps[-1] if steps else AgentStep()
        if kind in _SAID:
            step.thought = step.output = " ".join(filter(None, (step.thought, item_text(item))))
        elif kind == "ToolCallItem":
            key, name, given = tool_call(item)
            step.tool_calls.append(ToolCall(name, given, shown(results.pop(key)) if key in results else None))
        elif kind in _NOTED:
            step.output += f"\n[{_NOTED[kind]}]"
        if not steps and (step.tool_calls or step.output):
            steps.append(step)
        before = kind
    lost = [*results.items(), *((key, output) for key, output in outputs if not key)]
    calls = [ToolCall(f"<orphan output {key[:8]}>", {}, shown(output)) for key, output in lost]
    if calls and not steps:
        steps.append(AgentStep())
    if calls:
        steps[-1].tool_calls += calls
    return steps


def item_text(item: Any) -> str:
    """What an item says: a message's content, or the summary of what was thought."""
    raw = part(item, "raw_item")
    found = [*texts(part(raw, "summary")), *texts(part(raw, "content"))]
    return " ".join(found or texts(part(part(raw, "message"), "content"))).strip()


def tool_call(item: Any) -> tuple[str, str, dict[str, Any]]:
    """The id, the name and the arguments of a call."""
    raw = part(item, "raw_item")
    key = part(raw, "call_id") or part(raw, "id") or ""
    return str(key), str(part(raw, "name") or "<unknown>"), arguments(part(raw, "arguments"))


def tool_output(item: Any) -> tuple[str, Any]:
    """The id of a call, and what came of it."""
    raw, output = part(item, "raw_item"), part(item, "output")
    return str(part(raw, "call_id") or ""), part(raw, "output") if output is None else output


def _response_text(response: Any) -> str:
    whole = part(response, "output_text")
    if isinstance(whole, str) and whole:
        return whole
    return " ".join(text for item in part(response, "output") or () for text in texts(part(item, "content"))).strip()


def _call_id(context: Any, tool: Any) -> Any:
    # Two calls of one tool at once have one object and two ids.
    return part(context, "tool_call_id") or part(tool, "call_id") or id(tool)


_items_to_steps = steps_of
_extract_item_text = item_text
_extract_tool_call = tool_call
_extract_tool_output = tool_output
_stringify = shown
_coerce_args = arguments
