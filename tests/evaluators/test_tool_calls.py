"""Calls are compared as calls: whatever their spelling, order and optional arguments."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.evaluators.tool_calls import ToolCallMatch
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.scoring.tool_calls.read_calls import MAX_CHARS, read_calls

TOOL = {
    "name": "math.area",
    "parameters": {
        "type": "dict",
        "properties": {
            "base": {"type": "integer"},
            "height": {"type": "float"},
            "unit": {"type": "string"},
            "tags": {"type": "array", "items": {"type": "string"}},
            "where": {"type": "dict"},
        },
        "required": ["base"],
    },
}
ONE = [
    {
        "math.area": {
            "base": [10],
            "height": [2.5, 5.0],
            "unit": ["square metres", ""],
            "tags": [["a", "b"], ""],
            "where": [{"city": ["New York", "NYC"], "zip": ["", 1]}, ""],
            "depth": [1, ""],
        }
    }
]
TWO = [{"f": {"a": [1, 2]}}, {"f": {"a": [1]}}]


def measured(reply: str, expected: Any = ONE, tool_calls: tuple[Any, ...] = (), tools: Any = None) -> Score:
    fields = {"expected_calls": expected, "tools": [TOOL] if tools is None else tools}
    return ToolCallMatch().measure(Trial(Case(fields=fields), Output(reply, tool_calls=tool_calls)))


RIGHT = {
    "an empty list for what may be left out": "[math.area(base=10, height=2.5, tags=[])]",
    "python": "[math.area(base=10, height=2.5)]",
    "one call without brackets": "math.area(base=10, height=5.0)",
    "in a fence, with prose": "Here you are:\n```python\n[math.area(base=10, height=2.5)]\n```\nDone.",
    "after thoughts": "<think>math.area(base=1)</think>\nmath.area(base=10, height=2.5)",
    "prose before a list": "The call is [math.area(base=10, height=2.5)]",
    "a list of lines": "Calls:\n- math.area(base=10, height=2.5)",
    "json": '[{"name": "math.area", "arguments": {"base": 10, "height": 2.5}}]',
    "arguments as text": '{"name": "math.area", "arguments": "{\\"base\\": 10, \\"height\\": 2.5}"}',
    "parameters": '{"name": "math.area", "parameters": {"base": 10, "height": 2.5}}',
    "function inside": '{"function": {"name": "math.area", "arguments": {"base": 10, "height": 2.5}}}',
    "name as the key": '[{"math.area": {"base": 10, "height": 2.5}}]',
    "tags": '<tool_call>{"name": "math.area", "arguments": {"base": 10, "height": 2.5}}</tool_call>',
    "an underscore for a dot": "[math_area(base=10, height=2.5)]",
    "an integer for a float": "[math.area(base=10, height=5)]",
    "strings without case and marks": "[math.area(base=10, height=5.0, unit='Square-Metres')]",
    "optional list": "[math.area(base=10, height=5.0, tags=['A', 'b'])]",
    "a tuple for a list": "[math.area(base=10, height=5.0, tags=('a', 'b'))]",
    "optional object": "[math.area(base=10, height=5.0, where={'city': 'nyc'})]",
    "optional object in full": '[math.area(base=10, height=5.0, where={"city": "New York", "zip": 1})]',
}


@pytest.mark.parametrize("reply", RIGHT.values(), ids=RIGHT)
def test_the_expected_call_in_any_spelling(reply: str) -> None:
    assert measured(reply).value == 1.0


WRONG = {
    "another value": ("[math.area(base=11, height=2.5)]", "the argument 'base' is 11"),
    "another function": ("[area(base=10, height=2.5)]", "'area' is called, not 'math.area'"),
    "a float for an integer": ("[math.area(base=10.0, height=2.5)]", "the argument 'base' is float, not integer"),
    "a string for an integer": ("[math.area(base='10', height=2.5)]", "the argument 'base' is str, not integer"),
    "true for 1": ("[math.area(base=True, height=2.5)]", "the argument 'base' is bool, not integer"),
    "required argument missing": ("[math.area(height=2.5)]", "the required argument 'base' is missing"),
    "expected argument missing": ("[math.area(base=10)]", "the argument 'height' is missing"),
    "an argument nobody expects": ("[math.area(base=10, height=2.5, x=1)]", "the argument 'x' is not expected"),
    "an argument the function does not have": (
        "[math.area(base=10, height=2.5, depth=1)]",
        "the argument 'depth' is not expected",
    ),
    "arguments without names": ("[math.area(10, 2.5)]", "the required argument 'base' is missing"),
    "another order of a list": ("[math.area(base=10, height=2.5, tags=['b', 'a'])]", "the argument 'tags' is"),
    "an unknown key": ("[math.area(base=10, height=2.5, where={'city': 'nyc', 'x': 1})]", "the argument 'where' is"),
    "a missing key": ("[math.area(base=10, height=2.5, where={'zip': 1})]", "the argument 'where' is"),
    "twice": (
        "[math.area(base=10, height=2.5), math.area(base=10, height=2.5)]",
        "2 calls are made; one call is expected",
    ),
    "no call": ("The area is 25.", "no call is made; one call is expected"),
    "a call in passing": ("I would use math.area(base=10, height=2.5) here.", "no call is made; one call is expected"),
    "a program": ("x = 1\nmath.area(base=x, height=2.5)\nif x: pass", "the argument 'base' is str, not integer"),
}


@pytest.mark.parametrize(("reply", "reason"), WRONG.values(), ids=WRONG)
def test_anything_else_is_wrong_and_says_why(reply: str, reason: str) -> None:
    score = measured(reply)
    assert score.value == 0.0
    assert score.reason.startswith(reason)


def test_calls_have_no_order_and_each_expected_one_needs_its_own() -> None:
    """The first expected call accepts both; it must leave the 1 to the second."""
    assert measured("[f(a=1), f(a=2)]", TWO, tools=[]).value == 1.0
    assert measured("[f(a=2), f(a=1)]", TWO, tools=[]).value == 1.0
    assert measured("[f(a=2), f(a=2)]", TWO, tools=[]).value == 0.0


def test_where_no_call_is_expected_none_is_right() -> None:
    assert measured("None of them fits.", []).value == 1.0
    assert measured("[]", []).value == 1.0
    assert measured("[math.area(base=1)]", []).value == 0.0


def test_calls_the_endpoint_reports_come_before_text() -> None:
    native = {
        "id": "c",
        "type": "function",
        "function": {"name": "math_area", "arguments": '{"base": 10, "height": 5}'},
    }
    assert measured("", tool_calls=(native,)).value == 1.0
    assert measured("[math.area(base=1)]", tool_calls=(native,)).value == 1.0


def test_a_variable_is_compared_by_its_text() -> None:
    assert measured("[f(a=data)]", [{"f": {"a": ["data"]}}], tools=[]).value == 1.0


def test_without_expected_calls_there_is_nothing_to_measure() -> None:
    assert measured("[f()]", None).status == "skipped"
    assert measured("[f()]", [{"f": {"a": 1}}]).status == "error"


@given(st.text(max_size=300))
def test_any_text_is_read(text: str) -> None:
    assert measured(text).value in (0.0, 1.0)


ENORMOUS = "0x" + "f" * 5_000
HOSTILE = (
    *(f"math.area(base={text})" for text in (ENORMOUS, f"[{ENORMOUS}]", f"{{{ENORMOUS}: 1}}", f"{{{ENORMOUS}: a}}")),
    *(f"math.area(base={{({ENORMOUS}, a): 1}})", f"math.area({ENORMOUS})"),
    *("(" * 50_000, "[" * 50_000, "-" * 50_000 + "1", "f(" * 20_000, "a+" * 25_000 + "f(1)", "<tool_call>" * 5_000),
    *("f(a=" + "9" * 5_000 + ")", "\ud800f()", "\0f()", "f(a='\\ud800')", "f(a=1)\n" * 8_000),
    *("[" * 490 + "{}" + "]" * 490, '{"function":' * 490 + "{}" + "}" * 490),
)


@pytest.mark.parametrize("text", HOSTILE, ids=lambda text: repr(text[:12]))
def test_hostile_text_is_read_too(text: str) -> None:
    assert measured(text).value == 0.0


MISDECLARED: dict[str, Any] = {
    "required is a number": {"required": 5},
    "required is a text": {"required": "base"},
    "required holds a list": {"required": [["base"], {}]},
    "properties are a list": {"properties": ["base"]},
    "a type is a list": {
        "properties": {"base": {"type": ["integer"]}, "height": {}, "tags": {"type": "array", "items": 5}}
    },
}


@pytest.mark.parametrize("parameters", MISDECLARED.values(), ids=MISDECLARED)
def test_a_tool_that_is_declared_wrongly_asks_for_nothing(parameters: dict[str, Any]) -> None:
    tools = [{"name": "math.area", "parameters": parameters}, None, "math.area"]
    assert measured("math.area(base=10, height=5.0)", tools=tools).value == 1.0


def test_a_text_beyond_the_limit_makes_no_call() -> None:
    assert read_calls("f()" + " " * MAX_CHARS) == []
