"""How long a model may take, what an endpoint that is down costs, and what its answers teach."""

from __future__ import annotations

import asyncio
import gc
import re
import time
from typing import Any
from weakref import ref

import pytest

from ringtrue.errors import ModelError
from ringtrue.models import Endpoint, Question, Reply, Request, ScriptedModel, StructuredModel
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.models.client.silence import unless_silent
from ringtrue.models.patience import JUDGE_SECONDS, AnswerTimes, deadline_for, judge_seconds
from ringtrue.models.structured import structured_model as module
from ringtrue.models.structured.structured_model import Answer, NoValue, Outcome
from ringtrue.models.usage import Usage
from support.endpoint import EndpointServer

SCHEMA = {"type": "object", "properties": {"p": {"type": "number"}}, "required": ["p"], "additionalProperties": False}
GOOD = '{"p": 1}'
QUESTION = Question([{"role": "user", "content": f"[[{GOOD}]]"}], SCHEMA)


def http(status: int, message: str = "it does not work") -> ModelError:
    return ModelError(f"answered {status}: {message}", kind="http", status=status)


def asked(model: Any, times: int = 1, **limits: Any) -> list[Outcome]:
    async def scene() -> list[Outcome]:
        structured = StructuredModel(model)
        return [await structured.ask(QUESTION, "m", **limits) for _ in range(times)]

    return asyncio.run(scene())


def over_http(server: EndpointServer, limits: dict[str, Any], **settings: Any) -> tuple[Outcome, float]:
    async def scene() -> tuple[Outcome, float]:
        async with Endpoint(server.base_url, retries=RetryPolicy(5, base_seconds=0.01), **settings) as endpoint:
            started = time.monotonic()
            outcome = await StructuredModel(endpoint, remember=False).ask(QUESTION, "m", **limits)
            return outcome, time.monotonic() - started

    return asyncio.run(scene())


def test_a_judge_has_ten_minutes_and_more_with_an_effort() -> None:
    assert judge_seconds({}) == JUDGE_SECONDS == 600
    assert judge_seconds({"reasoning_effort": "high"}) == judge_seconds({"reasoning": {"effort": "high"}}) == 1200
    assert judge_seconds({"reasoning_effort": "low", "reasoning": 3}) == 600
    assert [deadline_for(seconds) for seconds in (1, 60, 600)] == [5, 300, 1800]


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ([0.05] * 19, [float("inf")] * 2),
        ([0.05] * 20, [3.0, 6.0]),
        ([1.0] * 99 + [50.0], [6.0, 12.0]),
        ([1.0] * 97 + [50.0] * 3, [300.0, 600.0]),
        ([50.0] * 20 + [1.0] * 300, [6.0, 12.0]),
    ],
    ids=["too few", "the floor", "one slow of a hundred", "three slow of a hundred", "the latest count"],
)
def test_silence_is_far_beyond_what_answers_take(answers: list[float], wanted: list[float]) -> None:
    times = AnswerTimes()
    for seconds in answers:
        times.note(seconds)
    assert [times.silence_seconds(given_up) for given_up in (0, 1)] == wanted


@pytest.mark.parametrize(
    ("model", "limits", "wanted"),
    [
        ({}, {}, 600.0),
        ({"parameters": {"reasoning_effort": "high"}}, {}, 1200.0),
        ({"timeout_seconds": 7}, {}, 7),
        ({"timeout_seconds": 7}, {"timeout_seconds": 5}, 5),
    ],
)
def test_a_request_carries_how_long_it_may_take(model: Any, limits: Any, wanted: float) -> None:
    scripted = ScriptedModel([GOOD])
    asyncio.run(StructuredModel(scripted, **model).ask(QUESTION, "m", **limits))
    assert scripted.asked[0].timeout_seconds == wanted
    assert "timeout" not in scripted.asked[0].body().decode()
    assert Request("e", "m", [], timeout_seconds=1).key() == Request("e", "m", [], timeout_seconds=2).key()


