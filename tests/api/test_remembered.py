"""A repeated judgement costs no call, wherever it is asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.api.assess import assess, assess_sync
from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.claim_verification import (
    ClaimVerificationEvaluator,
    InputClaimVerificationEvaluator,
    InputContext,
)
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator, InputGuidanceEval, generate_capability_manifest
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.preference_adherence import InputUserPreferences, PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.tool_usage import InputTool, InputToolUsageEvaluator, ToolUsageEvaluator
from ringtrue.models.client.endpoint import Endpoint
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.structured.structured_model import StructuredModel
from ringtrue.records import Case, Output, Trial
from support.judge_endpoint import JudgeEndpoint

TOOL = {"type": "function", "function": {"name": "search", "description": "Search", "parameters": {}}}
MESSAGES = [
    {"role": "system", "content": "Avoid emojis."},
    {"role": "user", "content": "Which city is the capital of Peru?"},
    {"role": "assistant", "content": "Lima is the capital of Peru. It has ten million people."},
]
RUBRIC = {"quality": "string - how good is it?", "score": "number (0-100)"}
BEGINNING = "System: Avoid emojis.\nUser: Hi"
NAMES = ["check_criteria", "claim_verification", "guidance", "llm_judge", "preference_adherence", "tool_usage"]
ROWS = [{"question": "q", "answer": "a"}]
CONFIGS = {"check_criteria": {"criteria": ["It is short", "It is kind"]}}


@pytest.fixture
def judge(monkeypatch: pytest.MonkeyPatch) -> Iterator[JudgeEndpoint]:
    with JudgeEndpoint(says={"is_in_scope_probability": 5}) as served:
        monkeypatch.setenv("OPENAI_BASE_URL", served.base_url)
        yield served


def assessed(function: Callable[..., Any] = assess_sync, **options: Any) -> list[Any]:
    found = function(MESSAGES, [TOOL], NAMES, CONFIGS, **options)
    return asyncio.run(found) if asyncio.iscoroutine(found) else found


def shout(text: str) -> str:
    return text.upper()


def summary_of(found: list[Any]) -> list[Any]:
    return [(one.eval_name, one.applicable, one.score, one.feedback, one.status) for one in found]


def cost(found: list[Any]) -> tuple[int, int]:
    return sum(one.metadata["calls"] for one in found), sum(one.metadata["cache_hits"] for one in found)


def test_a_repeated_assess_costs_no_call(judge: JudgeEndpoint) -> None:
    """Each call finds its own endpoint in the environment; awaited and synchronous ones share."""
    first, again, in_sync = assessed(assess), assessed(assess), assessed(assess_sync)
    asked = len(judge.asked)
    assert asked >= 8
    assert cost(first) == (asked, 0)
    assert cost(again) == cost(in_sync) == (0, asked)
    assert summary_of(first) == summary_of(again) == summary_of(in_sync)
    assert {one.status for one in first} == {"scored", "skipped"}


def test_an_equal_endpoint_shares_and_one_with_another_key_does_not(judge: JudgeEndpoint) -> None:
    asked = [assessed(model=Endpoint(judge.base_url, key)) and len(judge.asked) for key in ("a", "a", "b", "a")]
    assert asked[0] == asked[1]
    assert asked[2] == asked[3] == 2 * asked[0]


def test_the_setting_turns_it_off(judge: JudgeEndpoint, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("RINGTRUE_CACHE", "0")
    first, again = cost(assessed()), cost(assessed())
    assert first == again == (len(judge.asked) // 2, 0)


async def claims() -> Any:
    source = InputContext(source_id="1", title="t", content="Peru is governed from Lima.")
    given = InputClaimVerificationEvaluator("Lima is the capital of Peru.", "Where?", [source])
    return [item async for item in ClaimVerificationEvaluator().run(given)][-1].total_claims


async def guidance() -> Any:
    return (await GuidanceEvaluator().run(InputGuidanceEval(BEGINNING, f"{BEGINNING}\nAssistant: No."))).score


async def preferences() -> Any:
    given = InputUserPreferences(BEGINNING, f"{BEGINNING}\nAssistant: No.")
    return (await PreferenceAdherenceEvaluator().run(given)).score


async def tools() -> Any:
    tool = InputTool(tool_name="search", tool_text="Search", was_called=True, threshold=50)
    return (await ToolUsageEvaluator().run(InputToolUsageEvaluator([tool], BEGINNING))).score


async def transcript() -> Any:
    return (await CheckCriteriaEvaluator(criteria=["It is short"]).evaluate(MESSAGES, [TOOL])).score


async def panel() -> Any:
    judges = [LLMJudge(), CheckCriteriaEvaluator(criteria=["It is short"])]
    return (await JudgePanel(judges).measure(Trial(Case(input="q"), Output("a")))).value


async def manifest() -> Any:
    return await generate_capability_manifest("You search.", [TOOL])


async def documented() -> Any:
    return await asyncio.to_thread(LLMJudge().score, {"question": "q", "answer": "a"}, {"response": "b"})


async def run_without_a_store() -> Any:
    found = await asyncio.to_thread(evaluate, shout, ROWS, ["llm_judge"], progress=False, store=None)
    return found.rows[0].scores


@pytest.mark.parametrize(
    "ask",
    [claims, guidance, preferences, tools, transcript, panel, manifest, documented, run_without_a_store],
    ids=lambda ask: ask.__name__,
)
def test_every_way_to_ask_is_free_the_second_time(ask: Callable[[], Any], judge: JudgeEndpoint) -> None:
    first = asyncio.run(ask())
    asked = len(judge.asked)
    assert asked
    assert asyncio.run(ask()) == first
    assert len(judge.asked) == asked


def test_an_audit_is_free_the_second_time(tmp_path: Path) -> None:
    (tmp_path / "fib.py").write_text("def fib(n): return n\n")

    def acting(body: dict[str, Any]) -> list[dict[str, Any]]:
        if len(body["messages"]) < 3:
            return [{"name": "read", "arguments": {"path": "fib.py", "start_line": 1}}]
        return [{"name": "finish", "arguments": {}}]

    with JudgeEndpoint("chat", acting=acting) as served:
        for turn in range(2):
            auditor = SemanticTestEvaluator(steps="Look.", rubric=RUBRIC, model=Endpoint(served.base_url))
            found = asyncio.run(auditor.run(working_dir=tmp_path))
            assert (found.metadata["calls"], found.metadata["cache_hits"]) == ((3, 0), (0, 3))[turn]
            assert found.metadata["audit"][0]["result"].startswith("fib.py: ")
        assert len(served.asked) == 3


def test_repeats_that_are_meant_are_asked(judge: JudgeEndpoint) -> None:
    judge.says |= {"rating": 3}
    for turn in range(2):
        score = asyncio.run(LLMJudge(repeats=3).measure(Trial(Case(input="q"), Output("a"))))
        assert score.metadata["repeats"]["values"] == [0.5] * 3
        assert (score.metadata["calls"], score.metadata["cache_hits"]) == ((3, 0), (0, 3))[turn]
    assert len(judge.asked) == 3


class Moody(JudgeEndpoint):
    """Fails as configured until it is well."""

    mood = ""

    def text(self, body: dict[str, Any]) -> str:
        return self.mood or super().text(body)


@pytest.mark.parametrize("mood", ["I would rather not say.", '{"nonce": "?"}'], ids=["unreadable", "wrong-nonce"])
def test_what_could_not_be_used_is_asked_again(mood: str) -> None:
    trial = Trial(Case(input="q"), Output("a"))
    with Moody("chat") as served:
        served.mood = mood
        judged = LLMJudge(served.base_url)
        assert asyncio.run(judged.measure(trial)).status == "error"
        assert len(served.asked) == 2
        served.mood = ""
        well = asyncio.run(LLMJudge(served.base_url).measure(trial))
        assert (well.status, well.calls) == ("scored", 1)
        assert asyncio.run(judged.measure(trial)).metadata["cache_hits"] == 1
        assert len(served.asked) == 3


class Warmer:
    """A user's model around another one, which it asks at a temperature of its own."""

    def __init__(self, model: Endpoint, temperature: float) -> None:
        self.model, self.temperature = model, temperature

    async def ask(self, request: Request) -> Reply:
        parameters = {**request.parameters, "temperature": self.temperature}
        return await self.model.ask(replace(request, parameters=parameters))


