"""The writer takes any value, the parser gives back what was written."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_bytes, json_text, parse_json

texts = st.text(st.characters(exclude_categories=[]))  # lone surrogates and NUL among them
# A pair of halves is one character to every reader of JSON.
whole_texts = texts.filter(
    lambda text: text == text.encode("utf-16", "surrogatepass").decode("utf-16", "surrogatepass")
)
plain = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | whole_texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(whole_texts, inner, max_size=3),
    max_leaves=8,
)


@given(plain, st.booleans(), st.booleans())
def test_what_is_written_is_read_again(value: object, sort_keys: bool, indent: bool) -> None:
    written = json_text(value, sort_keys=sort_keys, indent=indent)
    assert parse_json(written) == value
    assert parse_json(written.encode()) == value  # any database and any file takes it
    assert json.loads(written) == value
    assert "\x00" not in written


@given(st.dictionaries(whole_texts, plain))
def test_sorted_keys_give_equal_text_to_equal_values(value: dict[str, object]) -> None:
    turned = dict(reversed(value.items()))
    assert json_bytes(value, sort_keys=True) == json_bytes(turned, sort_keys=True)


@dataclass
class Point:
    x: int
    y: Any = None


class Color(Enum):
    RED = "red"


BIG = 2**70  # which sends the whole value past orjson


@pytest.mark.parametrize("beside", [0, BIG], ids=["fast", "careful"])
@pytest.mark.parametrize(
    ("value", "read"),
    [
        (float("nan"), None),
        (float("-inf"), None),
        (Point(1, [2]), {"x": 1, "y": [2]}),
        ({1, 3, 2}, [1, 2, 3]),
        (frozenset("a"), ["a"]),
        ((1, (2,)), [1, [2]]),
        (Color.RED, "red"),
        (date(2024, 2, 29), "2024-02-29"),
        (Decimal("1.10"), "1.10"),
        (Path("a/b"), "a/b"),
        (numpy.float64(0.5), 0.5),
        (numpy.int64(7), 7),
        ({1: "one", None: "none", False: "no"}, {"1": "one", "null": "none", "false": "no"}),
        ({(1, 2): 3}, {"(1, 2)": 3}),
        (b"\xff", "b'\\xff'"),
        ("\ud800 \\", "\ud800 \\"),
        ("\u2028", "\u2028"),
    ],
)
def test_any_value_is_written_in_one_way(value: object, read: object, beside: int) -> None:
    assert json.loads(json_text([value, beside])) == [read, beside]


def test_an_object_is_written_without_its_address() -> None:
    assert json_text(object()) == json_text(object()) == '"<object object>"'


def test_indented_text_looks_the_same_on_both_ways() -> None:
    value = {"a": [1, {"b": []}], "c": {}}
    fast, careful = json_text(value, indent=True), json_text({**value, "d": BIG}, indent=True)
    assert careful.replace(f',\n  "d": {BIG}', "") == fast == json.dumps(value, indent=2)


def test_a_long_integer_is_exact_and_one_that_python_cannot_write_is_hexadecimal() -> None:
    assert parse_json(json_text(2**200)) == 2**200
    assert parse_json("1" * 19) == int("1" * 19)
    assert json.loads(json_text(1 << 20_000)) == hex(1 << 20_000)


def test_a_value_inside_itself_is_refused() -> None:
    value: list[object] = []
    value.append(value)
    with pytest.raises(ConfigurationError, match="nested too deeply"):
        json_text(value)


@pytest.mark.parametrize("text", ["", "{", "nul", '{"a": 1,}', "1 2"])
def test_what_is_not_json_raises(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_json(text)