def test_an_endpoints_own_time_is_kept_where_no_one_says_otherwise(server: EndpointServer) -> None:
    server.plan(sequence=["hang"] * 9)
    outcome, seconds = over_http(server, {}, timeout_seconds=0.2)
    assert isinstance(outcome, NoValue)
    assert (outcome.kind, seconds < 30) == ("timeout", True)
    server.plan(sequence=["hang"] * 9)
    outcome, seconds = over_http(server, {"timeout_seconds": 0.1})
    assert isinstance(outcome, NoValue)
    assert seconds < 30, "what the question says wins over the endpoint's sixty seconds"


def test_after_a_timeout_the_next_attempt_has_more_time(server: EndpointServer) -> None:
    """What takes 1.1 s is never answered by attempts of 1 s, however many."""
    server.plan(latency_seconds=1.1)
    outcome, _ = over_http(server, {"timeout_seconds": 1})
    assert isinstance(outcome, Answer)
    assert (outcome.reply.attempts, outcome.reply.timeouts) == (2, 1)
    assert outcome.usage.cost is None
    assert outcome.usage.tokens is None, "the first attempt was charged, too, and nobody knows how much"


def test_what_timed_out_cost_no_one_knows_what(server: EndpointServer) -> None:
    server.plan(sequence=["hang"] * 9)
    outcome, _ = over_http(server, {"timeout_seconds": 0.3})
    assert outcome.usage.calls >= 2
    assert (outcome.usage.cost, outcome.usage.tokens) == (None, None)
    refused = Usage.of(http(401))
    assert (refused.calls, refused.cost, refused.tokens) == (1, 0.0, 0)


def test_no_attempt_begins_without_time_for_it(server: EndpointServer) -> None:
    server.plan(sequence=["hang"] * 9)
    outcome, _ = over_http(server, {"timeout_seconds": 0.2})
    assert isinstance(outcome, NoValue)
    assert "another attempt would not end within 1 s" in outcome.reason
    last = re.search(r"in ([\d.]+) s;", outcome.reason)
    assert last is not None
    assert float(last[1]) >= 0.1, "the last attempt had time, too"


@pytest.mark.parametrize(("fault", "requests"), [("500", 6), ("503", 6), ("reset", 6)])
def test_an_endpoint_that_is_down_gets_six_requests_a_question(
    server: EndpointServer, fault: str, requests: int
) -> None:
    server.plan(sequence=[fault] * 40, retry_after=0)
    outcome, _ = over_http(server, {"temperature": 0.0})
    assert isinstance(outcome, NoValue)
    assert (outcome.usage.calls, server.stats()["requests"]) == (requests, requests)


@pytest.mark.parametrize("status", [500, 502, 503, 429])
def test_what_breaks_teaches_nothing(status: int) -> None:
    """Some seconds of 500 must not cost the strict schema for good."""
    model = ScriptedModel([http(status), GOOD])
    first, second = asked(model, 2)
    assert isinstance(first, NoValue)
    assert isinstance(second, Answer)
    assert [request.parameters["response_format"]["type"] for request in model.asked] == ["json_schema"] * 2


@pytest.mark.parametrize("status", [400, 415, 422, 501])
def test_what_says_it_does_not_know_costs_the_schema(status: int) -> None:
    def server(request: Request) -> Any:
        schema = request.parameters.get("response_format", {}).get("type") == "json_schema"
        return http(status, "response_format json_schema is unknown") if schema else GOOD

    model = ScriptedModel(server)
    outcome, again = asked(model, 2)
    assert isinstance(outcome, Answer)
    assert isinstance(again, Answer)
    assert (outcome.mode, outcome.usage.calls, again.usage.calls) == ("json", 2, 1)


