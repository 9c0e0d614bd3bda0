"""Models and deployed APIs as functions of a suite."""

from __future__ import annotations

import sys
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from multivon_eval import (
    AnthropicAdapter,
    APIKeyAuth,
    BearerAuth,
    Contains,
    DeployedAPITarget,
    EvalCase,
    EvalStatus,
    EvalSuite,
    LiteLLMAdapter,
    ModelAdapter,
    MultiTurnAPITarget,
    NotEmpty,
    OpenAIAdapter,
)
from multivon_eval.adapters import context_block

from ringtrue.errors import ConfigurationError, ModelError
from support.json_server import JsonServer, Sent
from support.saying import SayingEndpoint

GROUNDED = EvalCase("Capital?", context=["Lima is the capital.", "", "Peru is a country."])


def completion(text: str) -> Any:
    return SimpleNamespace(choices=[SimpleNamespace(message=SimpleNamespace(content=text))])


class Client:
    """A client that remembers what it was asked."""

    def __init__(self) -> None:
        self.asked: dict[str, Any] = {}
        self.chat = SimpleNamespace(completions=SimpleNamespace(create=self._chat))
        self.messages = SimpleNamespace(create=self._message)

    def _chat(self, **given: Any) -> Any:
        self.asked = given
        return completion("Lima")

    def _message(self, **given: Any) -> Any:
        self.asked = given
        return SimpleNamespace(content=[SimpleNamespace(text="Lima")])


def test_a_clients_model_is_asked_with_the_context() -> None:
    client = Client()
    adapter = OpenAIAdapter("m", client=client, system_prompt="Be brief.", max_tokens=9, seed=1)
    assert adapter("Capital?") == "Lima"
    assert client.asked == {
        "model": "m", "temperature": 0.0, "max_tokens": 9, "seed": 1,
        "messages": [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Capital?"}],
    }  # fmt: skip
    report = EvalSuite("s").add_case(GROUNDED).add_evaluator(Contains(["Lima"])).run(adapter, verbose=False)
    assert report.passed == 1
    system, user = client.asked["messages"]
    assert system["content"].startswith("Be brief.\n\n")
    assert "[chunk 1]\nLima is the capital." in system["content"]
    assert "[chunk 3]\nPeru is a country." in system["content"]
    assert user["content"] == "Capital?"
    assert adapter("again") == "Lima"
    assert client.asked["messages"][0]["content"] == "Be brief."


def test_anthropics_client_gets_its_system_prompt_apart() -> None:
    client = Client()
    adapter = AnthropicAdapter("claude-haiku-4-5", client=client, extra_body={"a": 1})
    assert adapter._call_with_case(EvalCase("Capital?", context="Lima.")) == "Lima"
    assert "Lima." in client.asked["system"]
    assert client.asked["messages"] == [{"role": "user", "content": "Capital?"}]
    assert client.asked["extra_body"] == {"a": 1, "temperature": 0.0}
    adapter("Capital?")
    assert "system" not in client.asked
    AnthropicAdapter("claude-opus-5-1", client=client)("q")
    assert "extra_body" not in client.asked


def test_without_a_client_the_endpoint_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    with SayingEndpoint("Lima") as endpoint:
        monkeypatch.setenv("OPENAI_BASE_URL", endpoint.base_url)
        suite = EvalSuite("s").add_case(GROUNDED).add_evaluator(Contains(["Lima"]))
        report = suite.run_with_openai("m", system_prompt="Be brief.", max_tokens=7, verbose=False)
        OpenAIAdapter("m", top_p=0.5, extra_body={"seed": 1})("Capital?")
        with pytest.raises(TypeError, match="verbos"):
            suite.run_with_openai("m", verbos=False)
    assert report.passed == 1
    body, plain = endpoint.asked
    assert (body["model"], body["temperature"], body["max_tokens"]) == ("m", 0.0, 7)
    assert "Lima is the capital." in body["messages"][0]["content"]
    assert (plain["top_p"], plain["seed"], plain["messages"]) == (0.5, 1, [{"role": "user", "content": "Capital?"}])


@pytest.mark.parametrize(
    ("adapter", "key"), [(OpenAIAdapter, "OPENAI_API_KEY"), (AnthropicAdapter, "ANTHROPIC_API_KEY")]
)
def test_without_a_key_the_case_is_a_model_error(
    monkeypatch: pytest.MonkeyPatch, adapter: type[ModelAdapter], key: str
) -> None:
    for name in ("OPENAI_BASE_URL", key):
        monkeypatch.delenv(name, raising=False)
    report = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(NotEmpty()).run(adapter(), verbose=False)
    assert report.case_results[0].status is EvalStatus.MODEL_ERROR
    assert key in (report.case_results[0].model_error or "")


def test_an_option_of_clients_needs_a_client() -> None:
    with pytest.raises(ValueError, match="client="):
        OpenAIAdapter(extra_headers={"a": "b"})("q")


def test_litellm_is_asked_where_it_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    module, asked = ModuleType("litellm"), []

    def called(**given: Any) -> Any:
        asked.append(given)
        return completion("Lima")

    module.completion = called  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "litellm", module)
    suite = EvalSuite("s").add_case(GROUNDED).add_evaluator(Contains(["Lima"]))
    assert suite.run_with_litellm("ollama/m", api_base="http://x", workers=1, verbose=False).passed == 1
    assert (asked[0]["model"], asked[0]["api_base"]) == ("ollama/m", "http://x")
    assert "workers" not in asked[0]
    monkeypatch.setitem(sys.modules, "litellm", None)
    with pytest.raises(ImportError, match="pip install litellm"):
        LiteLLMAdapter("m")("q")


