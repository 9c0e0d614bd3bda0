"""What is captured of requests to providers, kept in a journal, and counted."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import openai
import openai._base_client
import pytest
from multivon_eval import (
    AnthropicAdapter,
    CustomRubric,
    EvalCase,
    EvalGateFailure,
    EvalReport,
    EvalSuite,
    JudgeConfig,
    JudgeUnavailable,
    OpenAIAdapter,
    ProviderJournal,
    account_provider_events,
    capture_provider_events,
    provider_events,
    provider_http_hooks,
)
from multivon_eval.judge import make_judge_call
from multivon_eval.provider_accounting import native_tokens
from multivon_eval.provider_http import google_http_options, sdk_http_client
from ringtrue.reports.canonical import sealed

from support.saying import SayingEndpoint

httpx: Any = getattr(openai._base_client, "httpx2", None) or vars(openai._base_client)["httpx"]
"""The library that the vendors' clients speak HTTP by."""
SECRET = "sk-never-kept"


def kinds(events: list[dict[str, Any]]) -> list[str]:
    return [event["kind"] for event in events]


def judged(endpoint: SayingEndpoint, **settings: Any) -> JudgeConfig:
    return JudgeConfig(**{"provider": "openai", "model": "m", "base_url": endpoint.base_url, **settings}).resolve()


def test_a_judges_request_is_captured_without_its_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with SayingEndpoint("Yes") as endpoint, capture_provider_events(labels={"night": 1}) as capture:
        make_judge_call("Is it?", judged(endpoint))
    found = capture.snapshot()
    assert kinds(found["events"]) == [
        "capture_started", "operation_started", "http_request", "http_response", "operation_finished",
        "capture_finished",
    ]  # fmt: skip
    request = found["events"][2]
    assert (request["role"], request["provider"], request["labels"]) == ("judge", "openai", {"night": 1})
    assert request["request"]["body"]["value"]["messages"][0]["content"] == "Is it?"
    assert found["events"][3]["response"]["usage"] == {"prompt_tokens": 10, "completion_tokens": 5}
    assert (found["state"], found["coverage_gaps"], found["requests_without_complete_response"]) == ("closed", [], [])
    assert SECRET not in json.dumps(found)


def test_nothing_is_kept_without_a_capture() -> None:
    with capture_provider_events() as capture:
        pass
    with SayingEndpoint("Yes") as endpoint:
        make_judge_call("Is it?", judged(endpoint))
    assert kinds(capture.events) == ["capture_started", "capture_finished"]


def test_a_request_that_failed_stays_unanswered() -> None:
    judge = JudgeConfig("openai", "m", "http://127.0.0.1:9/v1", timeout=1).resolve()
    with capture_provider_events() as capture, pytest.raises(JudgeUnavailable):
        make_judge_call("Is it?", judge)
    found = capture.snapshot()
    assert len(found["requests_without_complete_response"]) == 1
    assert found["events"][-2]["error"]["type"] == "ModelError"
    costs = account_provider_events(found["events"], coverage_declaration="all of it")
    assert (costs.total_calls, costs.complete, costs.total_cost_usd) == (1, False, None)
    assert "no whole response" in costs.evidence_gaps[0]


