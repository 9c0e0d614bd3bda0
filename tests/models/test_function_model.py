"""Models of one's own: functions of the prompt, and objects whose `ask` is of another kind."""

from __future__ import annotations

import asyncio
import json
import threading
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import CheckCriteriaEvaluator, LLMJudge
from ringtrue.models import Reply, Request, StructuredModel
from ringtrue.models.function_model import FunctionModel, as_model
from ringtrue.records import Case, Output, Trial

TRIAL = Trial(Case(input="What is 2+2?", expected=("4",)), Output("It is 4."))


def verdict(prompt: str) -> str:
    nonce = prompt.split('Put "')[1].split('"')[0]
    return "Let me see. " + json.dumps({"reasoning": "right", "rating": 5, "nonce": nonce})


async def awaited(prompt: str) -> str:
    await asyncio.sleep(0)
    return verdict(prompt)


class CalledObject:
    def __call__(self, prompt: str) -> str:
        return verdict(prompt)


class SyncAsk:
    def ask(self, request: Request) -> Reply:
        return Reply(verdict(str(request.messages[-1]["content"])))


class TextAsk:
    async def ask(self, request: Request) -> str:
        return verdict(str(request.messages[-1]["content"]))


async def awaited_value(prompt: str) -> dict[str, Any]:
    return {"rating": 5}


@pytest.mark.parametrize(
    "model",
    [
        verdict,
        awaited,
        CalledObject(),
        lambda prompt: Reply(verdict(prompt)),
        SyncAsk(),
        lambda prompt: {"rating": 5},
        awaited_value,
    ],
    ids=["function", "coroutine", "object", "reply", "sync-ask", "dict-without-nonce", "awaited-dict"],
)
@pytest.mark.parametrize("place", ["base_url", "model"])
def test_all_of_these_are_judges(model: Any, place: str) -> None:
    score = asyncio.run(LLMJudge(**{place: model}).measure(TRIAL))
    assert (score.value, score.calls) == (1.0, 1)


def test_every_judge_takes_a_function() -> None:
    prompts: list[str] = []

    def judge(prompt: str) -> str:
        prompts.append(prompt)
        nonce = prompt.split('Put "')[1].split('"')[0]
        return json.dumps({"reasoning": "", "met": "yes", "probability": 0.9, "nonce": nonce})

    evaluator = CheckCriteriaEvaluator(model=judge, criteria=["It is short."])
    assert asyncio.run(evaluator.measure(TRIAL)).value == 0.9
    assert "You check whether" in prompts[0], "the instructions are in the prompt"
    assert '"probability"' in prompts[0], "and so is the form of the reply"


def test_a_function_that_blocks_blocks_no_one() -> None:
    threads: set[str] = set()

    def judge(prompt: str) -> str:
        threads.add(threading.current_thread().name)
        return verdict(prompt)

    asyncio.run(LLMJudge(model=judge).measure(TRIAL))
    assert threading.current_thread().name not in threads


def test_what_a_function_raises_or_gives_is_an_error_of_that_score() -> None:
    def broken(prompt: str) -> str:
        raise RuntimeError("out of paper")

    score = asyncio.run(LLMJudge(model=broken).measure(TRIAL))
    assert (score.status, "out of paper" in score.reason) == ("error", True)
    score = asyncio.run(LLMJudge(model=lambda prompt: 5).measure(TRIAL))
    assert (score.status, "not a text" in score.reason) == ("error", True)
    score = asyncio.run(LLMJudge(model=lambda prompt: '{"rating": 5}').measure(TRIAL))
    assert (score.status, "may return its verdict as a dict" in score.reason) == ("error", True)
    score = asyncio.run(LLMJudge(model=lambda prompt: {"rating": 9}).measure(TRIAL))
    assert (score.status, "at rating" in score.reason) == ("error", True)


@pytest.mark.parametrize("wrong", [42, None, FunctionModel, []])
def test_what_is_not_a_model_is_refused(wrong: Any) -> None:
    with pytest.raises(ConfigurationError, match="a function of the prompt"):
        as_model(wrong)


def test_two_models_are_one_too_many() -> None:
    with pytest.raises(ConfigurationError, match="two models"):
        LLMJudge(verdict, model=verdict)


def test_a_models_own_ask_that_gives_text_is_taken() -> None:
    score = asyncio.run(LLMJudge(TextAsk()).measure(TRIAL))
    assert (score.status, score.value) == ("scored", 1.0)
    assert StructuredModel(TextAsk()).target("m")[1] == "m"
