"""The model for users' own tests."""

from __future__ import annotations

import asyncio

import pytest

from ringtrue.errors import ModelError
from ringtrue.models.reply import Reply
from ringtrue.models.request import Request
from ringtrue.models.scripted import ScriptedModel


def request(text: str) -> Request:
    return Request("scripted", "m", [{"role": "user", "content": text}])


def test_a_list_is_answered_in_order_and_then_says_that_it_is_over() -> None:
    model = ScriptedModel(["one", Reply("two", attempts=3), ValueError("three")])
    assert asyncio.run(model.ask(request("a"))).message == {"role": "assistant", "content": "one"}
    assert asyncio.run(model.ask(request("b"))).attempts == 3
    with pytest.raises(ValueError, match="three"):
        asyncio.run(model.ask(request("c")))
    with pytest.raises(ModelError, match="3 replies and was asked 4 times"):
        asyncio.run(model.ask(request("d")))
    assert [asked.messages[0]["content"] for asked in model.asked] == ["a", "b", "c", "d"]


def test_a_function_sees_the_request() -> None:
    model = ScriptedModel(lambda asked: str(asked.messages[-1]["content"]).upper())
    assert asyncio.run(model.ask(request("hi"))).text == "HI"
