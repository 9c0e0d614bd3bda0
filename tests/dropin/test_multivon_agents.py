"""The judges of agents: what they ask over HTTP, what counts as a verdict, and what is kept as evidence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from multivon_eval import (
    AgentMemoryEval,
    AgentStep,
    EvalCase,
    EvalReport,
    EvalStatus,
    EvalSuite,
    JudgeConfig,
    JudgeUnavailable,
    PlanQuality,
    StepFaithfulness,
    TaskCompletion,
    ToolArgumentAccuracy,
    ToolCall,
    ToolCallAccuracy,
    ToolCallNecessity,
    TrajectoryEfficiency,
)
from multivon_eval.evaluators.agent import TraceItems, TraceJudging, TraceQuestions

from support.hostile import SMALL
from support.saying import SayingEndpoint

STEPS = [
    AgentStep("find it", [ToolCall("search", {"q": "Lima"}, "Lima is in Peru")], "found"),
    AgentStep("say it", [ToolCall("say", {"style": "brief"}, {"text": "Peru"})], "said"),
]
CASE = EvalCase("Where is Lima?", "Peru", context="The user likes short answers.", agent_trace=STEPS)
ITEMS = [ToolArgumentAccuracy, ToolCallNecessity, StepFaithfulness]
QUESTIONS = [PlanQuality, TaskCompletion, TrajectoryEfficiency, AgentMemoryEval]


def judged(make: Callable[..., TraceJudging], replies: Any, case: EvalCase = CASE, output: Any = "Peru") -> Any:
    """The result, and the endpoint with what it was asked."""
    with SayingEndpoint(replies) as endpoint:
        judge = JudgeConfig(provider="openai", model="m", base_url=endpoint.base_url)
        return make(judge=judge).evaluate(case, output), endpoint


def good(kind: type[TraceQuestions]) -> Callable[[str], str]:
    """A judge that gives the good answer to every question."""
    wanted = dict(kind.questions)
    return lambda prompt: "No" if any(text in prompt and not yes for text, yes in wanted.items()) else "Yes"


@pytest.mark.parametrize("kind", ITEMS)
def test_the_score_is_the_share_of_items_that_the_judge_accepts(kind: type[TraceItems]) -> None:
    result, endpoint = judged(kind, ["Yes", "no."])
    assert (result.score, result.passed, result.evaluator) == (0.5, False, kind.name)
    assert len(endpoint.asked) == 2
    assert result.reason.startswith("1/2 ")
    assert all(kind.question in prompt for prompt in endpoint.prompts)


@pytest.mark.parametrize("kind", QUESTIONS)
def test_good_answers_make_a_perfect_score(kind: type[TraceQuestions]) -> None:
    result, endpoint = judged(kind, good(kind))
    assert (result.score, result.passed) == (1.0, True)
    extra = kind is AgentMemoryEval  # the expected output is a question of its own
    assert len(endpoint.asked) == len(kind.questions) + extra
    turned, _ = judged(kind, lambda prompt: "Yes" if good(kind)(prompt) == "No" else "No")
    assert turned.score == 0.0


@pytest.mark.parametrize("kind", [*ITEMS, *QUESTIONS])
@pytest.mark.parametrize("reply", ["Maybe", "Yes, but no", "Yes\nNo", "Yes or no?", "yess"], ids=range(5))
def test_a_reply_that_is_no_verdict_never_counts(kind: type[TraceJudging], reply: str) -> None:
    with pytest.raises(JudgeUnavailable, match="neither yes nor no") as caught:
        judged(kind, ["Yes", reply])
    records = caught.value.evaluation_evidence["judgments"]  # type: ignore[attr-defined]
    assert [record["status"] for record in records] == ["measured", "error"]
    assert records[1]["response"] == reply


def test_a_verdict_may_follow_thoughts_and_stand_in_marks() -> None:
    result, _ = judged(ToolCallNecessity, ["<think>no? yes!</think>\n**Yes**", '"No."'])
    assert result.score == 0.5


@pytest.mark.parametrize("kind", ITEMS)
def test_a_trace_that_is_too_long_is_not_judged_in_part(kind: type[TraceItems]) -> None:
    case = EvalCase("task", agent_trace=STEPS * 5)
    result = kind().evaluate(case, "done")
    assert result.metadata["skipped"]
    assert (result.metadata["requested_items"], result.metadata["max_items"]) == (10, 8)
    whole, endpoint = judged(lambda judge: kind(judge=judge, max_items=10), "Yes", case)
    assert (whole.score, len(endpoint.asked)) == (1.0, 10)


@pytest.mark.parametrize("limit", [0, -1, True, 1.5, None, "8"], ids=str)
def test_a_limit_is_a_positive_number(limit: Any) -> None:
    with pytest.raises(ValueError, match="max_items"):
        StepFaithfulness(max_items=limit)


@pytest.mark.parametrize(
    ("kind", "case"),
    [
        (ToolArgumentAccuracy, EvalCase("t")),
        (ToolArgumentAccuracy, EvalCase("t", agent_trace=[AgentStep("I know it")])),
        (ToolCallNecessity, EvalCase("t", agent_trace=[])),
        (StepFaithfulness, EvalCase("t", agent_trace=[])),
        (PlanQuality, EvalCase("t")),
        (TrajectoryEfficiency, EvalCase("t", agent_trace=[])),
        (AgentMemoryEval, EvalCase("t", agent_trace=STEPS)),
    ],
    ids=range(7),
)
def test_nothing_to_judge_is_no_score(kind: type[TraceJudging], case: EvalCase) -> None:
    result = kind().evaluate(case, "done")
    assert result.metadata["skipped"]
    assert not result.passed


def test_a_task_can_be_completed_without_a_trace() -> None:
    result, endpoint = judged(TaskCompletion, good(TaskCompletion), EvalCase("Where is Lima?"))
    assert result.score == 1.0
    assert "[[[steps " not in endpoint.prompts[0]


def test_the_judge_sees_everything_in_fences() -> None:
    case = EvalCase("task", agent_trace=[AgentStep(tool_calls=[ToolCall("t", {"a": 1}, "x" * 5_000 + "THE END")])])
    _, endpoint = judged(StepFaithfulness, "Yes", case)
    assert "THE END" in endpoint.prompts[0]
    assert "[[[step " in endpoint.prompts[0]
    assert 't({"a": 1})' in endpoint.prompts[0]
    _, endpoint = judged(ToolCallNecessity, "Yes")
    assert "Lima is in Peru" in endpoint.prompts[1]
    assert "Lima is in Peru" not in endpoint.prompts[0]


def test_a_failed_tool_that_nobody_minded_costs_something() -> None:
    case = EvalCase("t", agent_trace=[AgentStep("try", [ToolCall("search", {}, "Error: timeout")])])
    steady = good(TrajectoryEfficiency)
    coped, endpoint = judged(TrajectoryEfficiency, steady, case)
    assert (coped.score, len(endpoint.asked)) == (1.0, 4)
    recovery = TrajectoryEfficiency.recovery
    lost, _ = judged(TrajectoryEfficiency, lambda prompt: "No" if recovery in prompt else steady(prompt), case)
    assert lost.score == pytest.approx(0.8)
    with pytest.raises(JudgeUnavailable):
        judged(TrajectoryEfficiency, lambda prompt: "Hm" if recovery in prompt else steady(prompt), case)


def test_what_was_asked_and_said_is_kept() -> None:
    result, endpoint = judged(TaskCompletion, good(TaskCompletion))
    kept = result.metadata["evaluation_evidence"]
    assert kept["protocol"] == TaskCompletion().protocol == "agent-judgments/v2"
    assert [record["expected_verdict"] for record in kept["judgments"]] == [True, True, True, False]
    assert [record["verdict"] for record in kept["judgments"]] == [True, True, True, False]
    assert all(prompt in record["prompt"] for prompt, record in zip(endpoint.prompts, kept["judgments"], strict=True))
    json.dumps(kept)


@pytest.mark.parametrize("mode", ["threads", "awaited", "stored"])
def test_a_suite_keeps_the_evidence_of_each_case_apart(mode: str) -> None:
    cases = [EvalCase(f"task {n}", agent_trace=[AgentStep(f"thought {n}")]) for n in range(4)]

    async def answer(question: str) -> str:
        return "done"

    with SayingEndpoint(lambda prompt: "Perhaps" if "task 2" in prompt else "Yes") as endpoint:
        check = StepFaithfulness(judge=JudgeConfig(provider="openai", model="m", base_url=endpoint.base_url))
        suite = EvalSuite("agents").add_cases(cases).add_evaluator(check)
        if mode == "threads":
            report = suite.run(lambda question: "done", verbose=False, workers=4)
        elif mode == "awaited":
            report = asyncio.run(suite.run_async(answer, verbose=False))
        else:
            report = suite.run_on_cases([(case, "done") for case in cases], verbose=False)
    assert [case.status for case in report.case_results] == [
        EvalStatus.PASSED, EvalStatus.PASSED, EvalStatus.JUDGE_ERROR, EvalStatus.PASSED,
    ]  # fmt: skip
    again = EvalReport.from_dict(json.loads(report.to_json()))
    for number, case in enumerate(again.case_results):
        [record] = case.results[0].metadata["evaluation_evidence"]["judgments"]
        assert f"task {number}" in record["prompt"]


@pytest.mark.parametrize("name", SMALL)
def test_hostile_traces_and_outputs_get_a_verdict(name: str) -> None:
    value = SMALL[name]
    case = EvalCase("t", context="c", agent_trace=[AgentStep(str(value), [ToolCall("t", {"v": value}, value)])])
    for kind in (*ITEMS, TaskCompletion):
        result, _ = judged(kind, "Yes", case, value)
        assert 0 <= result.score <= 1


def test_steps_may_be_plain_dicts() -> None:
    steps: list[Any] = [{"thought": "t", "tool_calls": [{"name": "search", "arguments": {"q": 1}, "result": "r"}]}]
    case = EvalCase("t", expected_tool_calls=["search"], agent_trace=steps)
    assert ToolCallAccuracy().evaluate(case, "done").passed
    result, endpoint = judged(ToolArgumentAccuracy, "Yes", case)
    assert result.score == 1.0
    assert 'search({"q": 1})' in endpoint.prompts[0]
