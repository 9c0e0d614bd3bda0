"""`GuidanceEvaluator`: what lies beyond an assistant, and how it says so."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError, EvaluationError
from ringtrue.evaluators.judged.guidance import (
    KEPT,
    GuidanceEvaluator,
    GuidanceEvaluatorConfig,
    InputGuidanceEval,
    Manifests,
    OutputGuidanceEval,
    generate_capability_manifest,
)
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.session import JudgeSession
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.structured.structured_model import StructuredModel

BEGINNING = "System: You can help with text tasks.\nUser: Make me a spreadsheet."
INPUT = InputGuidanceEval(
    conversation_history_full=BEGINNING + "\nAssistant: I cannot, but here is a CSV.",
    conversation_history_beginning_turn=BEGINNING,
)
TOOLS = [{"type": "function", "function": {"name": "adder", "parameters": {"type": "object", "properties": {"a": {}}}}}]
MESSAGES = [
    {"role": "system", "content": "TRUE SYSTEM PROMPT"},
    {"role": "user", "content": "Fly."},
    {"role": "assistant", "content": "I cannot."},
]


def scope(probability: float) -> dict[str, Any]:
    return {
        "capabilities_analysis": "a",
        "sufficient_capabilities": "b",
        "in_scope_reasoning": "c",
        "is_in_scope_probability": probability,
    }


def grace(score: Any) -> dict[str, Any]:
    return {"reasoning": "because", "score": score}


def run(*replies: Any, **settings: Any) -> OutputGuidanceEval:
    config = GuidanceEvaluatorConfig(**{"capability_manifest": "## Can\n- text"} | settings)
    return asyncio.run(GuidanceEvaluator(config=config, model=scripted_judge(replies)).run(INPUT))


def test_a_request_out_of_scope_is_graded() -> None:
    result = run(scope(10), grace(80))
    assert (result.applicable, result.score, result.reasoning) == (True, 80.0, "because")
    assert result.is_in_scope_reasoning.is_in_scope_probability == 10
    assert result.metadata["feedback"] is None
    assert result.metadata["calls"] == 2
    assert run(scope(10), grace(50)).metadata["feedback"] == "because"


def test_a_request_in_scope_is_not_applicable() -> None:
    result = run(scope(50))
    assert (result.applicable, result.score, result.status) == (False, 0.0, "skipped")
    assert result.is_in_scope_reasoning.in_scope_reasoning == "c"
    assert run(scope(50), grace(1), in_scope_probability_threshold=60).applicable


BROKEN = [
    ("scope-unreadable", ["?", "?"]),
    ("scope-out-of-range", [scope(500), scope(500)]),
    ("scope-on-another-scale", [scope(0.9), scope(0.9)]),
    ("grade-on-another-scale", [scope(0), grace(0.9), grace(0.9)]),
    ("grade-out-of-range", [scope(0), grace(101), grace(101)]),
    ("grade-in-words", [scope(0), grace("good"), grace("good")]),
]


@pytest.mark.parametrize("replies", [row[1] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_a_broken_judge_is_an_error(replies: list[Any]) -> None:
    result = run(*replies)
    assert (result.applicable, result.status, result.score) == (False, "error", 0.0)
    assert "no verdict" in result.reasoning
    # What was found before the judge broke is kept.
    judged = replies[0] if len(replies) > 2 else {}
    assert result.metadata["in_scope_reasoning"] == judged


def test_half_a_percent_is_asked_about_once() -> None:
    model = scripted_judge([scope(0.5), scope(1), grace(80)])
    result = asyncio.run(GuidanceEvaluator(capability_manifest="x", model=model).run(INPUT))
    assert (result.score, result.metadata["calls"]) == (80.0, 3)
    assert "percentage from 0 to 100" in str(model.asked[1].messages[-1]["content"])


def test_a_manifest_is_made_once_from_the_true_system_prompt_and_the_tools() -> None:
    config = GuidanceEvaluatorConfig()
    model = scripted_judge(["# Can\n- MADE", scope(0), grace(70), scope(0), grace(70), "# Can\n- OTHER", scope(90)])
    evaluator = GuidanceEvaluator(config=config, model=model)
    first = asyncio.run(evaluator.evaluate(MESSAGES, TOOLS))
    assert (first.score, first.metadata["calls"]) == (70.0, 3)
    asked = [str(request.messages[1]["content"]) for request in model.asked]
    assert "TRUE SYSTEM PROMPT" in asked[0]
    assert '"properties":{"a":{}}' in asked[0]
    assert "MADE" in asked[1]
    assert config == GuidanceEvaluatorConfig()
    assert asyncio.run(evaluator.evaluate(MESSAGES, TOOLS)).metadata["calls"] == 2
    other = asyncio.run(evaluator.evaluate([{"role": "system", "content": "X"}, *MESSAGES[1:]], TOOLS))
    assert other.metadata["capability_manifest"] == "# Can\n- OTHER"
    assert asyncio.run(evaluator.evaluate(MESSAGES[:2], TOOLS)).score == 0.0


def test_a_manifest_that_several_want_at_once_is_made_once() -> None:
    """And one that could not be made is tried again by the next."""

    class Slow:
        def __init__(self) -> None:
            self.inner = scripted_judge(lambda request: self.reply(str(request.messages[0]["content"])))
            self.manifests = 0

        def reply(self, said: str) -> Any:
            if "You describe what an assistant can" not in said:
                return scope(0) if "lies within" in said else grace(70)
            self.manifests += 1
            return "" if self.manifests == 1 else "# Can"

        async def ask(self, request: Any) -> Any:
            await asyncio.sleep(0)
            return await self.inner.ask(request)

    async def scene() -> list[str]:
        evaluator = GuidanceEvaluator(model=model)
        return [one.status for one in await asyncio.gather(*(evaluator.evaluate(MESSAGES, TOOLS) for _ in range(4)))]

    model = Slow()
    assert sorted(asyncio.run(scene())) == ["error", "scored", "scored", "scored"]
    assert model.manifests == 2


def test_only_the_last_manifests_are_kept() -> None:
    model = ScriptedModel(lambda request: "# Can")
    session, manifests = JudgeSession(StructuredModel(model), "m"), Manifests()

    async def scene() -> None:
        for number in range(KEPT + 1):
            await manifests.manifest(f"prompt {number}", (), session)
        await manifests.manifest(f"prompt {KEPT}", (), session)
        assert len(model.asked) == KEPT + 1
        await manifests.manifest("prompt 0", (), session)

    asyncio.run(scene())
    assert len(model.asked) == KEPT + 2


def test_generate_capability_manifest(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ScriptedModel(["# Can"])
    manifest = asyncio.run(generate_capability_manifest(system_prompt="P", tools=TOOLS, provider="openai", model=model))
    assert manifest == "# Can"
    assert "adder" in str(model.asked[0].messages[1]["content"])
    with pytest.raises(EvaluationError, match="manifest"):
        asyncio.run(generate_capability_manifest("P", model=ScriptedModel([""])))
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        asyncio.run(generate_capability_manifest("P", None, "openai", "gpt-5"))


def test_settings_are_checked() -> None:
    for wrong in ({"capability_manifest": " "}, {"in_scope_probability_threshold": 101}):
        with pytest.raises(ConfigurationError):
            GuidanceEvaluatorConfig(**wrong)
