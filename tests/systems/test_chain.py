"""Endpoints answer what systems hand on without an answer: one rule on the command line and in Python."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.errors import ConfigurationError
from ringtrue.systems.identity import Identity
from ringtrue.systems.openai_proxy import OpenAIProxy
from ringtrue.systems.truncation import Truncation
from support.command import ringtrue
from support.endpoint import EndpointServer

ROWS = [
    {
        "id": number,
        "question": f"Which number? [[{number}]]",
        "context": f"filler {number} " * 200,
        "answer": str(number),
    }
    for number in range(3)
]


def first_word(example: dict[str, Any]) -> dict[str, Any]:
    return {**example, "context": example["context"].split()[0]}


def reworded(example: dict[str, Any]) -> dict[str, Any]:
    return {**example, "question": "Say [[7]]."}


def own_answer(example: dict[str, Any]) -> str:
    return str(example["id"])


def broken(example: dict[str, Any]) -> dict[str, Any]:
    raise ValueError("no room")


def run_systems(systems: list[Any], server: EndpointServer, **settings: Any) -> Any:
    proxy = settings.pop("proxy", None) or OpenAIProxy(server.base_url, name="whole", api_key="k")
    return evaluate(systems, ROWS, ["exact_match"], proxy=proxy, progress=False, store=None, **settings)


def test_the_endpoint_answers_what_is_handed_on_and_is_a_system_itself(server: EndpointServer) -> None:
    result = run_systems([first_word, Truncation(50)], server)
    found = {name: [row.response for row in result.rows if row.system == name] for name in result.summary}
    assert found == {name: ["0", "1", "2"] for name in ("first_word", "truncate-50", "whole")}
    assert all(row.status == "ok" for row in result.rows)


def test_identity_stands_for_the_endpoint_alone(server: EndpointServer) -> None:
    server.plan()
    result = run_systems([Identity(), first_word], server)
    assert list(result.summary) == ["identity", "first_word"]
    assert len(server.stats()["log"]) == 2 * len(ROWS)


def test_what_is_sent_is_the_example_that_was_handed_on(server: EndpointServer) -> None:
    result = run_systems([reworded], server)
    assert {row.response for row in result.rows if row.system == "reworded"} == {"7"}


def test_a_system_that_answers_is_not_answered_for(server: EndpointServer) -> None:
    server.plan()
    result = run_systems([own_answer], server)
    assert list(result.summary) == ["own_answer", "whole"]
    assert [row.response for row in result.rows if row.system == "own_answer"] == ["0", "1", "2"]
    assert len(server.stats()["log"]) == len(ROWS)


def test_a_compressor_that_fails_costs_its_row_and_no_request(server: EndpointServer) -> None:
    server.plan()
    result = run_systems([Identity(), broken], server)
    assert {row.status for row in result.rows if row.system == "broken"} == {"system_error"}
    assert len(server.stats()["log"]) == len(ROWS)


def test_with_several_endpoints_each_system_is_answered_by_each(server: EndpointServer) -> None:
    proxies = [OpenAIProxy(server.base_url, name=name, api_key="k") for name in ("a", "b")]
    result = run_systems([first_word, Identity()], server, proxy=proxies)
    assert list(result.summary) == ["first_word+a", "first_word+b", "identity+a", "identity+b"]


def test_a_proxy_is_an_endpoint() -> None:
    with pytest.raises(ConfigurationError, match="'truncate:5' is not an endpoint: write its URL, or local"):
        evaluate([Identity()], ROWS, proxy="truncate:5", progress=False, store=None)


def test_the_command_line_has_the_same_rule(
    server: EndpointServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "k")
    (tmp_path / "rows.jsonl").write_text("".join(json.dumps(row) + "\n" for row in ROWS))
    (tmp_path / "cut.py").write_text("def half(example):\n    return {**example, 'context': example['context'][:40]}\n")
    words = ["run", "-d", "rows.jsonl", "-e", "exact_match", "--proxy", f"whole={server.base_url}"]
    systems = ["-s", "truncate:20", "-s", "cut.py:half"]
    found = ringtrue(*words, *systems, "--json", cwd=tmp_path)
    assert list(json.loads(found.stdout)["summaries"]["rows.jsonl"]) == ["truncate-20", "half", "whole"]
    server.plan()
    again = ringtrue(*words, *systems, "-s", "identity", cwd=tmp_path)
    assert "Pareto front, quality against tokens:" in again.stdout
    # A baseline's answers serve a later run; a user's code may have changed, and `identity` is new.
    assert len(server.stats()["log"]) == 2 * len(ROWS)
