"""Every judged evaluator on real weights: shape, status and accounting; the model is too small for more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.claim_verification import ClaimVerificationEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.question_judge import QuestionJudge
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.local.local_model import LocalModel, weights
from ringtrue.models.local.server import serve
from ringtrue.models.structured.features import Features
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Case, Output, Score, Trial

pytestmark = pytest.mark.skipif(
    weights.embedded_path() is None or weights.installed_version(weights.ENGINE) is None,
    reason="the local model is not installed: run 'ringtrue local install'",
)

TOOLS = [{"type": "function", "function": {"name": "calculator", "description": "adds two numbers"}}]
TRIAL = Trial(
    Case(
        input="What is 2+2?",
        expected=("4",),
        tools=TOOLS,
        messages=[{"role": "system", "content": "Be brief."}, {"role": "user", "content": "What is 2+2?"}],
        fields={"baseline": "5"},
    ),
    Output("It is 4."),
)
MAKERS: dict[str, Callable[[Any], Any]] = {
    "llm_judge": lambda model: LLMJudge(model),
    "check_criteria": lambda model: CheckCriteriaEvaluator(criteria=["The answer is short"], model=model),
    "claim_verification": lambda model: ClaimVerificationEvaluator(model=model),
    "tool_usage": lambda model: ToolUsageEvaluator(model=model),
    "preference_adherence": lambda model: PreferenceAdherenceEvaluator(model=model),
    "guidance": lambda model: GuidanceEvaluator(model=model),
    "question_judge": lambda model: QuestionJudge(questions=["Is the answer short?"], model=model),
    "rubric_judge": lambda model: RubricJudge(levels={"bad": "wrong", "good": "right"}, model=model),
    "pairwise_judge": lambda model: PairwiseJudge(model=model),
    "judge_panel": lambda model: JudgePanel([MAKERS["rubric_judge"](model), MAKERS["rubric_judge"](model)]),
}


def require_honest(evaluator: Any, score: Score) -> None:
    """A number with its parts, or a reason; and what it took either way."""
    assert score.status in ("scored", "skipped", "error")
    assert (score.value is None) == bool(score.status != "scored")
    assert set(score.parts) <= set(evaluator.parts)
    assert score.calls == score.metadata["calls"] >= 1
    assert score.metadata["input_tokens"] > 0
    assert score.metadata["output_tokens"] > 0
    assert "SmolLM2" in score.metadata["model"]
    assert score.metadata["prompt_hash"]
    assert isinstance(evaluator, (Judge, JudgePanel))


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """One server for all: what consecutive prompts have in common is read once."""
    with serve(reuse_prefix=True) as server:
        yield server.base_url


def over_http(address: str, make: Callable[[StructuredModel], Any], *, api: Any = None, max_tokens: int = 64) -> Score:
    """The score of an evaluator whose verdicts are short, on an endpoint whose abilities are known already."""

    async def scene() -> Score:
        async with Endpoint(address, timeout_seconds=300) as endpoint:
            structured = StructuredModel(endpoint, api=api, parameters={"max_tokens": max_tokens}, deadline_seconds=600)
            evaluator = make(structured)
            if api is None:
                for name in ("gpt-4", "gpt-5"):
                    await structured.learn(*structured.target(name), Features(bound=True))
            score: Score = await evaluator.measure(TRIAL)
            require_honest(evaluator, score)
            return score

    return asyncio.run(scene())


def test_in_process() -> None:
    async def scene() -> None:
        async with LocalModel(max_tokens=64, reuse_prefix=True) as model:
            structured = StructuredModel(model)
            await structured.learn(*structured.target(), Features(bound=True))
            evaluator = MAKERS["rubric_judge"](structured)
            score = await evaluator.measure(TRIAL)
            require_honest(evaluator, score)
            assert "too small to be trusted" in score.caveat

    asyncio.run(scene())


@pytest.mark.heavy
@pytest.mark.parametrize("name", MAKERS)
def test_over_http(name: str, address: str) -> None:
    over_http(address, MAKERS[name])


@pytest.mark.heavy
def test_over_the_responses_api(address: str) -> None:
    """The server's Responses API does not look at the schema: a retry that spells it out, then an error."""
    score = over_http(address, MAKERS["llm_judge"], api="responses", max_tokens=24)
    assert score.calls == 2 or score.status == "scored"


@pytest.mark.heavy
def test_an_audit_over_http(address: str, tmp_path: Path) -> None:
    """A real folder: functions are declared, then asked for in words where the model calls none, then a verdict."""
    (tmp_path / "add.py").write_text("print(1 + 1)\n")
    settings = {
        "working_dir": tmp_path,
        "steps": "Read add.py.",
        "rubric": {"adds": "100 points boolean - does it add?", "score": "number"},
        "context": "Add 1 and 1.",
        "max_steps": 2,
    }
    score = over_http(address, lambda structured: SemanticTestEvaluator(settings, model=structured), max_tokens=80)
    assert score.metadata["ended"] in ("finished", "max_steps")
    assert score.metadata["files"] == 1
    assert len(score.metadata["audit"]) <= 2
    assert [path.name for path in tmp_path.iterdir()] == ["add.py"]
    if score.value is not None:
        assert score.value in (0.0, 1.0)
