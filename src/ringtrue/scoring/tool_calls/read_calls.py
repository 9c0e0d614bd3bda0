"""Reading function calls out of a reply: native tool calls, JSON, Python call syntax, tool-call tags."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import NamedTuple

from ringtrue.jsontext_reader import read_json
from ringtrue.pythontext import parse_python
from ringtrue.records import Json
from ringtrue.scoring.programs.fences import fenced_block

MAX_CHARS = 60_000
"""A longer reply makes no call that is read: no answer to a question is that long, and the work stays bounded."""
MAX_CALLS = 100
_MAX_LINES = 400
_MAX_DEPTH = 4
"""Lists and wrappers around a call; those nested deeper hold none."""
_OPEN, _CLOSE = "<tool_call>", "</tool_call>"
_WORDS = {"true": True, "false": False, "null": None}
_ESCAPE = re.compile(r"\\\\|\\(?=[^\n'\"\\abfnrtvxuUN0-3])")
"""Backslashes the parser warns about, after the pairs it does not."""


class ToolCall(NamedTuple):
    """A function and its arguments; an argument without a name is kept under its position."""

    name: str
    arguments: dict[str, Json]


def native_calls(tool_calls: Iterable[Mapping[str, Json]]) -> list[ToolCall]:
    """The calls an endpoint reported as such, their arguments decoded where they are JSON text."""
    return [call for item in tool_calls for call in _from_json(item, 0)][:MAX_CALLS]


def read_calls(text: str) -> list[ToolCall]:
    """The calls a reply consists of; none where it is prose, or calls something only in passing."""
    if len(text) > MAX_CHARS:
        return []
    for candidate in _candidates(text):
        found = _from_json(_json(candidate), 0) or _from_python(candidate)
        if found:
            return found[:MAX_CALLS]
    return [call for line in text.split("\n")[:_MAX_LINES] for call in _from_python(line.strip(" \t-*`"))][:MAX_CALLS]


def _candidates(text: str) -> Iterator[str]:
    _, thought, said = text.rpartition("</think>")
    text = said.strip() if thought else text.strip()
    tagged = [part.partition(_CLOSE)[0] for part in text.split(_OPEN)[1 : MAX_CALLS + 1]]
    if tagged:
        yield "[" + ",".join(tagged) + "]"
    yield text
    inside = fenced_block(text)
    if inside is not None:
        yield inside.strip()
    start, end = text.find("["), text.rfind("]")
    if 0 <= start < end:
        yield text[start : end + 1]


def _json(text: str) -> Json:
    return None if text[:1] not in ("[", "{") else read_json(text).value


def _from_json(value: Json, depth: int) -> list[ToolCall]:
    """The calls in a JSON value: a list of them, or one in any of the shapes models write."""
    if depth > _MAX_DEPTH:
        return []
    if isinstance(value, list):
        found = [_from_json(item, depth + 1) for item in value[:MAX_CALLS]]
        return [call for calls in found for call in calls] if all(found) else []
    if not isinstance(value, Mapping):
        return []
    if isinstance(value.get("tool_calls"), list):
        return _from_json(value["tool_calls"], depth + 1)
    inner = value.get("function")
    if isinstance(inner, Mapping):
        return _from_json(inner, depth + 1)
    name = inner if isinstance(inner, str) else value.get("name")
    if isinstance(name, str):
        arguments: Json = next((value[key] for key in ("arguments", "parameters", "args") if key in value), {})
        given = read_json(arguments).value if isinstance(arguments, str) else arguments
        return [ToolCall(name, dict(given))] if isinstance(given, Mapping) else []
    if len(value) == 1 and isinstance(next(iter(value.values())), Mapping):
        return [ToolCall(str(key), dict(given)) for key, given in value.items()]
    return []


def _from_python(text: str) -> list[ToolCall]:
    if "(" not in text or not text.rstrip(" \t\n;").endswith((")", "]")):
        return []
    try:
        body = parse_python(_ESCAPE.sub(r"\\\\", text)).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return []
    calls: list[ToolCall] = []
    for statement in body:
        value = statement.value if isinstance(statement, (ast.Expr, ast.Assign)) else None
        for item in value.elts if isinstance(value, (ast.List, ast.Tuple)) else [value]:
            call = _call(item)
            if call is None:
                return []  # a reply that does anything but call is a program, and no list of calls
            calls.append(call)
    return calls


def _call(node: ast.expr | None) -> ToolCall | None:
    name = dotted_name(node.func) if isinstance(node, ast.Call) else ""
    if not isinstance(node, ast.Call) or not name:
        return None
    arguments = {str(place): _value(item) for place, item in enumerate(node.args)}
    arguments.update({item.arg: _value(item.value) for item in node.keywords if item.arg})
    return ToolCall(name, arguments)


def dotted_name(node: ast.expr) -> str:
    """The name that an expression is, `a` or `a.b.c`; empty for any other expression."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def _value(node: ast.expr) -> Json:
    """The value of a literal; anything else as its source, which is how a variable is compared."""
    try:
        return _plain(ast.literal_eval(node))
    except (ValueError, TypeError, SyntaxError, RecursionError, MemoryError):
        pass
    if isinstance(node, ast.Name) and node.id in _WORDS:
        return _WORDS[node.id]
    if isinstance(node, (ast.List, ast.Tuple)):
        return [_value(item) for item in node.elts]
    if isinstance(node, ast.Dict):
        return {_text(_value(key)): _value(item) for key, item in zip(node.keys, node.values, strict=True) if key}
    try:
        return ast.unparse(node)
    except (RecursionError, ValueError):
        return ""


def _plain(value: Json) -> Json:
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    if isinstance(value, dict):
        return {_text(key): _plain(item) for key, item in value.items()}
    return value if isinstance(value, (str, int, float, bool, type(None))) else str(value)


def _text(value: Json) -> str:
    try:
        return str(value)
    except ValueError:  # an integer that was written in hexadecimal, beyond Python's limit for decimal text
        return "an enormous integer"
