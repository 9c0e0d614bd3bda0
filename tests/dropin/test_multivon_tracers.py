"""What tracers see of an agent, and what importers make of recorded runs."""

from __future__ import annotations

import sys
from types import SimpleNamespace
from typing import Any

import pytest
from multivon_eval import (
    AgentStep,
    AgentTracer,
    EvalCase,
    EvalStatus,
    EvalSuite,
    LangChainTracer,
    LangGraphTracer,
    LangSmithImporter,
    LangSmithTracer,
    ManualTracer,
    NotEmpty,
    ToolCall,
    ToolCallAccuracy,
)
from multivon_eval.integrations import CallbackTracer
from multivon_eval.values import arguments, shown

from support.fake_modules import fake_module
from support.hostile import SMALL

SEARCHED = AgentStep("look", [ToolCall("search", {"q": "Lima"}, "in Peru")])


@pytest.fixture
def langchain(monkeypatch: pytest.MonkeyPatch) -> None:
    """LangChain's handlers are called by name; its class brings nothing that is tested here."""

    class BaseCallbackHandler:
        def __init__(self) -> None:
            self.known = True

        def on_tool_start(self, *arguments: Any, **named: Any) -> None:
            raise AssertionError("the recording's own method is called")

    callbacks = fake_module("langchain_core.callbacks", BaseCallbackHandler=BaseCallbackHandler)
    monkeypatch.setitem(sys.modules, "langchain_core", fake_module("langchain_core", callbacks=callbacks))
    monkeypatch.setitem(sys.modules, "langchain_core.callbacks", callbacks)


def test_an_agent_tells_what_it_does() -> None:
    tracer = ManualTracer()
    with tracer.step("look") as step:
        step.record_tool_call("search", {"q": "Lima"}, "in Peru")
    tracer.record_tool_call("say")
    tracer.record_output("Peru")
    with pytest.raises(KeyError), tracer.step("fail") as step:
        raise KeyError("key")
    said = AgentStep(output="Peru")
    assert tracer.get_trace() == [SEARCHED, AgentStep(tool_calls=[ToolCall("say")]), said, AgentStep("fail")]
    assert tracer.get_trace() is not tracer.get_trace()
    with tracer as same:
        assert same is tracer
    assert tracer.get_trace() == []


def test_a_suite_shows_the_trace_to_its_checks_and_keeps_it() -> None:
    tracer = ManualTracer()

    def agent(question: str) -> str:
        if question == "fail":
            tracer.record_tool_call("broken")
            raise RuntimeError("down")
        tracer.record_tool_call("search" if question == "find" else "guess")
        return "done"

    cases = [EvalCase(question, expected_tool_calls=["search"]) for question in ("find", "know", "fail")]
    report = (
        EvalSuite("s")
        .add_cases(cases)
        .add_evaluators(ToolCallAccuracy(), NotEmpty())
        .run(agent, tracer=tracer, runs=2, verbose=False)
    )
    assert [case.status for case in report.case_results] == [
        EvalStatus.PASSED, EvalStatus.FAILED_QUALITY, EvalStatus.MODEL_ERROR,
    ]  # fmt: skip
    called = [
        [call.name for step in case.agent_trace or [] for call in step.tool_calls] for case in report.case_results
    ]
    assert called == [["search"], ["guess"], ["broken"]]
    assert all(case.agent_trace is None for case in cases)


def test_an_agent_that_calls_nothing_is_seen_to_call_nothing() -> None:
    suite = EvalSuite("s").add_case(EvalCase("q", expected_tool_calls=[])).add_evaluator(ToolCallAccuracy())
    report = suite.run(lambda question: "known", tracer=ManualTracer(), verbose=False)
    assert report.case_results[0].results[0].score == 1.0


def test_a_trace_in_the_case_stays_where_nothing_was_seen() -> None:
    case = EvalCase("q", expected_tool_calls=["search"], agent_trace=[SEARCHED])
    suite = EvalSuite("s").add_case(case).add_evaluator(ToolCallAccuracy())
    assert suite.run(lambda question: "a", tracer=ManualTracer(), verbose=False).passed == 1


def test_a_tracer_watches_one_case_at_a_time() -> None:
    suite = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(NotEmpty())
    with pytest.raises(ValueError, match="workers"):
        suite.run(lambda question: "a", tracer=ManualTracer(), workers=2, verbose=False)


def test_steps_in_lines(capsys: pytest.CaptureFixture[str]) -> None:
    text = AgentTracer.format_trace([SEARCHED, AgentStep(output="Peru"), AgentStep("", [ToolCall("t")])])
    assert text.splitlines() == [
        "Step 1:", "  thought: look", "  → search(q='Lima')", "    = 'in Peru'", "Step 2:", "  output: Peru",
        "Step 3:", "  → t()", "    (no result)",
    ]  # fmt: skip
    assert AgentTracer.format_trace(None) == "(no trace captured)"
    ManualTracer().print_trace([AgentStep("\x1b[2J\u202e")])
    assert "\x1b" not in capsys.readouterr().out


@pytest.mark.usefixtures("langchain")
def test_langchains_callbacks_are_steps() -> None:
    tracer = LangChainTracer()
    handler = tracer._build_handler()
    assert handler.known
    handler.on_agent_action(SimpleNamespace(log="look"))
    handler.on_tool_start({"name": "search"}, "Lima", run_id=1)
    handler.on_tool_start({"name": "search"}, "{'q': 'Quito'}", run_id=2, inputs={"q": "Quito"})
    handler.on_tool_end(SimpleNamespace(content="in Ecuador"), run_id=2)
    handler.on_tool_error(ValueError("down"), run_id=1)
    handler.on_agent_finish(SimpleNamespace(return_values={"output": "Peru"}))
    calls = [
        ToolCall("search", {"input": "Lima"}, "[ERROR: ValueError: down]"),
        ToolCall("search", {"q": "Quito"}, "in Ecuador"),
    ]
    assert tracer.get_trace() == [AgentStep("look", calls, "Peru")]


