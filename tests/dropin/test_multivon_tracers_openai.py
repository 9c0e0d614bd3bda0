"""What the tracer of the OpenAI Agents SDK sees of a run, after it and while it happens."""

from __future__ import annotations

import asyncio
import sys
from types import SimpleNamespace
from typing import Any

import pytest
from multivon_eval import AgentStep, OpenAIAgentsTracer, ToolCall

from support.fake_modules import fake_module


def item(kind: str, **fields: Any) -> Any:
    return type(kind, (SimpleNamespace,), {})(**fields)


def message(text: str, kind: str = "MessageOutputItem", field: str = "content") -> Any:
    return item(kind, raw_item=SimpleNamespace(**{field: [SimpleNamespace(text=text)]}))


def call(key: str, name: str, given: Any) -> Any:
    return item("ToolCallItem", raw_item={"call_id": key, "name": name, "arguments": given})


def result(key: str, output: Any) -> Any:
    return item("ToolCallOutputItem", raw_item=SimpleNamespace(call_id=key), output=output)


RUNS = {
    "a turn with a call, and the answer": (
        [message("look"), call("1", "search", '{"q": 1}'), result("1", {"a": 1}), message("Peru")],
        [AgentStep("look", [ToolCall("search", {"q": 1}, '{"a": 1}')], "look"), AgentStep("Peru", [], "Peru")],
    ),
    "thoughts belong to what is said after them": (
        [message("think", "ReasoningItem", "summary"), message("say")],
        [AgentStep("think say", [], "think say")],
    ),
    "a call comes first": ([call("1", "t", None)], [AgentStep("", [ToolCall("t")])]),
    "a result comes before its call": (
        [message("m"), result("1", "r"), call("1", "t", "x")],
        [AgentStep("m", [ToolCall("t", {"input": "x"}, "r")], "m")],
    ),
    "a result without its call": (
        [result("123456789", "r"), result("", "s")],
        [AgentStep("", [ToolCall("<orphan output 12345678>", {}, "r"), ToolCall("<orphan output >", {}, "s")])],
    ),
    "what has no place in a step is noted": (
        [message("m"), item("HandoffCallItem"), item("CompactionItem")],
        [AgentStep("m", [], "m\n[handoff: HandoffCallItem]\n[CompactionItem]")],
    ),
    "what nobody knows ends a turn": (
        [message("a"), item("Novelty"), message("b")],
        [AgentStep("a", [], "a"), AgentStep("b", [], "b")],
    ),
    "nothing": ([item("Novelty"), item("MessageOutputItem", raw_item=None)], [AgentStep()]),
}


@pytest.mark.parametrize("name", RUNS)
def test_items_of_a_run_are_steps(name: str) -> None:
    items, steps = RUNS[name]
    tracer = OpenAIAgentsTracer()
    tracer.capture(SimpleNamespace(new_items=items))
    assert tracer.get_trace() == steps


def test_hooks_have_steps_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    lifecycle = fake_module("agents.lifecycle", RunHooksBase=type("RunHooksBase", (), {}))
    monkeypatch.setitem(sys.modules, "agents", fake_module("agents", lifecycle=lifecycle))
    monkeypatch.setitem(sys.modules, "agents.lifecycle", lifecycle)
    tracer = OpenAIAgentsTracer()
    hooks, others = tracer.run_hooks(), tracer.run_hooks()

    async def run() -> None:
        tool = SimpleNamespace(name="search")
        await hooks.on_llm_start(None, None, None, [])
        said = SimpleNamespace(output=[SimpleNamespace(content=[SimpleNamespace(text="look")])])
        await hooks.on_llm_end(None, None, said)
        for key in ("1", "2"):
            await hooks.on_tool_start({"tool_call_id": key, "tool_arguments": f'{{"n": {key}}}'}, None, tool)
        for key in ("2", "1"):
            await hooks.on_tool_end({"tool_call_id": key}, None, tool, f"r{key}")
        await hooks.on_llm_start(None, None, None, [])
        await hooks.on_tool_end({"tool_call_id": "3"}, None, tool, "never begun")
        await hooks.on_agent_end(None, None, "Peru")

    asyncio.run(run())
    assert tracer.get_trace() == []
    for _ in range(2):
        tracer.merge(hooks)
        tracer.merge(others)
        tracer.merge(object())
    first, last = tracer.get_trace()
    assert [(one.arguments, one.result) for one in first.tool_calls] == [({"n": 1}, "r1"), ({"n": 2}, "r2")]
    assert (last.tool_calls[0].result, last.output) == ("never begun", "Peru")
    assert tracer.instrument(lambda question: "a")("q") == "a"
    assert tracer.get_trace() == []


def test_without_the_sdk_hooks_say_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "agents", None)
    with pytest.raises(ImportError, match="pip install openai-agents"):
        OpenAIAgentsTracer().run_hooks()
