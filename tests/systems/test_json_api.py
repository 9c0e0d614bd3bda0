"""Any JSON API is a system: what it is sent, what is read, what is tried again, and what is an error."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

import ringtrue
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.models.client.retries import RetryPolicy
from ringtrue.records import Case
from ringtrue.systems.json_api import JsonApi
from support.json_server import JsonServer, Sent

SOON = RetryPolicy(2, base_seconds=0.001)


def asked(answers: list[tuple[int, Any, dict[str, str]]], **settings: Any) -> tuple[Any, list[Sent]]:
    """What comes of the answers, in their order, and what was sent."""
    left = iter(answers)
    with JsonServer(lambda sent: next(left)) as server:
        api = JsonApi(server.url, retries=SOON, **settings)

        async def once() -> Any:
            try:
                return await api.answer(Case(input="Where?"))
            finally:
                await api.close()

        return asyncio.run(once()), server.sent


@pytest.mark.parametrize(
    ("path", "body", "text"),
    [
        ("response", {"response": "Peru"}, "Peru"),
        ("choices.0.message.content", {"choices": [{"message": {"content": "Peru"}}]}, "Peru"),
        ("data.-1", {"data": ["a", "b"]}, "b"),
        ("", ["a", {"b": 1}], '["a",{"b":1}]'),
        ("n", {"n": 5}, "5"),
    ],
    ids=["key", "nested", "from the end", "whole", "number"],
)
def test_the_answer_is_where_the_path_says(path: str, body: Any, text: str) -> None:
    output, _ = asked([(200, body, {})], output_path=path)
    assert (output.text, output.problem) == (text, "")
    assert output.latency_seconds > 0


def test_null_is_not_an_answer() -> None:
    output, _ = asked([(200, {"response": None}, {})])
    assert output.problem == "the output is None"


def test_what_is_sent() -> None:
    _, [sent] = asked(
        [(200, {"response": "a"}, {})],
        method="put",
        input_key="text",
        extra_body={"model": "m"},
        headers={"X-Key": "secret"},
    )
    assert (sent.method, sent.path, sent.body) == ("PUT", "/ask", {"text": "Where?", "model": "m"})
    assert sent.headers["X-Key"] == "secret"


@pytest.mark.parametrize("status", [429, 500, 503])
def test_what_may_pass_is_tried_again(status: int) -> None:
    output, sent = asked([(status, {}, {}), (status, b"<html>", {}), (200, {"response": "a"}, {})])
    assert (output.text, output.calls, len(sent)) == ("a", 3, 3)


def test_a_named_wait_is_kept() -> None:
    _, sent = asked([(429, {}, {"Retry-After": "0.3"}), (200, {"response": "a"}, {})])
    assert sent[1].at - sent[0].at >= 0.3


ERRORS = {
    "still down": ([(500, {}, {})] * 3, "500", 3),
    "not allowed": ([(403, {"error": "no"}, {})], "403", 1),
    "not JSON": ([(200, b"hello", {})] * 3, "no JSON", 3),
    "no such path": ([(200, {"answer": "a"}, {})], "without 'response'", 1),
    "moved": ([(302, b"", {"Location": "http://127.0.0.1:1/"})], "302", 1),
}


@pytest.mark.parametrize("name", ERRORS)
def test_no_answer_is_an_error_and_never_a_text(name: str) -> None:
    answers, words, attempts = ERRORS[name]
    left = iter(answers)
    with JsonServer(lambda sent: next(left)) as server:
        api = JsonApi(server.url, retries=SOON, headers={"Authorization": "Bearer top-secret-key"})
        with pytest.raises(ModelError, match=words) as caught:
            asyncio.run(api.answer(Case(input="q")))
        assert len(server.sent) == attempts
    assert "top-secret-key" not in str(caught.value)


def test_a_key_in_an_error_page_is_not_repeated() -> None:
    with JsonServer(lambda sent: (400, {"error": {"message": "bad key top-secret-key"}}, {})) as server:
        api = JsonApi(server.url, headers={"Authorization": "Bearer top-secret-key"})
        with pytest.raises(ModelError) as caught:
            asyncio.run(api.answer(Case(input="q")))
    assert "top-secret-key" not in str(caught.value)


@pytest.mark.parametrize(
    ("settings", "parameter"),
    [
        ({"url": "ftp://x"}, "url"),
        ({"method": "SHOUT"}, "method"),
        ({"timeout_seconds": 0}, "timeout_seconds"),
    ],
    ids=["url", "method", "timeout"],
)
def test_a_wrong_setting_raises_at_once(settings: dict[str, Any], parameter: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        JsonApi(**{"url": "http://127.0.0.1/", **settings})
    assert caught.value.parameter == parameter


def test_the_signature_shows_no_secret() -> None:
    signature = JsonApi("http://127.0.0.1/", headers={"X-Key": "secret"}).signature()
    assert "X-Key" in signature
    assert "secret" not in signature


def test_it_is_a_system_of_a_suite() -> None:
    suite = ringtrue.EvalSuite("api").add_case(ringtrue.EvalCase("Where?", "Peru")).add_evaluator("exact_match")
    with JsonServer(lambda sent: (200, {"response": "Peru"}, {})) as server:
        report = suite.run(JsonApi(server.url), verbose=False, store=None)
    assert report.passed == 1
