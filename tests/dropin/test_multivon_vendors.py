"""Where a vendor's package is installed, it asks its vendor; what it is told, and what is seen of that."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import openai
import pytest
from multivon_eval import JudgeConfig, JudgeUnavailable, capture_provider_events, provider_http_hooks
from multivon_eval.costs import CostTracker, reset_token, set_active_tracker
from multivon_eval.judge import make_judge_call, make_judge_call_async
from multivon_eval.vision import call_vision

from support.fake_modules import fake_module
from support.json_server import JsonServer
from support.media import png
from support.saying import SayingEndpoint

SECRET = "sk-never-kept"
AWAITED = pytest.mark.parametrize("awaited", [False, True], ids=["called", "awaited"])


def asked(config: JudgeConfig, awaited: bool) -> str:
    if awaited:
        return asyncio.run(make_judge_call_async("Is it?", config.resolve()))
    return make_judge_call("Is it?", config.resolve())


def led_to(endpoint: SayingEndpoint) -> Callable[..., Any]:
    """Makes a package's HTTP client that asks the endpoint instead of the vendor."""

    def client(package: Any, *, asynchronous: bool = False) -> Any:
        def lead(request: Any) -> None:
            request.url = request.url.copy_with(
                scheme="http", host="127.0.0.1", port=int(endpoint.root.rpartition(":")[2])
            )

        async def lead_async(request: Any) -> None:
            lead(request)

        hooks = provider_http_hooks(asynchronous=asynchronous)
        hooks["request"].append(lead_async if asynchronous else lead)
        return (package.DefaultAsyncHttpxClient if asynchronous else package.DefaultHttpxClient)(event_hooks=hooks)

    return client


@AWAITED
def test_openai_is_asked_by_its_package(monkeypatch: pytest.MonkeyPatch, awaited: bool) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    tracker = CostTracker()
    token = set_active_tracker(tracker)
    with SayingEndpoint("Yes") as endpoint, capture_provider_events() as capture:
        monkeypatch.setattr("multivon_eval.judge.sdk_http_client", led_to(endpoint))
        assert asked(JudgeConfig("openai", "m", temperature=0.25, max_tokens=7, timeout=9), awaited) == "Yes"
    reset_token(token)
    (body,) = endpoint.asked
    assert (body["temperature"], body["max_completion_tokens"]) == (0.25, 7)
    assert endpoint.sent[0].headers["authorization"] == f"Bearer {SECRET}"
    events = {event["kind"]: event for event in capture.snapshot()["events"]}
    assert events["http_request"]["request"]["url"] == "https://api.openai.com/v1/chat/completions"
    assert events["http_request"]["request"]["timeout"]["read"] == 9
    assert (events["operation_started"]["provider"], events["operation_started"]["role"]) == ("openai", "judge")
    assert events["http_response"]["response"]["body"]["value"]["choices"]
    assert SECRET not in str(capture.snapshot())
    assert (tracker.snapshot().total_calls, tracker.snapshot().total_input_tokens) == (1, 10)


def test_a_client_is_made_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", SECRET)
    made = []

    class Counted(openai.OpenAI):
        def __init__(self, **told: Any) -> None:
            made.append(told)
            super().__init__(**told)

    monkeypatch.setattr(openai, "OpenAI", Counted)
    with SayingEndpoint("Yes") as endpoint:
        monkeypatch.setattr("multivon_eval.judge.sdk_http_client", led_to(endpoint))
        assert [asked(JudgeConfig("openai", "m"), False) for _ in range(3)] == ["Yes"] * 3
    assert len(made) == 1


