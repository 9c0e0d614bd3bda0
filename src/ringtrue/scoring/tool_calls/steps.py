"""The calls of one step of a conversation, read as BFCL reads them: the whole step is calls, or it makes none."""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterable, Mapping
from typing import Any

from ringtrue.jsontext_reader import read_json
from ringtrue.pythontext import parse_python
from ringtrue.records import Json
from ringtrue.scoring.tool_calls.read_calls import MAX_CALLS, MAX_CHARS, ToolCall, dotted_name

_ARITHMETIC: Mapping[type[ast.operator], Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
}
_MAX_NUMBER = 10**15
"""Arithmetic among arguments is worked out for numbers up to this size."""


def calls_of(message: Mapping[str, Json], *, in_text: bool) -> list[ToolCall]:
    """The calls an assistant's message makes: those it reports, or with `in_text` those its text consists of."""
    if in_text:
        return written_step(str(message.get("content") or ""))
    reported = message.get("tool_calls")
    return native_step(reported) if isinstance(reported, (list, tuple)) else []


def native_step(tool_calls: Iterable[Json]) -> list[ToolCall]:
    """The calls an endpoint reported; none if the arguments of one of them are not a JSON object."""
    found: list[ToolCall] = []
    for item in tool_calls:
        function = item.get("function") if isinstance(item, Mapping) else None
        arguments = function.get("arguments") if isinstance(function, Mapping) else None
        given = read_json(arguments).value if isinstance(arguments, str) else arguments
        if not isinstance(function, Mapping) or not isinstance(given, Mapping):
            return []
        found.append(ToolCall(str(function.get("name")), dict(given)))
    return found[:MAX_CALLS]


def written_step(text: str) -> list[ToolCall]:
    """The calls of a text that is a list of calls in Python syntax, its brackets left out or not; else none.

    Arguments without a name are left out, a bare name is its own text, and a call among the arguments is a `ToolCall`.
    """
    text = text.strip("`\n ")
    if len(text) > MAX_CHARS:
        return []
    listed = ("" if text.startswith("[") else "[") + text + ("" if text.endswith("]") else "]")
    try:
        body = parse_python(listed).body
        only = body[0].value if len(body) == 1 and isinstance(body[0], ast.Expr) else None
        return [_call(item) for item in only.elts][:MAX_CALLS] if isinstance(only, (ast.List, ast.Tuple)) else []
    except (SyntaxError, ValueError, TypeError, ArithmeticError, RecursionError, MemoryError):
        return []


def written_call(call: ToolCall) -> str:
    """A call in Python syntax, every argument by its name."""
    given = ", ".join(f"{name}={_argument_text(value)}" for name, value in call.arguments.items())
    return f"{call.name}({given})"


def _argument_text(value: Any) -> str:
    return written_call(value) if isinstance(value, ToolCall) else repr(value)


def _call(node: ast.expr) -> ToolCall:
    if not isinstance(node, ast.Call) or not all(item.arg for item in node.keywords):
        raise ValueError("not a call with named arguments")
    return ToolCall(dotted_name(node.func), {str(item.arg): _value(item.value) for item in node.keywords})


def _value(node: ast.expr | None) -> Any:
    match node:
        case ast.Constant(value=value):
            return "..." if value is Ellipsis else value
        case ast.UnaryOp(op=ast.USub(), operand=ast.Constant(value=int() | float() as number)):
            return -number
        case ast.List(elts=items):
            return [_value(item) for item in items]
        case ast.Tuple(elts=items):
            return tuple(_value(item) for item in items)
        case ast.Dict(keys=names, values=values):
            return {_value(name): _value(value) for name, value in zip(names, values, strict=True)}
        case ast.BinOp(left=left, op=op, right=right) if type(op) in _ARITHMETIC:
            return _ARITHMETIC[type(op)](_number(left), _number(right))
        case ast.Name(id=name):
            return name
        case ast.Call(keywords=named):
            return _call(node) if named else ast.unparse(node)
        case ast.Subscript():
            return ast.unparse(node)
    raise ValueError("not a literal")


def _number(node: ast.expr) -> float:
    value = _value(node)
    if not isinstance(value, (int, float)) or abs(value) > _MAX_NUMBER:
        raise ValueError("not a number of a usual size")
    return value