def test_the_better_way_is_tried_again_later(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1_000_000.0]
    monkeypatch.setattr(module.time, "time", lambda: now[0])
    knows = [False]

    def server(request: Request) -> Any:
        schema = request.parameters.get("response_format", {}).get("type") == "json_schema"
        return http(400, "json_schema is unknown") if schema and not knows[0] else GOOD

    async def scene() -> list[str]:
        structured = StructuredModel(ScriptedModel(server))
        modes = []
        for seconds in (0, 10, module.AGAIN_AFTER_SECONDS + 1, 10):
            now[0] += seconds
            knows[0] = seconds > 10 or knows[0]
            outcome = await structured.ask(QUESTION, "m")
            assert isinstance(outcome, Answer)
            modes.append(outcome.mode)
        return modes

    assert asyncio.run(scene()) == ["json", "json", "schema", "schema"]


def test_verdicts_are_asked_for_at_temperature_0_where_the_endpoint_takes_it() -> None:
    def refusing(request: Request) -> Any:
        refused = "temperature" in request.parameters
        return http(400, "Unsupported value: 'temperature' does not support 0 with this model") if refused else GOOD

    willing, unwilling = ScriptedModel([GOOD] * 2), ScriptedModel(refusing)
    asked(willing, 2, temperature=0.0)
    assert [request.parameters["temperature"] for request in willing.asked] == [0.0, 0.0]
    outcomes = asked(unwilling, 2, temperature=0.0)
    assert [one.usage.calls for one in outcomes] == [2, 1]
    assert all(request.parameters["response_format"]["type"] == "json_schema" for request in unwilling.asked)


def test_a_complaint_that_names_nothing_costs_the_temperature_or_the_schema_and_not_both() -> None:
    for refused in ("temperature", "response_format"):

        def server(request: Request, refused: str = refused) -> Any:
            return http(400, "bad request") if _holds(request, refused) else GOOD

        (outcome,) = asked(model := ScriptedModel(server), temperature=0.0)
        assert isinstance(outcome, Answer)
        last = model.asked[-1].parameters
        assert ("temperature" in last) is (refused != "temperature")
        assert _holds(model.asked[-1], "response_format") is (refused == "temperature")


def _holds(request: Request, what: str) -> bool:
    form = request.parameters.get("response_format", {})
    return what in request.parameters if what == "temperature" else form.get("type") == "json_schema"


def test_no_temperature_is_tried_on_models_that_are_known_to_take_none() -> None:
    model = ScriptedModel([GOOD])
    asyncio.run(StructuredModel(model).ask(QUESTION, "gpt-5-mini", temperature=0.0))
    assert "temperature" not in model.asked[0].parameters


def test_who_refuses_the_key_is_not_asked_two_hundred_times() -> None:
    model = ScriptedModel(lambda request: http(401, "no such key"))
    outcomes = asked(model, 200)
    assert len(model.asked) == module.MOST_DENIALS
    assert all(isinstance(one, NoValue) for one in outcomes)
    assert [one.status for one in outcomes if isinstance(one, NoValue)][:5] == [401] * 5
    last = outcomes[-1]
    assert isinstance(last, NoValue)
    assert (last.kind, last.usage.calls) == ("denied", 0)


def test_a_refusal_now_and_then_stops_no_one() -> None:
    turns = iter(range(100))
    model = ScriptedModel(lambda request: http(403) if next(turns) % 3 else GOOD)
    asked(model, 60)
    assert len(model.asked) == 60


def test_a_model_of_ones_own_has_a_time_too() -> None:
    async def slow(prompt: str) -> Reply:
        await asyncio.sleep(30)
        raise AssertionError(prompt)

    (outcome,) = asked(slow, timeout_seconds=0.05)
    assert isinstance(outcome, NoValue)
    assert (outcome.kind, outcome.usage.cost) == ("timeout", None)


def test_a_request_that_ended_leaves_nothing_to_the_garbage_collector() -> None:
    """Thousands are under way in a run: what only the collector can free costs more than the requests do."""
    times = AnswerTimes()
    held = ref(times)
    gc.disable()
    try:
        assert asyncio.run(unless_silent(asyncio.sleep(0, "answer"), times, 0)) == "answer"
        del times
        assert held() is None
    finally:
        gc.enable()