def test_an_adapter_of_ones_own() -> None:
    class Loud(OpenAIAdapter):
        def __call__(self, input: str) -> str:
            return input.upper()

    class Polite(OpenAIAdapter):
        def _build_messages(self, input: str) -> list[dict[str, Any]]:
            return [*super()._build_messages(input), {"role": "user", "content": "Please."}]

    class Echo(ModelAdapter):
        def __call__(self, input: str) -> str:
            return input

    def said(adapter: ModelAdapter) -> str:
        suite = EvalSuite("s").add_case(GROUNDED).add_evaluator(NotEmpty())
        return suite.run(adapter, verbose=False).case_results[0].actual_output

    assert said(Loud()) == "CAPITAL?"
    assert said(Echo()) == "Capital?"
    client = Client()
    assert said(Polite("m", client=client)) == "Lima"
    assert client.asked["messages"][-1]["content"] == "Please."
    with pytest.raises(NotImplementedError):
        Echo().with_system_prompt("p")
    with pytest.raises(TypeError, match="text"):
        OpenAIAdapter().with_system_prompt(1)  # type: ignore[arg-type]


@pytest.mark.parametrize(("context", "block"), [(None, ""), ("", ""), ([], ""), ("c", "\n\nContext:\nc\n")])
def test_contexts(context: Any, block: str) -> None:
    assert context_block(context) == block


def test_a_deployed_api_is_asked() -> None:
    def answer(sent: Sent) -> Any:
        return (200, {"choices": [{"text": f"said {sent.body['prompt']}"}]}, {})

    with JsonServer(answer) as server:
        target = DeployedAPITarget(
            server.url, auth=BearerAuth("t"), input_key="prompt", output_path="choices.0.text", extra_body={"k": 1},
            headers={"X-A": "b"},
        )  # fmt: skip
        cases = [EvalCase("one"), EvalCase("two")]
        report = EvalSuite("s").add_cases(cases).add_evaluator(Contains(["said"])).run(target, verbose=False)
    assert report.passed == 2
    assert {sent.headers["Authorization"] for sent in server.sent} == {"Bearer t"}
    assert {sent.headers["X-A"] for sent in server.sent} == {"b"}
    assert sorted(sent.body["prompt"] for sent in server.sent) == ["one", "two"]
    assert "Bearer" not in repr(target)


def test_a_deployed_api_that_is_down_is_a_model_error() -> None:
    with JsonServer(lambda sent: (503, {}, {})) as server:
        target = DeployedAPITarget(server.url, auth=APIKeyAuth("k"), retries=1)
        report = EvalSuite("s").add_case(EvalCase("q")).add_evaluator(NotEmpty()).run(target, verbose=False)
    assert report.case_results[0].status is EvalStatus.MODEL_ERROR
    assert [sent.headers["X-API-Key"] for sent in server.sent] == ["k", "k"]


def test_an_answer_elsewhere_is_an_error_and_no_answer() -> None:
    for body, words in (({"answer": "a"}, "output_path"), ({"response": None}, "None")):
        with JsonServer(lambda sent, body=body: (200, body, {})) as server, pytest.raises(ModelError, match=words):
            DeployedAPITarget(server.url)("q")
    with pytest.raises(ConfigurationError, match="url"):
        DeployedAPITarget("api.example")


def test_a_conversation_goes_turn_by_turn() -> None:
    def answer(sent: Sent) -> Any:
        if sent.path == "/begin":
            return (200, {"session_id": "s1"}, {})
        return (200, {"response": f"{sent.body['message']}, with {len(sent.body['messages'])} before"}, {})

    with JsonServer(answer) as server:
        target = MultiTurnAPITarget(server.url, session_init_url=server.url.replace("/ask", "/begin"))
        turns = [
            {"role": "user", "content": "hello"},
            {"role": "assistant", "content": "so it was written"},
            {"role": "user", "content": "and now?"},
        ]
        said, results = target.run_conversation(turns, [Contains(["3 before"]), NotEmpty()])
        assert target("alone") == "alone, with 0 before"
    assert said == "and now?, with 3 before"
    assert [result.passed for result in results] == [True, True]
    assert [sent.headers.get("X-Session-ID") for sent in server.sent] == [None, "s1", "s1", None, "s1"]
