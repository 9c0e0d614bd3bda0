"""`OpenAIProxy`: what it sends for a case, and what of the reply is kept."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import ExactMatch
from ringtrue.records import Case
from ringtrue.systems.openai_proxy import OpenAIProxy
from ringtrue.systems.system import DictSystem as System
from support.endpoint import EndpointServer


@pytest.fixture(scope="module")
def server() -> Iterator[EndpointServer]:
    with EndpointServer(answer="echo") as running:
        yield running


def messages(fields: dict[str, Any], **settings: Any) -> list[tuple[str, str]]:
    proxy = OpenAIProxy("http://127.0.0.1:1", **settings)
    case = Case(1, str(fields.get("question") or ""), context=str(fields.get("context") or ""), fields=fields)
    return [(message["role"], message["content"]) for message in proxy.messages(case)]


TURNS = [{"role": "user", "content": "a"}, {"role": "assistant", "content": "b"}, {"role": "user", "content": "c"}]


@pytest.mark.parametrize(
    ("fields", "settings", "sent"),
    [
        ({"question": "q"}, {}, [("user", "q")]),
        ({"question": "q"}, {"system_prompt": "s"}, [("system", "s"), ("user", "q")]),
        ({"question": "q", "context": "c"}, {}, [("system", "c"), ("user", "q")]),
        ({"question": "q", "context": "q"}, {}, [("user", "q")]),
        ({"context": "c"}, {}, [("user", "c")]),
        ({"turns": TURNS, "question": "q"}, {"system_prompt": "s"},
         [("system", "s"), ("user", "a"), ("assistant", "b"), ("user", "c")]),
        ({"question": "q"}, {"build_messages": lambda example: [{"role": "user", "content": example["question"] * 2}]},
         [("user", "qq")]),
    ],
    ids=["question", "prompt", "context", "context_is_question", "context_alone", "turns", "own"],
)  # fmt: skip
def test_what_is_sent(fields: dict[str, Any], settings: dict[str, Any], sent: list[tuple[str, str]]) -> None:
    assert messages(fields, **settings) == sent


def test_a_case_that_asks_nothing_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="asks nothing"):
        messages({})


def test_the_documented_calls(server: EndpointServer) -> None:
    proxy = OpenAIProxy(server.base_url)
    assert isinstance(proxy, System)
    assert proxy.name == f"openai_proxy_127.0.0.1:{server.port}"
    said = proxy.process({"id": 3, "question": "two words", "other": [1]})
    assert said == {
        "id": 3,
        "question": "two words",
        "other": [1],
        "response": "two words",
        "api_usage": {"prompt_tokens": 2, "completion_tokens": 2},
    }
    assert proxy.process_conversation([{"role": "user", "content": "a"}, {"role": "user", "content": "b"}]) == [
        {"role": "assistant", "content": "a"},
        {"role": "assistant", "content": "b"},
    ]


def test_a_conversation_is_asked_turn_by_turn(server: EndpointServer) -> None:
    server.plan(answer="echo")
    rows = [
        {"multi_turn": True, "turns": [{"role": "user", "content": word} for word in ("one", "two")], "answer": "two"}
    ]
    result = evaluate(OpenAIProxy(server.base_url, "m", "p"), rows, [ExactMatch()], store=None, progress=False)
    assert result.rows[0].scores == {"exact_match": 1.0}
    assert [entry["content"] for entry in server.stats()["log"]] == ["one", "two"]
    assert (result.rows[0].input_tokens, result.rows[0].output_tokens) == (2, 2)


def test_usage_cost_attempts_and_latency_are_kept(
    server: EndpointServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    prices = tmp_path / "prices.json"
    prices.write_text('{"models": {"priced": {"input": 1000000, "output": 2000000}}}')
    monkeypatch.setenv("RINGTRUE_PRICES", str(prices))
    server.plan(answer="echo", latency_seconds=0.05, sequence=["500"])
    rows = [{"id": 1, "question": "three short words"}]
    proxy = OpenAIProxy(server.base_url, "priced", "p", retry_base_delay=0.5)
    row = evaluate(proxy, rows, [ExactMatch()], store=None, progress=False, max_cost=100.0).rows[0]
    assert (row.input_tokens, row.output_tokens, row.cost) == (3, 3, 9.0)
    assert row.latency is not None
    assert row.latency >= 0.05
    unpriced = evaluate(OpenAIProxy(server.base_url, "m"), rows, [ExactMatch()], store=None, progress=False).rows[0]
    assert unpriced.cost is None
    spent = evaluate(
        proxy, [{"id": n, "question": "three short words"} for n in range(9)], [ExactMatch()], store=None,
        progress=False, max_cost=20.0, max_workers=1,
    )  # fmt: skip
    assert "--max-cost 20 is used up (27)" in spent.config["stopped_by"]
    assert len(spent.rows) == 3


def test_an_unknown_price_is_refused_before_the_first_call(server: EndpointServer) -> None:
    server.plan()
    with pytest.raises(ConfigurationError, match="the price of 'p' is not known"):
        evaluate(OpenAIProxy(server.base_url, "m", "p"), [{"question": "q"}], store=None, progress=False, max_cost=1.0)
    assert server.stats()["requests"] == 0


def test_openai_without_a_key_is_refused_before_the_first_call(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    with pytest.raises(ConfigurationError, match="no API key"):
        evaluate(OpenAIProxy("https://api.openai.com"), [{"question": "q"}], store=None, progress=False)


def test_parameters_are_sent_as_they_are(server: EndpointServer) -> None:
    server.plan(answer="echo")
    proxy = OpenAIProxy(server.base_url, "m", "p", extra_body={"model": "other"})
    assert proxy.request(proxy.messages(Case(1, "q"))).body() == (
        b'{"model":"other","messages":[{"role":"user","content":"q"}]}'
    )
    with pytest.raises(ConfigurationError, match="which JSON does not have"):
        proxy.request([{"role": "user", "content": object()}])