@pytest.mark.usefixtures("langchain")
def test_a_chain_without_an_agent_has_steps_too() -> None:
    tracer = LangChainTracer()
    handler = tracer._build_handler()
    handler.on_tool_start(None, "x")
    assert tracer.get_trace() == [AgentStep("", [ToolCall("unknown_tool", {"input": "x"})])]
    handler.on_tool_end({"a": 1})
    handler.on_chain_end({})
    handler.on_chain_end({})
    handler.on_tool_end("nobody called this")
    assert tracer.get_trace() == [AgentStep("", [ToolCall("unknown_tool", {"input": "x"}, '{"a": 1}')])]


@pytest.mark.usefixtures("langchain")
def test_handlers_are_added_to_the_callbacks_of_the_caller() -> None:
    tracer, seen = LangChainTracer(), []

    def agent(question: str, **named: Any) -> str:
        seen.extend(named["callbacks"])
        named["callbacks"][-1].on_tool_start({"name": "search"}, question)
        return "done"

    own = object()
    assert tracer.instrument(agent)("q", callbacks=[own]) == "done"
    assert seen[0] is own
    assert len(seen) == 2
    assert [step.tool_calls[0].name for step in tracer.get_trace()] == ["search"]


@pytest.mark.usefixtures("langchain")
def test_langgraphs_callbacks_are_a_step_for_each_answer_of_a_model() -> None:
    tracer = LangGraphTracer()
    handler = tracer._build_handler()
    handler.on_chain_start({}, {}, run_id=0, metadata={"langgraph_node": "agent"})
    handler.on_chat_model_start({}, [], run_id=1)
    handler.on_llm_end(
        SimpleNamespace(generations=[[SimpleNamespace(message=SimpleNamespace(content="look"))]]), run_id=1
    )
    handler.on_chain_end({}, run_id=0)
    handler.on_chain_start({}, {}, run_id=2, metadata={"langgraph_node": "tools"})
    handler.on_tool_start({"name": "search"}, '{"q": 1}', run_id=3)
    handler.on_tool_start({"name": "search"}, '{"q": 2}', run_id=4)
    handler.on_tool_end("two", run_id=4)
    handler.on_tool_end("one", run_id=3)
    handler.on_chain_end({}, run_id=2)
    handler.on_llm_start({}, [], run_id=5)
    blocks = [{"type": "text", "text": "in"}, {"type": "image"}, {"type": "text", "text": "Peru"}]
    handler.on_llm_end(
        SimpleNamespace(generations=[[SimpleNamespace(message=SimpleNamespace(content=blocks))]]), run_id=5
    )
    first, last = tracer.get_trace()
    assert (first.thought, [(call.arguments, call.result) for call in first.tool_calls]) == (
        "look", [({"q": 1}, "one"), ({"q": 2}, "two")],
    )  # fmt: skip
    assert (last.thought, last.output, last.tool_calls) == ("in Peru", "in Peru", [])


@pytest.mark.usefixtures("langchain")
def test_a_node_without_a_model_is_a_step_only_if_it_calls_something() -> None:
    tracer = LangGraphTracer()
    handler = tracer._build_handler()
    for name in ("router", "tools", "tools"):
        handler.on_chain_start({}, {}, run_id=name, metadata={"langgraph_node": name})
        if name == "tools":
            handler.on_tool_start({"name": "search"}, "", run_id=1)
        handler.on_chain_end({}, run_id=name)
    assert [len(step.tool_calls) for step in tracer.get_trace()] == [1, 1]


@pytest.mark.usefixtures("langchain")
@pytest.mark.parametrize("kind", [LangChainTracer, LangGraphTracer, LangSmithTracer])
def test_a_handler_from_before_a_reset_is_not_read(kind: type[CallbackTracer]) -> None:
    tracer = kind()
    built = tracer._build_handler()
    stale = built[0] if isinstance(built, list) else built
    tracer.reset()
    stale.on_tool_start({"name": "late"}, "x")
    assert tracer.get_trace() == []


def test_without_langchain_a_tracer_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "langchain_core", None)
    with pytest.raises(ImportError, match="pip install langchain-core"):
        LangChainTracer()._build_handler()
    with pytest.raises(ImportError, match="pip install langsmith"):
        LangSmithImporter("p").load()


@pytest.mark.parametrize(
    ("raw", "read"),
    [
        ('{"a": 1}', {"a": 1}), ({"a": 1}, {"a": 1}), (None, {}), ("  ", {}), ("text", {"input": "text"}),
        ("[1]", {"input": "[1]"}), (42, {"input": "42"}), ("{" * 9_000, {"input": "{" * 9_000}),
    ],
    ids=range(8),
)  # fmt: skip
def test_arguments_in_any_shape(raw: Any, read: dict[str, Any]) -> None:
    assert arguments(raw) == read


@pytest.mark.parametrize("name", SMALL)
def test_any_result_is_shown(name: str) -> None:
    assert isinstance(shown(SMALL[name]), str)
    assert isinstance(shown([SMALL[name]]), str)


def test_what_json_cannot_hold_is_named() -> None:
    loop: list[Any] = []
    loop.append(loop)
    assert shown(loop) == "<list that JSON cannot hold>"