@pytest.mark.parametrize("stored", [False, True], ids=["memory", "store"])
def test_wrappers_around_one_endpoint_do_not_share(judge: JudgeEndpoint, tmp_path: Path, stored: bool) -> None:
    store = f"sqlite:///{tmp_path / 'runs'}.db" if stored else None
    for warm in (0.2, 0.9):
        model = Warmer(Endpoint(judge.base_url), warm)
        evaluate(
            shout, [{"question": "q", "answer": "a"}], [LLMJudge(model)], progress=False, store=store, fresh=stored
        )
    assert [body["temperature"] for body in judge.asked] == [0.2, 0.9]


def test_an_endpoint_that_cannot_be_reached_is_asked_again() -> None:
    trial = Trial(Case(input="q"), Output("a"))
    with JudgeEndpoint("chat") as served:
        address = served.base_url
        gone = LLMJudge(Endpoint("http://127.0.0.1:9/v1", max_retries=0))
        for _ in range(2):
            assert asyncio.run(gone.measure(trial)).metadata["calls"] == 1
        assert asyncio.run(LLMJudge(address).measure(trial)).calls == 1


def test_what_an_endpoint_refuses_is_not_tried_again() -> None:
    """Refusals are in no cache: what they taught is remembered, so that a repeat does not run into them."""
    with JudgeEndpoint("responses") as served:
        trial = Trial(Case(input="q"), Output("a"))
        first, again = (asyncio.run(LLMJudge(served.base_url).measure(trial)) for _ in range(2))
    assert first.calls == 2, "the chat call is refused first"
    assert (again.calls, again.metadata["cache_hits"]) == (0, 1)


