"""The calls of one step of a conversation: the whole step is calls, or it makes none."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.scoring.tool_calls.read_calls import ToolCall
from ringtrue.scoring.tool_calls.steps import native_step, written_call, written_step


@pytest.mark.parametrize(
    ("text", "calls"),
    [
        ("[cd(folder='a'), ls()]", [("cd", {"folder": "a"}), ("ls", {})]),
        ("cd(folder='a'), ls()", [("cd", {"folder": "a"}), ("ls", {})]),
        ("```[ls()]```", [("ls", {})]),
        ("[cd(folder=document)]", [("cd", {"folder": "document"})]),
        ("[cd('a')]", [("cd", {})]),
        ("[add(a=-2, b=3*4)]", [("add", {"a": -2, "b": 12})]),
        ("[f(a=[1, (2, 'x')], b={'k': None})]", [("f", {"a": [1, (2, "x")], "b": {"k": None}})]),
        ("[a.b(c=True)]", [("a.b", {"c": True})]),
        ("[f(a=g())]", [("f", {"a": "g()"})]),
        ("[f(a=g(b=1))]", [("f", {"a": ToolCall("g", {"b": 1})})]),
        ("```python\n[ls()]\n```", []),
        ("I will list the files: [ls()]", []),
        ("All done.", []),
        ("", []),
        ("[]", []),
        ("[ls(), 3]", []),
        ("[f(**{'a': 1})]", []),
        ("[f(a=2**9999999)]", []),
        ("[f(a=lambda: 1)]", []),
        ("[f(a=[x for x in y])]", []),
        ("[f(a=1/0)]", []),
        ("ls(); ls()", []),
        ("(" * 5000, []),
        ("[f(a='" + "x" * 70_000 + "')]", []),
    ],
    ids=[
        "list", "no-brackets", "backticks", "bare-name", "positional-is-left-out", "arithmetic", "nested-literals",
        "dotted", "call-without-names-is-text", "call-among-arguments", "fence-with-language", "prose-first", "prose",
        "empty", "empty-list", "one-is-no-call", "unpacking", "power", "lambda", "comprehension", "division-by-zero",
        "statements", "deep", "long",
    ],
)  # fmt: skip
def test_written_steps(text: str, calls: list[tuple[str, dict[str, Any]]]) -> None:
    assert written_step(text) == [ToolCall(*call) for call in calls]


@pytest.mark.parametrize(
    ("arguments", "calls"),
    [
        ('{"folder": "a"}', [("cd", {"folder": "a"})]),
        ({"folder": "a"}, [("cd", {"folder": "a"})]),
        ("{}", [("cd", {})]),
        ("", []),
        ("{not json", []),
        ("[1]", []),
        (None, []),
    ],
    ids=["json-text", "object", "none-given", "empty-text", "broken", "list", "absent"],
)
def test_native_steps(arguments: Any, calls: list[tuple[str, dict[str, Any]]]) -> None:
    reported = {"id": "1", "type": "function", "function": {"name": "cd", "arguments": arguments}}
    assert native_step([reported]) == [ToolCall(*call) for call in calls]
    good = {"function": {"name": "ls", "arguments": "{}"}}
    assert (native_step([good, reported]) == []) == (not calls), "one that cannot be read takes the others with it"


@pytest.mark.parametrize("broken", [None, "cd", {}, {"function": None}, {"function": "cd"}])
def test_what_is_not_a_call_makes_none(broken: Any) -> None:
    assert native_step([broken]) == []


def test_a_call_is_written_as_it_is_read() -> None:
    text = "f(a='x', b=g(c=[1, 2]))"
    assert [written_call(call) for call in written_step(text)] == [text]
