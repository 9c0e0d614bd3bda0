"""What judged evaluations make of a system that gave no answer; an earlier answer of the transcript is not it."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.claim_verification import ClaimVerificationEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.question_judge import QuestionJudge
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator
from ringtrue.records import Case, Output, Trial

EARLIER = [
    {"role": "user", "content": "Hi"},
    {"role": "assistant", "content": "An earlier answer."},
    {"role": "user", "content": "And?"},
]
TRIAL = Trial(Case(messages=EARLIER, fields={"baseline": "x"}), Output(problem="the output is None"))
MADE: list[tuple[Any, dict[str, Any], str]] = [
    (LLMJudge, {}, "scored"),
    (RubricJudge, {"levels": {"bad": "wrong", "good": "right"}}, "scored"),
    (QuestionJudge, {"questions": ["Is it short?"]}, "scored"),
    (PairwiseJudge, {}, "scored"),
    (CheckCriteriaEvaluator, {"criteria": ["It is short"]}, "scored"),
    (CheckCriteriaEvaluator, {}, "skipped"),
    (ClaimVerificationEvaluator, {}, "skipped"),
    (GuidanceEvaluator, {}, "skipped"),
    (PreferenceAdherenceEvaluator, {}, "skipped"),
]


@pytest.mark.parametrize(("kind", "settings", "status"), MADE, ids=lambda value: getattr(value, "__name__", ""))
def test_nobody_is_asked(kind: Any, settings: dict[str, Any], status: str) -> None:
    """A quality is missing where the answer is; what only an answer can have does not apply."""
    model = scripted_judge([])
    evaluator = kind(model, **settings) if kind is LLMJudge else kind(model=model, **settings)
    score = asyncio.run(evaluator.measure(TRIAL))
    assert (score.status, score.value, score.passed) == (
        status,
        *((0.0, False) if status == "scored" else (None, None)),
    )
    assert (score.metadata["calls"], model.asked) == (0, [])
    assert set(evaluator.unmeasured) <= set(score.metadata)


@pytest.mark.parametrize(
    ("kind", "settings"), [row[:2] for row in MADE[:4]], ids=lambda one: getattr(one, "__name__", "")
)
def test_a_call_of_a_tool_is_no_response_that_could_be_rated(kind: Any, settings: dict[str, Any]) -> None:
    model = scripted_judge([])
    evaluator = kind(model, **settings) if kind is LLMJudge else kind(model=model, **settings)
    called = Output(problem="it has no text", tool_calls=[{"name": "search", "arguments": "{}"}])
    score = asyncio.run(evaluator.measure(Trial(Case(input="q", fields={"baseline": "x"}), called)))
    assert (score.status, score.reason, model.asked) == ("skipped", "it has no text", [])


def test_calling_no_tool_can_be_judged() -> None:
    model = scripted_judge([{"tool_evaluations": [{"tool": 1, "reasoning": "", "probability": 90}]}])
    case = Case(messages=EARLIER, tools=[{"type": "function", "name": "search"}])
    score = asyncio.run(ToolUsageEvaluator(model=model).measure(Trial(case, TRIAL.output)))
    assert (score.value, score.calls) == (0.0, 1)
    assert set(score.parts) == {"tool_usage", "tool_recall", "undeclared_calls"}
