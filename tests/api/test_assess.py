"""`assess`: several evaluations of one transcript."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.api.assess import assess, assess_sync
from ringtrue.dialects.evaluation_output import EvaluationOutput
from ringtrue.errors import ConfigurationError, UnknownName
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator, CheckCriteriaEvaluatorConfig
from ringtrue.evaluators.judged.config import BaseEvaluatorConfig
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.not_empty import NotEmpty
from ringtrue.models.request import Request

MESSAGES = [{"role": "user", "content": "Hi"}, {"role": "assistant", "content": "Hello!"}]
YES = {"reasoning": "", "met": "yes", "probability": 1.0}
RATED = {"reasoning": "", "rating": 5}


class Mine:
    """A user's class as the family documents it."""

    def __init__(self, config: Any = None) -> None:
        self.config = config

    async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
        return EvaluationOutput("mine", True, float(len(messages)), None, {"config": self.config})


class Broken:
    name = "broken"

    async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
        raise RuntimeError("on purpose")


class GivingUp:
    """One that lets its own cancelled task escape."""

    async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
        task = asyncio.create_task(asyncio.sleep(60))
        task.cancel()
        await task
        raise AssertionError


class Lying:
    async def evaluate(self, messages: Any, tools: Any) -> float:
        return 1.0


def judge(request: Request) -> dict[str, Any]:
    return RATED if "Rate the response" in str(request.messages[1]["content"]) else YES


CONFIGS = {"check_criteria": CheckCriteriaEvaluatorConfig(criteria=["polite"], model="m")}


def test_names_objects_and_classes_in_their_order() -> None:
    evaluator = CheckCriteriaEvaluator(criteria=["short", "kind"], model=scripted_judge([YES, YES]), name="own")
    found = asyncio.run(
        assess(
            MESSAGES,
            [],
            evaluations=[Broken(), "check_criteria", Mine, evaluator, NotEmpty(), "not_empty", Lying, "llm_judge"],
            evaluation_configs={**CONFIGS, "Mine": "anything"},
            model=scripted_judge(judge),
        )
    )
    names = ["broken", "check_criteria", "mine", "own", "not_empty", "not_empty", "Lying", "llm_judge"]
    assert [one.eval_name for one in found] == names
    assert [one.score for one in found] == [0, 100, 2, 100, 100, 100, 0, 100]
    assert "RuntimeError: on purpose" in found[0].metadata["error"]
    assert [one.status for one in found].count("error") == 2
    assert found[2].metadata["config"] == "anything"
    assert found[1].metadata["calls"] == 1


def test_an_evaluation_that_gives_up_hides_no_other_and_cancelling_still_works() -> None:
    found = asyncio.run(assess(MESSAGES, [], [GivingUp, "not_empty"]))
    assert [(one.eval_name, one.status) for one in found] == [("GivingUp", "error"), ("not_empty", "scored")]

    class Waiting:
        async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
            await asyncio.sleep(60)
            raise AssertionError

    async def scene() -> None:
        task = asyncio.create_task(assess(MESSAGES, [], [Waiting]))
        await asyncio.sleep(0.01)
        task.cancel()
        await task

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(scene())


def test_the_synchronous_twin_works_inside_a_running_loop() -> None:
    async def inside() -> list[EvaluationOutput]:
        return assess_sync(
            MESSAGES, None, ["check_criteria"], {"check_criteria": {"criteria": ["x"]}}, model=scripted_judge(judge)
        )

    assert asyncio.run(inside())[0].score == 100.0


WRONG: list[tuple[str, dict[str, Any], type[Exception], str]] = [
    ("unknown-name", {"evaluations": ["check_criterion"]}, UnknownName, "check_criteria"),
    ("no-evaluations", {"evaluations": []}, ConfigurationError, "evaluations"),
    ("a-string", {"evaluations": "check_criteria"}, ConfigurationError, "list"),
    (
        "stray-config",
        {"evaluations": ["not_empty"], "evaluation_configs": CONFIGS},
        ConfigurationError,
        "check_criteria",
    ),
    (
        "wrong-config-class",
        {"evaluations": ["tool_usage"], "evaluation_configs": {"tool_usage": BaseEvaluatorConfig(model="m")}},
        ConfigurationError,
        "ToolUsageEvaluatorConfig",
    ),
    (
        "unknown-setting",
        {"evaluations": ["tool_usage"], "evaluation_configs": {"tool_usage": {"treshold": 1}}},
        ConfigurationError,
        "treshold",
    ),
    ("no-concurrency", {"evaluations": ["not_empty"], "max_concurrency": 0}, ConfigurationError, "max_concurrency"),
    ("a-text-for-messages", {"messages": "Hi", "evaluations": ["not_empty"]}, ConfigurationError, "messages must be"),
    ("a-dict-for-tools", {"tools": {"name": "x"}, "evaluations": ["not_empty"]}, ConfigurationError, "tools must be"),
    (
        "a-list-for-configs",
        {"evaluations": ["not_empty"], "evaluation_configs": ["not_empty"]},
        ConfigurationError,
        "evaluation_configs must be a dict",
    ),
    ("a-class-that-is-none", {"evaluations": [dict]}, ConfigurationError, "not an evaluation"),
    ("no-evaluator", {"evaluations": [3]}, ConfigurationError, "evaluator"),
]


@pytest.mark.parametrize(("given", "kind", "shown"), [row[1:] for row in WRONG], ids=[row[0] for row in WRONG])
def test_a_wrong_plan_is_refused_before_the_first_call(
    given: dict[str, Any], kind: type[Exception], shown: str
) -> None:
    model = scripted_judge([])
    with pytest.raises(kind, match=shown):
        asyncio.run(assess(**{"messages": MESSAGES, "model": model} | given))
    assert model.asked == []


def test_a_missing_key_is_refused_before_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    with pytest.raises(ConfigurationError, match="OPENAI_API_KEY"):
        asyncio.run(assess(MESSAGES, [], ["check_criteria"], CONFIGS))


def test_no_more_at_once_than_allowed() -> None:
    under_way = most = 0

    class Slow:
        async def evaluate(self, messages: Any, tools: Any) -> EvaluationOutput:
            nonlocal under_way, most
            under_way += 1
            most = max(most, under_way)
            await asyncio.sleep(0.01)
            under_way -= 1
            return EvaluationOutput("slow", True, 1.0)

    asyncio.run(assess(MESSAGES, [], [Slow() for _ in range(6)], max_concurrency=2))
    assert most == 2


def test_the_run_of_a_transcript_says_how_its_numbers_were_made() -> None:
    """Signatures and thresholds are those of the evaluators themselves."""
    found = assess_sync(
        MESSAGES, [], ["check_criteria", "word_count(max_words=9)", Mine], CONFIGS, model=scripted_judge(judge)
    )
    infos = {one.name: (one.signature.partition("(")[0], one.threshold) for one in found.run.made.evaluators}
    assert infos["check_criteria"] == ("check_criteria=CheckCriteriaEvaluator", 0.75)
    assert infos["word_count"] == ("word_count=WordCount", 1.0)
    assert next(iter(found.run.rows)).scores["word_count"].passed