@AWAITED
@pytest.mark.parametrize("provider", ["openai", "anthropic", "google", "ollama"])
def test_an_address_of_ones_own_needs_no_package(provider: str, awaited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("openai", "anthropic", "google.genai"):
        monkeypatch.setitem(sys.modules, name, fake_module(name))  # has no client
    with SayingEndpoint("Yes") as endpoint:
        assert asked(JudgeConfig(provider, "m", endpoint.base_url), awaited) == "Yes"


@AWAITED
@pytest.mark.parametrize("provider", ["openai", "anthropic", "google"])
def test_without_the_package_the_key_is_asked_for(
    provider: str, awaited: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("openai", "anthropic", "google.genai"):
        monkeypatch.setitem(sys.modules, name, None)
    for name in ("OPENAI_API_KEY", "ANTHROPIC_API_KEY", "GOOGLE_API_KEY", "GEMINI_API_KEY"):
        monkeypatch.delenv(name, raising=False)
    with pytest.raises(JudgeUnavailable, match=f"no API key: {provider.upper()}_API_KEY is not set"):
        asked(JudgeConfig(provider), awaited)


class Package:
    """A vendor's package that notes what its clients are made with and asked."""

    def __init__(self, *path: str, response: Any) -> None:
        self.made: list[dict[str, Any]] = []
        self.said: list[dict[str, Any]] = []
        self.path, self.response = path, response

    def client(self, awaited: bool) -> type:
        package = self

        class Client:
            def __init__(self, **told: Any) -> None:
                package.made.append(told)
                place: Any = self
                for name in package.path[:-1]:
                    setattr(place, name, SimpleNamespace())
                    place = getattr(place, name)
                setattr(place, package.path[-1], package.later if awaited else package.now)
                self.aio = SimpleNamespace(models=SimpleNamespace(generate_content=package.later))

            async def __aenter__(self) -> Client:
                return self

            async def __aexit__(self, *_: object) -> None:
                package.made.append({"closed": True})

        return Client

    def now(self, **told: Any) -> Any:
        self.said.append(told)
        return self.response

    async def later(self, **told: Any) -> Any:
        return self.now(**told)


@pytest.fixture
def anthropic(monkeypatch: pytest.MonkeyPatch) -> Package:
    blocks = [SimpleNamespace(thinking="hm"), SimpleNamespace(text="Ye"), SimpleNamespace(text="s")]
    usage = SimpleNamespace(input_tokens=3, output_tokens=2)
    package = Package("messages", "create", response=SimpleNamespace(content=blocks, usage=usage))
    http = {"DefaultHttpxClient": lambda **told: "http", "DefaultAsyncHttpxClient": lambda **told: "http, awaited"}
    module = fake_module("anthropic", Anthropic=package.client(False), AsyncAnthropic=package.client(True), **http)
    monkeypatch.setitem(sys.modules, "anthropic", module)
    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    monkeypatch.delenv("ANTHROPIC_BASE_URL", raising=False)
    return package


@AWAITED
@pytest.mark.parametrize(("model", "heat"), [("m", {"extra_body": {"temperature": 0.0}}), ("claude-opus-5", {})])
def test_anthropic_is_told(anthropic: Package, awaited: bool, model: str, heat: dict[str, Any]) -> None:
    assert asked(JudgeConfig("anthropic", model, timeout=4, max_tokens=8), awaited) == "Yes"
    made = {"http_client": "http, awaited" if awaited else "http", "timeout": 4, "api_key": SECRET}
    assert anthropic.made == [made, *([{"closed": True}] if awaited else [])]
    said = [{"role": "user", "content": "Is it?"}]
    assert anthropic.said == [{"model": model, "max_tokens": 8, "messages": said, **heat}]


@pytest.mark.parametrize("address", ["http://gateway", "http://gateway/v1/"])
def test_anthropics_own_address_is_where_the_environment_says(
    anthropic: Package, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", address)
    assert asked(JudgeConfig("anthropic", "m"), False) == "Yes"
    assert anthropic.made[0]["base_url"] == "http://gateway"


def test_anthropic_sees_pictures_in_its_own_form(anthropic: Package, tmp_path: Path) -> None:
    (tmp_path / "a.png").write_bytes(png())
    (tmp_path / "b.pdf").write_bytes(b"%PDF-1.7")
    sources = [str(tmp_path / "a.png"), str(tmp_path / "b.pdf"), "https://example.com/c.png"]
    assert call_vision("What is it?", sources, JudgeConfig("anthropic", "m").resolve(), 31) == "Yes"
    *shown, question = anthropic.said[0]["messages"][0]["content"]
    assert question == {"type": "text", "text": "What is it?"}
    assert [(one["type"], one["source"].get("media_type")) for one in shown] == [
        ("image", "image/png"),
        ("document", "application/pdf"),
        ("image", None),
    ]
    assert shown[2]["source"] == {"type": "url", "url": "https://example.com/c.png"}
    assert anthropic.said[0]["max_tokens"] == 31


@AWAITED
def test_google_is_told(awaited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    usage = SimpleNamespace(prompt_token_count=3, candidates_token_count=2, thoughts_token_count=4)
    package = Package("models", "generate_content", response=SimpleNamespace(text="Yes", usage_metadata=usage))
    monkeypatch.setitem(sys.modules, "google.genai", fake_module("google.genai", Client=package.client(False)))
    monkeypatch.setenv("GOOGLE_API_KEY", SECRET)
    tracker = CostTracker()
    token = set_active_tracker(tracker)
    assert asked(JudgeConfig("google", "m", timeout=4, max_tokens=8), awaited) == "Yes"
    reset_token(token)
    assert package.made[0]["http_options"]["timeout"] == 4_000
    assert package.made[0]["api_key"] == SECRET
    wanted = {"max_output_tokens": 8, "temperature": 0.0}
    assert package.said == [{"model": "m", "contents": "Is it?", "config": wanted}]
    assert tracker.snapshot().total_output_tokens == 6


@AWAITED
def test_a_vendors_error_is_a_judge_that_is_away(anthropic: Package, awaited: bool) -> None:
    anthropic.response = SimpleNamespace(content=None, usage=None)
    with pytest.raises(JudgeUnavailable, match="TypeError"):
        asked(JudgeConfig("anthropic", "m"), awaited)


@AWAITED
def test_the_real_package_of_anthropic_over_http(awaited: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("anthropic")
    replies = iter([429, 200])

    def answer(sent: Any) -> Any:
        reply = {
            "id": "1", "type": "message", "role": "assistant", "model": "m", "stop_reason": "end_turn",
            "content": [{"type": "text", "text": "Yes"}], "usage": {"input_tokens": 3, "output_tokens": 2},
        }  # fmt: skip
        status = next(replies)
        told = reply if status == 200 else {"type": "error", "error": {"type": "rate_limit_error", "message": "later"}}
        return status, told, {"Content-Type": "application/json", "retry-after-ms": "1"}

    monkeypatch.setenv("ANTHROPIC_API_KEY", SECRET)
    with JsonServer(answer) as server, capture_provider_events() as capture:
        monkeypatch.setenv("ANTHROPIC_BASE_URL", server.root)
        assert asked(JudgeConfig("anthropic", "m", temperature=0.5), awaited) == "Yes"
    assert [(sent.path, sent.body["temperature"]) for sent in server.sent] == [("/v1/messages", 0.5)] * 2
    seen = [event["response"] for event in capture.snapshot()["events"] if event["kind"] == "http_response"]
    assert [one["status_code"] for one in seen] == [429, 200], "every attempt is kept"
    assert seen[1]["usage"]["input_tokens"] == 3
