"""The objects in a reply, from a table of ugly ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.models.structured.json_in_text import places_of_objects


def found_objects(text: str) -> list[Any]:
    return [one.value for one in next(places_of_objects(text), [])]


A = {"a": 1}
UGLY: list[tuple[str, str, list[Any]]] = [
    ("plain", '{"a": 1}', [A]),
    ("empty", "", []),
    ("prose", "I would say yes.", []),
    ("fenced", '```json\n{"a": 1}\n```', [A]),
    ("before-and-after", 'Sure! {"a": 1} Hope that helps {you}.', [A]),
    ("two", '{"a": 1} then {"a": 2}', [A, {"a": 2}]),
    ("nested-is-one", '{"a": {"a": 1}}', [{"a": A}]),
    ("thought-first", '<think>maybe {"a": 0}?</think>{"a": 1}', [A]),
    ("only-a-thought", '<think>{"a": 1}</think>', [A]),
    ("raw-line-break", '{"a": "x\ny"}', [{"a": "x\ny"}]),
    ("single-quotes", "{'a': 'it\\'s'}", [{"a": "it's"}]),
    ("typographic-quotes", "{\u201ca\u201d: \u201cx\u201d}", [{"a": "x"}]),
    ("bare-keys", "{a: 1}", [A]),
    ("python", "{'a': True, 'b': None}", [{"a": True, "b": None}]),
    ("trailing-comma", '{"a": [1, 2,], }', [{"a": [1, 2]}]),
    ("comment", '{"a": 1 // sure\n}', [A]),
    ("url-in-a-string", "{'a': \"http://x\"}", [{"a": "http://x"}]),
    ("cut-in-a-string", '{"a": "because', []),
    ("cut-in-a-number", '{"a": 0.9', []),
    ("cut-before-the-brace", '{"a": 1', []),
    ("nan", '{"a": NaN}', [{"a": "NaN"}]),
    ("array", "[1, 2]", []),
    ("number", "5", []),
    ("broken-then-whole", '{"a": } {"a": 1}', [A]),
    ("surrogate", '{"a": "\ud800"}', [{"a": "?"}]),
    ("spelled-surrogate", '{"a": "\\ud800x", "b\\udfff": "\\ud83d\\ude00"}', [{"a": "?x", "b?": "\U0001f600"}]),
    ("two-minds", '{"a": 1, "a": 2}', []),
    ("two-minds-inside", '{"b": [{"a": 1, "a": 2}]}', []),
    ("said-twice", '{"a": 1, "a": 1}', [A]),
    ("after-much-code", "function f() { g(); }\n" * 200 + '{"a": 1}', [A]),
    ("huge-integer", '{"a": 1' + "0" * 400 + "}", [{"a": 10**400}]),
]


@pytest.mark.parametrize(("text", "wanted"), [row[1:] for row in UGLY], ids=[row[0] for row in UGLY])
def test_ugly_replies(text: str, wanted: list[Any]) -> None:
    assert found_objects(text) == wanted


@pytest.mark.parametrize(
    "unit",
    [
        "{",
        '{"a":',
        '\\"',
        '"\\',
        "'",
        "\u201c",
        ",",
        ", ",
        "//",
        "{'",
        "[",
        "{}",
        "\x00",
        "a",
        "}",
        '{"a":"',
        "</think>",
    ],
)
def test_a_hundred_kilobytes_of_anything_end(unit: str) -> None:
    assert isinstance(found_objects("{" + unit * (100_000 // len(unit))), list)


def test_of_a_very_long_reply_both_ends_are_read() -> None:
    assert found_objects("x" * 10_000_000 + '{"a": 1}') == [A]


@given(st.text())
def test_it_never_raises(text: str) -> None:
    assert all(isinstance(found, dict) for found in found_objects(text))
