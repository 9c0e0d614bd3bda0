"""Functions in a question: both APIs' words for them, what is remembered, and what a key covers."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from ringtrue.errors import ModelError
from ringtrue.models.cache import CachedModel
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel
from ringtrue.models.structured.structured_model import NO_TOOLS, Answer, NoValue, Question, StructuredModel
from ringtrue.models.structured.tool_use import declare, spoken
from support.kept_replies import KeptReplies

TOOL = {"name": "look", "description": "Looks.", "parameters": {"type": "object", "properties": {}}}
CALL = {"id": "c1", "type": "function", "function": {"name": "look", "arguments": "{}"}}
MESSAGES = [
    {"role": "user", "content": "Look."},
    {"role": "assistant", "content": None, "tool_calls": [CALL]},
    {"role": "tool", "tool_call_id": "c1", "content": "a tree"},
    {"role": "assistant", "content": "I will look again.", "tool_calls": [{**CALL, "id": "c2"}]},
    {"role": "tool", "tool_call_id": "c2", "content": "a bird"},
]
QUESTION = Question(MESSAGES, tools=[TOOL])
CALLED = Reply("", tool_calls=[CALL], finish_reason="tool_calls")


def http(status: int, message: str = "no tools here") -> ModelError:
    return ModelError(f"answered {status}: {message}", kind="http", status=status)


def test_chat_completions_carry_them_as_they_are() -> None:
    assert declare([TOOL], "chat") == [{"type": "function", "function": TOOL}]
    assert spoken(MESSAGES, "chat") == MESSAGES


def test_the_responses_api_has_items() -> None:
    assert declare([TOOL], "responses") == [{"type": "function", **TOOL}]
    call = {"type": "function_call", "name": "look", "arguments": "{}"}
    assert spoken(MESSAGES, "responses") == [
        {"role": "user", "content": "Look."},
        {**call, "call_id": "c1"},
        {"type": "function_call_output", "call_id": "c1", "output": "a tree"},
        {"role": "assistant", "content": "I will look again."},
        {**call, "call_id": "c2"},
        {"type": "function_call_output", "call_id": "c2", "output": "a bird"},
    ]


def test_a_reply_with_calls_is_an_answer_without_text() -> None:
    model = ScriptedModel([CALLED, "done", Reply("")])
    outcomes = [asyncio.run(StructuredModel(model).ask(QUESTION)) for _ in range(3)]
    assert all(isinstance(one, Answer) for one in outcomes)
    assert [one.reply.tool_calls for one in outcomes if isinstance(one, Answer)] == [[CALL], [], []]
    assert model.asked[0].parameters == {"tools": [{"type": "function", "function": TOOL}]}
    assert asyncio.run(StructuredModel(ScriptedModel([Reply("")])).ask(replace(QUESTION, tools=()))).usage.calls == 1


@pytest.mark.parametrize("status", [400, 404, 422, 501])
def test_an_endpoint_that_refuses_functions_is_not_asked_again(status: int) -> None:
    model = ScriptedModel(lambda request: http(status) if "tools" in request.parameters else "text")
    structured = StructuredModel(model)
    first = asyncio.run(structured.ask(QUESTION))
    assert isinstance(first, NoValue)
    assert first.kind == NO_TOOLS
    asked = len(model.asked)
    again = asyncio.run(structured.ask(QUESTION))
    assert isinstance(again, NoValue)
    assert (again.kind, again.usage.calls, len(model.asked)) == (NO_TOOLS, 0, asked)
    assert isinstance(asyncio.run(structured.ask(replace(QUESTION, tools=()))), Answer)


@pytest.mark.parametrize(("status", "message"), [(401, "no key"), (429, "later"), (400, "maximum context length")])
def test_other_failures_say_nothing_about_functions(status: int, message: str) -> None:
    structured = StructuredModel(ScriptedModel([http(status, message), CALLED]))
    first = asyncio.run(structured.ask(QUESTION))
    assert isinstance(first, NoValue)
    assert first.kind == "http"
    assert isinstance(asyncio.run(structured.ask(QUESTION)), Answer)


def test_another_process_learns_it_from_the_cache() -> None:
    cache = KeptReplies()
    first, second = ScriptedModel([http(400)]), ScriptedModel([])
    asyncio.run(StructuredModel(CachedModel(first, cache)).ask(QUESTION, "m"))
    outcome = asyncio.run(StructuredModel(CachedModel(second, cache)).ask(QUESTION, "m"))
    assert isinstance(outcome, NoValue)
    assert outcome.kind == NO_TOOLS
    assert second.asked == []


def test_the_responses_api_is_used_where_chat_is_not_served() -> None:
    model = ScriptedModel(lambda request: http(404) if request.api == "chat" else CALLED)
    assert isinstance(asyncio.run(StructuredModel(model).ask(QUESTION)), Answer)
    assert model.asked[-1].parameters["tools"] == [{"type": "function", **TOOL}]
    assert model.asked[-1].messages[1]["type"] == "function_call"


def test_a_key_covers_functions_calls_and_results() -> None:
    def key(messages: Any = MESSAGES, tool: Any = TOOL) -> str:
        return Request("e", "m", spoken(messages, "chat"), {"tools": declare([tool], "chat")}).key()

    others = [
        key(tool={**TOOL, "description": "Sees."}),
        key([*MESSAGES[:-1], {**MESSAGES[-1], "content": "a cat"}]),
        key(MESSAGES[:3]),
        Request("e", "m", spoken(MESSAGES, "chat")).key(),
    ]
    assert key() == key()
    assert len({key(), *others}) == 5