def test_a_run_is_captured_with_targets_and_judges(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever thread asks; and then a budget can be kept."""
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    with SayingEndpoint("Yes") as endpoint, ProviderJournal(tmp_path / "events.sqlite") as journal:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
        rubric = CustomRubric([("Is it short?", True)], judge=judged(endpoint), threshold=0.5)
        suite = EvalSuite("s").add_cases([EvalCase("a"), EvalCase("b")]).add_evaluator(rubric)
        with capture_provider_events(journal=journal) as capture:
            report = suite.run(OpenAIAdapter("m"), verbose=False)
        kept = {event["event_id"] for event in journal.events()}
    assert {event["event_id"] for event in capture.events} == kept
    assert {event["event_id"] for event in provider_events(report)} < kept
    costs = account_provider_events(
        capture.events,
        price_estimator=lambda request, response: {"cost_usd": 0.01, "provenance": {"source": "this test"}},
        coverage_declaration="the suite asks nobody else",
    )
    assert sorted(row["role"] for row in costs.evidence["requests"]) == ["judge", "judge", "target", "target"]
    assert (costs.total_calls, costs.total_tokens, costs.complete) == (4, 60, True)
    report.costs = costs
    report.assert_budget(max_total_cost_usd=0.04, max_total_tokens=60, max_avg_cost_per_case_usd=0.02)
    with pytest.raises(EvalGateFailure, match="Total tokens 60 exceeds"):
        report.assert_budget(max_total_tokens=59)
    again = EvalReport.from_dict(json.loads(report.to_json()))
    assert (again.costs, provider_events(again)) == (costs, provider_events(report))


def reply(request: Any) -> Any:
    if request.url.path == "/stream":
        return httpx.Response(200, text="data: x\n\n", headers={"content-type": "text/event-stream"})
    return httpx.Response(200, json={"usage": {"input_tokens": 3, "output_tokens": 1}}, headers={"request-id": "r1"})


def test_an_httpx_client_is_watched_by_hooks() -> None:
    hooks = provider_http_hooks()
    with httpx.Client(transport=httpx.MockTransport(reply), event_hooks=hooks) as client:
        client.post("https://host/before", json={})
        with capture_provider_events() as capture:
            client.post(
                f"https://user:{SECRET}@host/v1?api_key={SECRET}&page=1",
                json={"model": "m"},
                headers={"x-api-key": SECRET},
                timeout=7,
            )
    _, request, response, _ = capture.events
    assert request["request"]["body"]["value"] == {"model": "m"}
    assert request["request"]["timeout"]["read"] == 7
    assert request["request"]["redacted"] == ["query.api_key", "url.userinfo"]
    assert (response["response"]["usage"]["input_tokens"], response["response"]["headers"]["request-id"]) == (3, "r1")
    assert SECRET not in json.dumps(capture.snapshot())


def test_an_awaited_client_and_a_stream() -> None:
    async def scene() -> dict[str, Any]:
        hooks = provider_http_hooks(asynchronous=True)
        async with httpx.AsyncClient(transport=httpx.MockTransport(reply), event_hooks=hooks) as client:
            with capture_provider_events() as capture:
                await client.post("https://host/v1", json={})
                async with client.stream("POST", "https://host/stream", json={"stream": True}) as response:
                    assert await response.aread() == b"data: x\n\n"
        return capture.snapshot()

    found = asyncio.run(scene())
    assert [event["response"]["body"] is None for event in found["events"] if event["kind"] == "http_response"] == [
        False,
        True,
    ]
    assert "streamed" in found["coverage_gaps"][0]["reason"]


def test_a_vendors_own_client_is_watched() -> None:
    with SayingEndpoint("Yes") as endpoint, sdk_http_client(openai) as watched:
        client = openai.OpenAI(api_key=SECRET, base_url=endpoint.base_url, http_client=watched)
        with capture_provider_events() as capture:
            client.chat.completions.create(model="m", messages=[{"role": "user", "content": "Is it?"}])
    (response,) = [event for event in capture.events if event["kind"] == "http_response"]
    assert response["response"]["body"]["value"]["choices"][0]["message"]["content"] == "Yes"
    assert SECRET not in json.dumps(capture.snapshot())
    awaited = sdk_http_client(openai, asynchronous=True)
    assert len(awaited.event_hooks["response"]) == 1
    asyncio.run(awaited.aclose())
    options = google_http_options(9)
    assert (options["timeout"], list(options["client_args"]["event_hooks"])) == (9000, ["request", "response"])


def test_an_adapters_client_belongs_to_a_call() -> None:
    class Messages:
        def create(self, **settings: Any) -> Any:
            return type("R", (), {"content": [type("T", (), {"text": "Yes", "type": "text"})()], "usage": None})()

    client = type("C", (), {"messages": Messages()})()
    with capture_provider_events() as capture:
        assert AnthropicAdapter("m", client=client)("Is it?") == "Yes"
    assert kinds(capture.events)[1:3] == ["operation_started", "operation_finished"]
    assert capture.snapshot()["coverage_gaps"][0]["reason"] == "No instrumented HTTP request observed"


TOKENS = [
    ("anthropic", {"input_tokens": 11, "output_tokens": 3, "cache_read_input_tokens": 7}, (18, 3)),
    ("anthropic", {"prompt_tokens": 4, "completion_tokens": 1}, (4, 1)),
    ("openai", {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14, "details": {}}, (11, 3)),
    ("openai", {"input_tokens": 11, "output_tokens": 3}, (11, 3)),
    ("google", {"promptTokenCount": 11, "candidatesTokenCount": 3, "thoughtsTokenCount": 2}, (11, 5)),
]


@pytest.mark.parametrize(("provider", "usage", "both"), TOKENS)
def test_tokens_in_the_providers_words(provider: str, usage: dict[str, Any], both: tuple[int, int]) -> None:
    assert native_tokens(provider, usage) == both


@pytest.mark.parametrize(
    ("provider", "usage"),
    [
        ("openai", None),
        ("openai", {"prompt_tokens": -1, "completion_tokens": 1}),
        ("openai", {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 9}),
        ("unknown", {"prompt_tokens": 1, "completion_tokens": 1}),
    ],
)
def test_tokens_that_are_not_told_are_not_zero(provider: str, usage: Any) -> None:
    with pytest.raises(ValueError, match=r"missing|inconsistent"):
        native_tokens(provider, usage)


@pytest.fixture
def events() -> list[dict[str, Any]]:
    with SayingEndpoint("Yes") as endpoint, capture_provider_events() as capture:
        make_judge_call("Is it?", judged(endpoint))
    return capture.events


@pytest.mark.parametrize(
    "missing", ["http_response", "capture_started", "capture_finished", "operation_started", "operation_finished"]
)
def test_no_declaration_makes_up_for_what_is_missing(events: list[dict[str, Any]], missing: str) -> None:
    assert account_provider_events(events, coverage_declaration="all").complete
    costs = account_provider_events([one for one in events if one["kind"] != missing], coverage_declaration="all")
    assert costs.evidence_gaps
    assert not costs.complete


def test_copies_count_once_and_changes_are_refused(events: list[dict[str, Any]]) -> None:
    assert account_provider_events(events + events).total_calls == 1
    with pytest.raises(ValueError, match="digest"):
        account_provider_events([{**events[0], "labels": {"forged": True}}])
    other = {**events[0], "labels": {"forged": True}}
    del other["digest"]
    with pytest.raises(ValueError, match="one name"):
        account_provider_events([events[0], sealed(other)])
    assert not account_provider_events([], coverage_declaration="nothing").complete


@pytest.mark.parametrize("estimate", [{}, {"cost_usd": -1, "provenance": {"a": 1}}, {"cost_usd": 1, "provenance": {}}])
def test_a_wrong_estimate_leaves_the_tokens(events: list[dict[str, Any]], estimate: dict[str, Any]) -> None:
    costs = account_provider_events(events, price_estimator=lambda *_: estimate, coverage_declaration="all")
    assert (costs.total_tokens, costs.complete, costs.total_cost_usd) == (15, True, None)
    assert costs.evidence["requests"][0]["pricing_error"]


def test_a_changed_journal_is_refused(tmp_path: Path, events: list[dict[str, Any]]) -> None:
    with ProviderJournal(tmp_path / "j.sqlite") as journal:
        for event in events:
            journal.append(event)
        with pytest.raises(ValueError, match="digest"):
            journal.append({**events[0], "kind": "other"})
    with ProviderJournal(tmp_path / "j.sqlite") as again:
        assert again.events() == events
        again._connection.execute("UPDATE provider_events SET event_id = 'x' WHERE sequence = 1")
        with pytest.raises(ValueError, match="digest mismatch"):
            again.events()
