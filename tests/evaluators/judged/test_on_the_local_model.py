"""Every judged evaluator on real weights: shape, status and accounting; the model is too small for more."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator, generate_capability_manifest
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.judged import Judged
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator
from ringtrue.models import weights
from ringtrue.models.endpoint import Endpoint
from ringtrue.models.local import LocalModel
from ringtrue.models.local_server import serve
from ringtrue.models.structured import Asker
from ringtrue.records import Case, Output, Score, Trial

pytestmark = pytest.mark.skipif(
    weights.embedded() is None or weights.installed(weights.ENGINE) is None,
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
    "llm_judge": lambda model: LLMJudge(model, "local"),
    "check_criteria": lambda model: CheckCriteriaEvaluator(criteria=["The answer is short"], model=model),
    "tool_usage": lambda model: ToolUsageEvaluator(model=model),
    "preference_adherence": lambda model: PreferenceAdherenceEvaluator(model=model),
    "guidance": lambda model: GuidanceEvaluator(model=model),
    "rubric_judge": lambda model: RubricJudge(levels={"bad": "wrong", "good": "right"}, model=model),
    "pairwise_judge": lambda model: PairwiseJudge(model=model),
    "judge_panel": lambda model: JudgePanel([LLMJudge(model), LLMJudge(model)]),
}
HEAVY = [pytest.param(name, marks=pytest.mark.heavy) for name in MAKERS if name != "llm_judge"]


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
    assert isinstance(evaluator, (Judged, JudgePanel))


@pytest.mark.parametrize("name", ["llm_judge", *HEAVY])
def test_in_process(name: str) -> None:
    async def scene() -> None:
        async with LocalModel(max_tokens=200) as model:
            evaluator = MAKERS[name](Asker(model))
            require_honest(evaluator, await evaluator.measure(TRIAL))

    asyncio.run(scene())


@pytest.mark.heavy
@pytest.mark.parametrize(("api", "names"), [("chat", list(MAKERS)), ("responses", ["llm_judge"])])
def test_over_http(api: Any, names: list[str]) -> None:
    """Both APIs of the embedded model's server, over one connection pool and one memory.

    Its Responses API does not look at the schema, so one evaluator shows all there is: a retry, then an error.
    """

    async def scene(address: str) -> None:
        async with Endpoint(address, timeout_seconds=120) as endpoint:
            asker = Asker(endpoint, api=api, parameters={"max_tokens": 80})
            for name in names:
                evaluator = MAKERS[name](asker)
                require_honest(evaluator, await evaluator.measure(TRIAL))
            manifest = await generate_capability_manifest("Be brief.", TOOLS, model=endpoint)
            assert manifest.strip()

    with serve() as server:
        asyncio.run(scene(server.base_url))
