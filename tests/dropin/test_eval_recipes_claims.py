"""eval-recipes' claim verification: its generator, its models, and what its notebooks do with the results."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from eval_recipes.evaluate import evaluate
from eval_recipes.evaluations.claim_verification import schemas
from eval_recipes.evaluations.claim_verification.claim_verification_evaluator import (
    ClaimVerificationEvaluator,
    ClaimVerificationEvaluatorConfig,
    InputClaimVerificationEvaluator,
    InputContext,
    OutputClaimVerificationEvaluator,
    OutputClaimVerificationEvaluatorMetrics,
)
from eval_recipes.schemas import BaseEvaluatorConfig

from support.judge_endpoint import JudgeEndpoint

SENTENCES = ["Dragons are growing in number.", "The woods are green."]
TEXT = " ".join(SENTENCES)
SOURCE = "The number of dragons has grown by 15 percent.\nThe woods are blue."
SAYS: dict[str, Any] = {
    "outcome": lambda schema, at: "whole" if "whole" in schema["enum"] else "clear",
    "claims": lambda schema, at: [SENTENCES[at]],
    "evidence": lambda schema, at: [at + 1],
    "open_domain_probability": 0,
    "verdict": lambda schema, at: ("supported", "contradicted")[at],
    "probability": lambda schema, at: (90, 10)[at],
}
MESSAGES: list[Any] = [
    {
        "type": "message",
        "role": "user",
        "content": [
            {"type": "input_text", "text": f"<document>\n{SOURCE}\n</document>"},
            {"type": "input_text", "text": "What is happening?"},
        ],
    },
    {"role": "assistant", "content": TEXT},
]


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeEndpoint]:
    with JudgeEndpoint(says=SAYS) as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.base_url)
        yield running


def given(text: str = TEXT, source: str = SOURCE) -> InputClaimVerificationEvaluator:
    context = InputContext(source_id="survey", title="Survey", content=source)
    return InputClaimVerificationEvaluator(text=text, user_question="What is happening?", source_context=[context])


async def collected(evaluator: ClaimVerificationEvaluator, input: InputClaimVerificationEvaluator) -> list[Any]:
    return [one async for one in evaluator.run(input)]


def test_claims_then_metrics(judge: JudgeEndpoint) -> None:
    evaluator = ClaimVerificationEvaluator(config=ClaimVerificationEvaluatorConfig())
    grown, green, metrics = asyncio.run(collected(evaluator, given()))
    assert isinstance(grown, OutputClaimVerificationEvaluator)
    assert grown.citations == grown.evidence
    assert grown.citations[0].model_dump(include={"source_id", "cited_text"}) == {
        "source_id": "survey",
        "cited_text": "The number of dragons has grown by 15 percent.",
    }
    assert (green.verdict, green.citations, green.evidence[0].cited_text) == ("contradicted", [], "The woods are blue.")
    assert TEXT[green.start_index : green.end_index] == green.sentence == SENTENCES[1]
    assert isinstance(metrics, OutputClaimVerificationEvaluatorMetrics)
    assert (metrics.total_claims, metrics.closed_domain_supported, metrics.ignore_metric_recommended) == (
        2,
        50.0,
        False,
    )
    assert [hasattr(one, "citations") for one in (grown, green, metrics)] == [True, True, False]
    assert "unverified_reasoning" in str(evaluator._feedback([grown, green]))
    assert "The woods are blue." in str(evaluator._feedback([green]))
    assert evaluator._feedback([grown]) is None


def test_an_empty_text_has_metrics_and_costs_nothing(judge: JudgeEndpoint) -> None:
    (metrics,) = asyncio.run(collected(ClaimVerificationEvaluator(), given("")))
    assert (metrics.total_claims, metrics.status, metrics.ignore_metric_recommended) == (0, "skipped", True)
    assert judge.asked == []


def test_a_transcript(judge: JudgeEndpoint) -> None:
    (found,) = asyncio.run(evaluate(MESSAGES, [], ["claim_verification"]))
    assert (found.eval_name, found.applicable, found.score) == ("claim_verification", True, 50.0)
    assert {name: found.metadata[name] for name in COUNTS} == dict(zip(COUNTS, (2, 1, 0, 2), strict=True))
    green = OutputClaimVerificationEvaluator.model_validate(found.metadata["claims"][1])
    assert (green.claim, green.citations) == (SENTENCES[1], [])
    assert SENTENCES[1] in str(found.feedback)
    assert "What is happening?" in str(judge.asked[0])


COUNTS = ("total_claims", "num_closed_domain_supported", "num_open_domain_claims", "total_claims_closed_domain")

MODELS: dict[str, tuple[BaseEvaluatorConfig, set[str]]] = {
    "as documented": (ClaimVerificationEvaluatorConfig(), {"gpt-5-mini", "gpt-5"}),
    "one model for all": (ClaimVerificationEvaluatorConfig(model="o3"), {"o3"}),
    "a plain config": (BaseEvaluatorConfig(model="o3"), {"o3"}),
    "a verifier of its own": (
        ClaimVerificationEvaluatorConfig(verification_model="o4-mini", verification_reasoning_effort="low"),
        {"gpt-5-mini", "o4-mini"},
    ),
}


@pytest.mark.parametrize(("config", "models"), MODELS.values(), ids=MODELS)
def test_who_is_asked(config: BaseEvaluatorConfig, models: set[str], judge: JudgeEndpoint) -> None:
    asyncio.run(evaluate(MESSAGES, [], ["claim_verification"], {"claim_verification": config}))
    assert {body["model"] for body in judge.asked} == models


def test_the_config_shows_its_documented_defaults() -> None:
    assert ClaimVerificationEvaluatorConfig().model_dump() == {
        "provider": "openai",
        "model": "gpt-5",
        "claim_extraction_model": "gpt-5-mini",
        "verification_model": "gpt-5",
        "verification_reasoning_effort": "high",
        "verification_threshold": 70,
        "is_open_domain_threshold": 50,
        "max_line_length": 200,
        "max_concurrency": 1,
        "ignore_tool_names": [],
    }


def test_leaving_early_ends_all_work(judge: JudgeEndpoint) -> None:
    async def scene() -> None:
        stream = ClaimVerificationEvaluator().run(given())
        async for _ in stream:
            break
        await stream.aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(scene())


def test_the_evaluators_module_has_the_schemas() -> None:
    assert (schemas.InputContext, schemas.OutputClaimVerificationEvaluator) == (
        InputContext,
        OutputClaimVerificationEvaluator,
    )


def test_the_steps_have_the_original_shapes() -> None:
    found = schemas.OutputClaimVerificationStep(proof="It says so.", citations=[])
    assert (found.verified_probability, found.open_domain_probability, found.is_open_domain) == (0, 0, False)
    sentence = schemas.OutputSentenceSplittingStep(
        sentence=SENTENCES[1],
        start_index=31,
        end_index=51,
        preceding_sentences=SENTENCES[:1],
        following_sentences=[],
        sentence_with_surrounding_context=TEXT,
    )
    assert TEXT[sentence.start_index : sentence.end_index] == sentence.sentence
