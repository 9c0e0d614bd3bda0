"""One rule for all judged evaluations: an answer that is absent or blank fails, and no model is asked."""

from __future__ import annotations

import asyncio
from importlib import import_module
from typing import Any

import pytest

from ringtrue.evaluators.built_in import JUDGED
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.claim_verification import ClaimVerificationEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.question_judge import QuestionJudge
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.short_answer_judge import ShortAnswerJudge
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator
from ringtrue.evaluators.judged.turn_ratings import TurnRatings
from ringtrue.records import Case, Output, Trial

ASKED = [{"role": "user", "content": "Hi"}]
EARLIER = [*ASKED, {"role": "assistant", "content": "An earlier answer."}, {"role": "user", "content": "And?"}]
TOOLS = [{"type": "function", "name": "search"}]
MADE: dict[type[Judge], dict[str, Any]] = {
    LLMJudge: {},
    RubricJudge: {"levels": {"bad": "wrong", "good": "right"}},
    QuestionJudge: {"questions": ["Is it short?"]},
    PairwiseJudge: {},
    CheckCriteriaEvaluator: {"criteria": ["It is short"]},
    ClaimVerificationEvaluator: {},
    GuidanceEvaluator: {},
    PreferenceAdherenceEvaluator: {},
    ShortAnswerJudge: {},
    ToolUsageEvaluator: {},
    TurnRatings: {},
}
BLANK = {
    "absent": Output(problem="the output is None"),
    "empty": Output(""),
    "spaces": Output(" \n\t "),
    "invisible": Output("\u200b\u2060"),
    "an-empty-turn": Output("", messages=({"role": "assistant", "content": ""},)),
}


def test_every_judge_is_here() -> None:
    """But the one that audits a folder: what is said beside it does not matter."""
    found = {getattr(import_module(module), name) for module, name in JUDGED.values()}
    assert {kind for kind in found if issubclass(kind, Judge)} == {*MADE, SemanticTestEvaluator}


@pytest.mark.parametrize("output", BLANK.values(), ids=BLANK)
@pytest.mark.parametrize("messages", [(), EARLIER], ids=["a-question", "a-conversation"])
@pytest.mark.parametrize("kind", MADE, ids=lambda kind: kind.__name__)
def test_a_blank_answer_fails_and_no_one_is_asked(kind: Any, messages: Any, output: Output) -> None:
    model = scripted_judge([])
    evaluator = kind(model=model, **MADE[kind])
    case = Case(input="q", messages=messages, tools=TOOLS, fields={"baseline": "x"})
    score = asyncio.run(evaluator.measure(Trial(case, output)))
    assert (score.status, score.value, score.passed) == ("scored", 0.0, False)
    assert (score.metadata["calls"], model.asked) == (0, [])
    assert set(evaluator.unmeasured) <= set(score.metadata)


SILENT = {
    "nobody": [],
    "no-assistant": ASKED,
    "says-nothing": [*ASKED, {"role": "assistant", "content": ""}],
    "says-spaces": [*ASKED, {"role": "assistant", "content": "  "}],
}


@pytest.mark.parametrize("messages", SILENT.values(), ids=SILENT)
@pytest.mark.parametrize("kind", [kind for kind in MADE if kind is not PairwiseJudge], ids=lambda kind: kind.__name__)
def test_so_does_a_transcript_without_one(kind: Any, messages: Any) -> None:
    model = scripted_judge([])
    result = asyncio.run(kind(model=model, **MADE[kind]).evaluate(messages, TOOLS))
    assert (result.status, result.score, model.asked) == ("scored", 0.0, [])


def test_a_row_that_is_a_transcript_is_read_likewise() -> None:
    model = scripted_judge([{"reasoning": "", "rating": 5}])
    said = [*ASKED, {"role": "assistant", "content": "Hello."}]
    missing = Output(problem="there is no response")
    scores = [
        asyncio.run(LLMJudge(model).measure(Trial(Case(fields={"messages": messages}), missing)))
        for messages in (said, SILENT["says-nothing"])
    ]
    assert [score.value for score in scores] == [1.0, 0.0]
    assert len(model.asked) == 1


def test_a_call_of_a_tool_is_an_answer_to_who_judges_calls_alone() -> None:
    called = Output("", tool_calls=[{"name": "search", "arguments": "{}"}])
    trial = Trial(Case(input="q", tools=TOOLS), called)
    rated = asyncio.run(LLMJudge(model := scripted_judge([])).measure(trial))
    assert (rated.value, model.asked) == (0.0, [])
    judge = scripted_judge([{"tool_evaluations": [{"tool": 1, "reasoning": "", "probability": 90}]}])
    assert asyncio.run(ToolUsageEvaluator(model=judge).measure(trial)).value == 1.0


def test_what_does_not_apply_is_skipped_whatever_the_answer_is() -> None:
    for made in (
        CheckCriteriaEvaluator(model=scripted_judge([])),
        PairwiseJudge(model=scripted_judge([])),
        ToolUsageEvaluator(model=scripted_judge([])),
    ):
        for output in (Output(""), Output("x")):
            assert asyncio.run(made.measure(Trial(Case(input="q"), output))).status == "skipped"