def test_a_store_is_used_where_there_is_one(judge: JudgeEndpoint, tmp_path: Path) -> None:
    """What the process remembers is not written into a store, nor taken in place of it."""
    for number, store in enumerate(["one", "two", "one"]):
        evaluate(shout, ROWS, ["llm_judge"], progress=False, store=f"sqlite:///{tmp_path / store}.db", fresh=True)
        assert len(judge.asked) == (1, 2, 2)[number]


def test_what_could_not_be_used_is_asked_again_past_a_store(tmp_path: Path) -> None:
    """A row whose judge failed is judged again by the next run; then its verdict is kept."""
    store = f"sqlite:///{tmp_path / 'runs'}.db"
    with Moody("chat") as served:
        found = []
        for mood in ("No comment.", "No comment.", "", ""):
            served.mood, before = mood, len(served.asked)
            run = evaluate(shout, ROWS, [LLMJudge(served.base_url)], progress=False, store=store, fresh=True)
            found.append((len(served.asked) - before, run.rows[0].scores.get("judge_score")))
    assert found == [(2, None), (2, None), (1, 0.0), (0, 0.0)]


def test_a_judge_at_another_temperature_judges_again(judge: JudgeEndpoint, tmp_path: Path) -> None:
    """Its signature says what every request carries: no stored score passes for another judge's."""
    store = f"sqlite:///{tmp_path / 'runs'}.db"
    judges = [
        LLMJudge(StructuredModel(Endpoint(judge.base_url), parameters={"temperature": t})) for t in (0.2, 0.9, 0.2)
    ]
    for one in judges:
        evaluate(shout, ROWS, [one], progress=False, store=store)
    assert [body["temperature"] for body in judge.asked] == [0.2, 0.9]
    assert judges[0].signature() == judges[2].signature() != judges[1].signature()
