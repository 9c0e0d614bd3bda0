"""What endpoints send, also the ugly things, read into a reply or an error that shows a bounded, printable piece."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ModelError
from ringtrue.models.client.response_bodies import read_error, read_reply
from ringtrue.models.reply import Reply


def chat(message: Any = None, **more: Any) -> bytes:
    """A chat completion with this message; keywords go into the choice."""
    said = {"role": "assistant", "content": "hi"} if message is None else message
    return json.dumps({"model": "m", "choices": [{"message": said, "finish_reason": "stop"} | more]}).encode()


def used(usage: Any) -> bytes:
    return json.dumps({"choices": [{"message": {"content": "hi"}}], "usage": usage}).encode()


def response(output: Any, **more: Any) -> bytes:
    return json.dumps({"model": "m", "status": "completed", "output": output} | more).encode()


CALL = {"id": "c1", "type": "function", "function": {"name": "f", "arguments": '{"x":1}'}}
TEXTS = [
    ("plain", chat(), "hi", "stop"),
    ("parts", chat({"content": [{"type": "text", "text": "a"}, {"type": "text", "text": "b"}]}), "ab", "stop"),
    ("parts-odd", chat({"content": ["a", None, 5, {"type": "image_url"}, {"text": 7}, {"text": "b"}]}), "ab", "stop"),
    ("no-parts", chat({"content": []}), "", "stop"),
    ("null", chat({"content": None}), "", "stop"),
    ("absent", chat({"role": "assistant"}), "", "stop"),
    ("tool-call", chat({"content": None, "tool_calls": [CALL]}, finish_reason="tool_calls"), "", "tool_calls"),
    ("refusal", chat({"content": None, "refusal": "I cannot."}), "I cannot.", "stop"),
    ("cut", chat({"content": "half"}, finish_reason="length"), "half", "length"),
    ("filtered-later", chat({"content": "half"}, finish_reason="content_filter"), "half", "content_filter"),
    ("no-reason", chat(finish_reason=None), "hi", ""),
    ("odd-reason", chat(finish_reason=[1]), "hi", ""),
    ("null-error", b'{"error":null,"choices":[{"message":{"content":"hi"}}]}', "hi", ""),
    ("mark", b"\xef\xbb\xbf" + chat(), "hi", "stop"),
    ("nan", b'{"choices":[{"message":{"content":"hi"},"logprobs":{"content":[{"logprob":-Infinity}]}}]}', "hi", ""),
    ("half-pair", b'{"choices":[{"message":{"content":"a\\ud83d b"}}]}', "a\ufffd b", ""),
    ("pair", b'{"choices":[{"message":{"content":"\\ud83d\\ude00"}}]}', "\U0001f600", ""),
    ("controls", chat({"content": "\x00\x1b[31m\u202e"}), "\x00\x1b[31m\u202e", "stop"),
]


@pytest.mark.parametrize(("body", "text", "reason"), [row[1:] for row in TEXTS], ids=[row[0] for row in TEXTS])
def test_texts(body: bytes, text: str, reason: str) -> None:
    reply = read_reply(body)
    assert (reply.text, reply.finish_reason) == (text, reason)


ERRORS = [
    ("empty", b"", "malformed", None),
    ("blank", b" \n ", "malformed", None),
    ("garbage", b"\x00\xff\x1b[31m}{", "malformed", None),
    ("html", b"<!doctype html><h1>502</h1>", "malformed", None),
    ("half", chat()[:30], "malformed", None),
    ("text", b"Internal Server Error", "malformed", None),
    ("array", b"[]", "malformed", None),
    ("string", b'"hi"', "malformed", None),
    ("stream", b'data: {"choices":[]}\n\ndata: [DONE]\n', "malformed", None),
    ("deep", b"[" * 100_000, "malformed", None),
    ("no-choices", b'{"id":"x"}', "malformed", None),
    ("choices-null", b'{"choices":null}', "malformed", None),
    ("empty-choices", b'{"choices":[]}', "malformed", None),
    ("choice-null", b'{"choices":[null]}', "malformed", None),
    ("no-message", b'{"choices":[{"text":"hi"}]}', "malformed", None),
    ("message-text", b'{"choices":[{"message":"hi"}]}', "malformed", None),
    ("content-number", chat({"content": 5}), "malformed", None),
    ("content-object", chat({"content": {"text": "hi"}}), "malformed", None),
    ("tool-calls-odd", chat({"content": None, "tool_calls": "f"}), "malformed", None),
    ("tool-call-nameless", chat({"tool_calls": [{"function": {"arguments": "{}"}}]}), "malformed", None),
    ("withheld", chat({"content": None}, finish_reason="content_filter"), "refused", None),
    ("error-inside", b'{"error":{"message":"away","code":502}}', "http", 502),
    ("error-beside", b'{"error":{"message":"away"},"choices":[]}', "http", None),
    ("error-in-choice", chat({"content": ""}, error={"message": "cut", "code": "429"}), "rate_limit", 429),
    ("error-text", b'{"error":"model is loading"}', "http", None),
    ("error-code", b'{"error":{"message":"slow down","code":"rate_limit_exceeded"}}', "rate_limit", 429),
    ("error-type", b'{"error":{"type":"overloaded_error"}}', "http", 529),
    ("error-policy", b'{"error":{"message":"no","code":"content_policy_violation"}}', "refused", None),
    ("error-true", b'{"error":true}', "http", None),
    ("error-numbers", b'{"error":{"code":[1],"message":3}}', "http", None),
]


@pytest.mark.parametrize(("body", "kind", "status"), [row[1:] for row in ERRORS], ids=[row[0] for row in ERRORS])
def test_errors(body: bytes, kind: str, status: int | None) -> None:
    with pytest.raises(ModelError) as caught:
        read_reply(body)
    assert (caught.value.kind, caught.value.status) == (kind, status)
    assert str(caught.value).isprintable()
    assert len(str(caught.value)) < 300
    assert caught.value.__cause__ is None


def test_an_error_shows_a_piece_of_what_came_without_the_key() -> None:
    body = b"<html>" + b" " * 1990 + b"sk-secret-key and sk-secret-key" + b"x" * 10_000
    with pytest.raises(ModelError) as caught:
        read_reply(body, secret="sk-secret-key")
    assert "<html>" in str(caught.value)
    assert "sk-" not in str(caught.value)


@pytest.mark.parametrize(
    ("usage", "counts"),
    [
        ({"prompt_tokens": 3, "completion_tokens": 2, "prompt_tokens_details": {"cached_tokens": 1}}, (3, 2, 1)),
        ({"input_tokens": 3, "output_tokens": 2, "input_tokens_details": {"cached_tokens": 0}}, (3, 2, 0)),
        ({"prompt_tokens": 3.0, "completion_tokens": 0}, (3, 0, None)),
        ({"prompt_tokens": -1, "completion_tokens": True}, (None, None, None)),
        ({"prompt_tokens": "3", "completion_tokens": 1.5}, (None, None, None)),
        ({"prompt_tokens": 10**30, "completion_tokens": None}, (None, None, None)),
        ({"prompt_tokens_details": 5}, (None, None, None)),
        ({}, (None, None, None)),
        ([], (None, None, None)),
        (None, (None, None, None)),
        ("many", (None, None, None)),
    ],
    ids=str,
)
def test_usage_is_counts_or_none(usage: Any, counts: tuple[int | None, ...]) -> None:
    reply = read_reply(used(usage))
    assert (reply.input_tokens, reply.output_tokens, reply.cached_input_tokens) == counts


@pytest.mark.parametrize(
    ("message", "calls"),
    [
        ({"tool_calls": [CALL]}, [CALL]),
        ({"tool_calls": [{"function": {"name": "f", "arguments": {"x": 1}}}]}, [{"function": CALL["function"]}]),
        ({"tool_calls": [{"function": {"name": "f"}}]}, [{"function": {"name": "f", "arguments": ""}}]),
        (
            {"function_call": {"name": "f", "arguments": "{}"}},
            [{"id": None, "type": "function", "function": {"name": "f", "arguments": "{}"}}],
        ),
        ({"tool_calls": None, "content": "x"}, []),
        ({"tool_calls": [], "content": "x"}, []),
        ({"tool_calls": [{"type": "custom", "custom": {"name": "g"}}]}, [{"type": "custom", "custom": {"name": "g"}}]),
    ],
    ids=["chat", "arguments-as-object", "no-arguments", "old-form", "null", "none", "custom"],
)
def test_tool_calls(message: dict[str, Any], calls: list[Any]) -> None:
    assert read_reply(chat(message)).tool_calls == calls


def test_logprobs() -> None:
    rows = [{"token": "hi", "logprob": -0.1, "top_logprobs": []}]
    assert read_reply(chat(logprobs={"content": rows})).logprobs == rows
    for odd in (None, [], {"content": None}, {"content": [1]}, {"tokens": ["hi"]}):
        assert read_reply(chat(logprobs=odd)).logprobs is None


TEXT = {"type": "output_text", "text": "hi", "logprobs": [{"token": "hi"}]}
ITEM = {"type": "message", "role": "assistant", "content": [TEXT]}
FUNCTION = {"type": "function_call", "call_id": "c1", "name": "f", "arguments": '{"x":1}'}


def test_responses() -> None:
    reply = read_reply(response([{"type": "reasoning", "summary": []}, ITEM, FUNCTION]), "responses")
    assert (reply.text, reply.finish_reason, reply.tool_calls) == ("hi", "tool_calls", [CALL])
    assert reply.logprobs == [{"token": "hi"}]
    assert reply.message["role"] == "assistant"


@pytest.mark.parametrize(
    ("output", "more", "text", "reason"),
    [
        ([ITEM], {}, "hi", "stop"),
        ([ITEM, ITEM], {}, "hihi", "stop"),
        ([], {}, "", "stop"),
        (
            [ITEM],
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            "hi",
            "length",
        ),
        ([{"type": "message", "content": [{"type": "refusal", "refusal": "No."}]}], {}, "No.", "stop"),
        ([None, 5, {"type": "message", "content": None}, ITEM], {"status": None}, "hi", "stop"),
    ],
    ids=["one", "two", "none", "cut", "refusal", "odd"],
)
def test_responses_texts(output: Any, more: dict[str, Any], text: str, reason: str) -> None:
    reply = read_reply(response(output, **more), "responses")
    assert (reply.text, reply.finish_reason) == (text, reason)


@pytest.mark.parametrize(
    ("body", "kind"),
    [
        (response([], status="failed", error={"code": "server_error", "message": "x"}), "http"),
        (response([], status="failed"), "malformed"),
        (response([], status="in_progress"), "malformed"),
        (response(None), "malformed"),
        (response([{"type": "function_call"}]), "malformed"),
        (response([], status="incomplete", incomplete_details={"reason": "content_filter"}), "refused"),
        (chat(), "malformed"),
    ],
    ids=["failed", "failed-silently", "queued", "no-output", "nameless-call", "withheld", "a-chat"],
)
def test_responses_errors(body: bytes, kind: str) -> None:
    with pytest.raises(ModelError) as caught:
        read_reply(body, "responses")
    assert caught.value.kind == kind


@pytest.mark.parametrize(
    ("status", "body", "kind", "shown"),
    [
        (500, b"", "http", "empty body"),
        (502, b"<html>Bad Gateway</html>", "http", "Bad Gateway"),
        (400, b'{"error":{"message":"too long","code":"context_length_exceeded"}}', "http", "too long"),
        (400, b'{"error":{"message":"filtered","code":"content_filter"}}', "refused", "filtered"),
        (422, b'{"detail":[{"msg":"field required"}]}', "http", "field required"),
        (404, b'{"message":"no such model"}', "http", "no such model"),
        (429, b"slow down", "rate_limit", "slow down"),
        (429, b'{"error":{"message":"no money","code":"insufficient_quota"}}', "http", "no money"),
        (429, b'{"error":{"message":"no money","type":"insufficient_quota","code":null}}', "http", "no money"),
        (500, b'{"error":' * 5000, "http", "error"),
    ],
)
def test_unsuccessful_responses(status: int, body: bytes, kind: str, shown: str) -> None:
    error = read_error(status, body)
    assert (error.kind, error.status) == (kind, status)
    assert str(status) in str(error)
    assert shown in str(error)


@given(st.binary() | st.text().map(str.encode) | st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(
        st.sampled_from(["choices", "message", "content", "error", "output", "type", "code", "text", "usage",
                         "tool_calls", "function", "name", "prompt_tokens", "logprobs", "refusal"]), inner, max_size=4),
).map(lambda value: json.dumps(value).encode()))  # fmt: skip
def test_any_bytes_are_a_reply_or_a_model_error(body: bytes) -> None:
    for api in ("chat", "responses"):
        try:
            reply = read_reply(body, api)  # type: ignore[arg-type]
        except ModelError as error:
            shown = str(error)
        else:
            shown = ""
            assert Reply.from_bytes(reply.to_bytes()) == reply
        assert shown.isprintable()
    assert str(read_error(500, body)).isprintable()


def test_a_reply_is_stored_and_read_again() -> None:
    reply = read_reply(chat({"content": "ü\0", "tool_calls": [CALL]}), model="asked", latency_seconds=0.5)
    stored = reply.to_bytes()
    assert Reply.from_bytes(stored) == reply
    assert Reply.from_bytes(stored[:-1] + b',"from_the_future":1}') == reply


def test_the_model_asked_for_stands_in_for_an_unnamed_one() -> None:
    assert read_reply(chat(), model="asked").model == "m"
    assert read_reply(used(None), model="asked").model == "asked"
