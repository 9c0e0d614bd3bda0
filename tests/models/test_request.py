"""A request's key covers all that decides the reply."""

from __future__ import annotations

import json
from dataclasses import FrozenInstanceError, replace
from datetime import date
from itertools import combinations
from typing import Any

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.models.request import Request

BASE = Request(
    "http://h/v1",
    "m",
    [{"role": "user", "content": "hi", "id": 1}],
    {"temperature": 0, "max_tokens": 5, "tools": [{"name": "f"}], "seed": None},
)
MUTANTS = {
    "endpoint": replace(BASE, endpoint="http://h:1/v1"),
    "model": replace(BASE, model="m2"),
    "content": replace(BASE, messages=[{"role": "user", "content": "hi ", "id": 1}]),
    "role": replace(BASE, messages=[{"role": "system", "content": "hi", "id": 1}]),
    "number-as-text": replace(BASE, messages=[{"role": "user", "content": "hi", "id": "1"}]),
    "one-more-message": replace(BASE, messages=[*BASE.messages, *BASE.messages]),
    "no-messages": replace(BASE, messages=[]),
    "temperature": replace(BASE, parameters={**BASE.parameters, "temperature": 0.1}),
    "max_tokens": replace(BASE, parameters={**BASE.parameters, "max_tokens": 6}),
    "tool": replace(BASE, parameters={**BASE.parameters, "tools": [{"name": "g"}]}),
    "null-or-absent": replace(BASE, parameters={k: v for k, v in BASE.parameters.items() if k != "seed"}),
    "true-or-one": replace(BASE, parameters={**BASE.parameters, "seed": True}),
    "one-or-true": replace(BASE, parameters={**BASE.parameters, "seed": 1}),
    "added": replace(BASE, parameters={**BASE.parameters, "top_p": 1}),
    "api": replace(BASE, api="responses"),
}


def test_every_change_is_another_key() -> None:
    keys = {"base": BASE.key(), "repeat": BASE.key(1)} | {name: mutant.key() for name, mutant in MUTANTS.items()}
    same = [pair for pair in combinations(keys, 2) if keys[pair[0]] == keys[pair[1]]]
    assert not same


def test_the_order_of_fields_and_the_kind_of_sequence_are_no_change() -> None:
    turned = replace(
        BASE,
        messages=({"id": 1, "content": "hi", "role": "user"},),
        parameters=dict(reversed(list(BASE.parameters.items()))),
    )
    assert turned.key() == BASE.key()


def test_no_field_can_be_moved_into_its_neighbour() -> None:
    assert Request("ab", "c", []).key() != Request("a", "bc", []).key()


@pytest.mark.parametrize(
    ("value", "where"),
    [
        (float("nan"), "messages[0].x"),
        (float("inf"), "messages[0].x"),
        (b"bytes", "messages[0].x"),
        ({1, 2}, "messages[0].x"),
        (date(2026, 1, 1), "messages[0].x"),
        ({"deep": [0, object()]}, "messages[0].x.deep[1]"),
        ({1: "x"}, "messages[0].x"),
    ],
    ids=["nan", "inf", "bytes", "set", "date", "deep", "key"],
)
def test_what_json_cannot_hold_is_refused_where_it_is(value: Any, where: str) -> None:
    with pytest.raises(ConfigurationError) as caught:
        Request("http://h", "m", [{"x": value}])
    assert caught.value.parameter == where
    assert where in str(caught.value)


def test_endless_nesting_is_refused() -> None:
    loop: list[Any] = []
    loop.append(loop)
    with pytest.raises(ConfigurationError, match="nested"):
        Request("http://h", "m", [], {"x": loop})


@pytest.mark.parametrize(
    "wrong",
    [
        {"messages": "hi"},
        {"messages": {"role": "user"}},
        {"parameters": []},
        {"model": None},
        {"endpoint": 5},
        {"api": "grpc"},
        {"parameters": {"stream": True}},
    ],
    ids=str,
)
def test_a_wrong_type_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        Request(**{"endpoint": "http://h", "model": "m", "messages": []} | wrong)


def test_the_body_is_what_the_api_takes_and_parameters_win() -> None:
    assert orjson.loads(BASE.body())["messages"] == BASE.messages
    assert orjson.loads(replace(BASE, api="responses").body())["input"] == BASE.messages
    assert orjson.loads(replace(BASE, parameters={"model": "other"}).body())["model"] == "other"


@pytest.mark.parametrize("content", ["\ud800", 2**80, -(2**70)], ids=["half-surrogate", "big", "big-negative"])
def test_json_that_orjson_does_not_write_is_sent_all_the_same(content: Any) -> None:
    request = Request("http://h", "m", [{"role": "user", "content": content}])
    assert json.loads(request.body())["messages"][0]["content"] == content
    assert len(request.key()) == 64


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@given(json_values, json_values)
def test_keys_are_equal_exactly_for_equal_json(one: Any, other: Any) -> None:
    keys = {Request("http://h", "m", [{"content": value}]).key() for value in (one, other)}
    texts = {json.dumps(value, sort_keys=True) for value in (one, other)}
    assert len(keys) == len(texts)


def test_frozen() -> None:
    with pytest.raises(FrozenInstanceError):
        BASE.model = "x"  # type: ignore[misc]
