"""Tests of contests: standard input and output, or calls of a function; LiveCodeBench's rules decide."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from typing import Any

_CASES = ("public_test_cases", "private_test_cases")
_MODULES = (
    *(
        "string",
        "re",
        "datetime",
        "collections",
        "heapq",
        "bisect",
        "copy",
        "math",
        "random",
        "statistics",
        "itertools",
    ),
    *("functools", "operator", "io", "sys", "json", "builtins", "typing"),
)
CONTEST_IMPORTS = "; ".join(
    [*(f"from {name} import *" for name in _MODULES), f"import {', '.join(_MODULES)}", "sys.setrecursionlimit(50_000)"]
)
"""What LiveCodeBench puts before every program, in one line."""

_LISTED = "def listed(value):\n    return list(value) if isinstance(value, tuple) else value\n\n"
"""Expected values come from JSON, which has no tuples: LiveCodeBench takes one for a list, but none inside it."""

_AGREES = """def agrees(value, wanted):
    value = list(value) if isinstance(value, tuple) else value
    first = wanted[0] if isinstance(wanted, list) and wanted else wanted
    rows = isinstance(value, list) and value and isinstance(value[0], tuple)
    return value == wanted or value == first or bool(rows and [list(row) for row in value] == first)

"""
"""APPS keeps a result as it is or as the only item of a list, and takes tuples for lists one level deep."""


@dataclass(frozen=True, slots=True)
class StreamTests:
    """Tests that feed standard input and expect standard output; `setup` comes before the program."""

    cases: tuple[tuple[str, str], ...]
    setup: str = ""


def stream_cases(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Pairs of standard input and expected output, from the field names datasets use for them."""
    for name in ("input_output", "public_tests", "private_tests", "generated_tests", "tests", "test_cases"):
        found = _pairs(json_value(fields.get(name)))
        if found:
            return found
    return tuple(pair for name in _CASES for pair in _pairs(json_value(fields.get(name)))) or _pairs(fields)


def is_contest(fields: Mapping[str, Any]) -> bool:
    """Whether a row has its tests where LiveCodeBench has them."""
    return any(fields.get(name) for name in _CASES)


def function_calls(fields: Mapping[str, Any]) -> tuple[str, list[tuple[list[Any], Any]]]:
    """The function that LiveCodeBench's `functional` cases call, with their arguments and results.

    The arguments are in JSON, one in each line.
    """
    listed = [json_value(fields.get(name)) for name in _CASES]
    cases = [case for found in listed if isinstance(found, list) for case in found]
    meant = [case for case in cases if isinstance(case, Mapping) and case.get("testtype") == "functional"]
    about = json_value(fields.get("metadata"))
    function = str(about.get("func_name") or "") if isinstance(about, Mapping) else ""
    if not function or not meant:
        return "", []
    try:
        lines = [[json.loads(line) for line in str(case["input"]).split("\n") if line.strip()] for case in meant]
        return function, [(given, json.loads(case["output"])) for given, case in zip(lines, meant, strict=True)]
    except (KeyError, TypeError, ValueError, RecursionError):
        return "", []


def apps_calls(fields: Mapping[str, Any]) -> tuple[str, list[tuple[list[Any], Any]]]:
    """The function that the cases of APPS name, where they name one, with their arguments and results."""
    found = json_value(fields.get("input_output"))
    function = str(found.get("fn_name") or "") if isinstance(found, Mapping) else ""
    inputs, outputs = (found.get("inputs"), found.get("outputs")) if function else ((), ())
    if not isinstance(inputs, list) or not isinstance(outputs, list) or len(inputs) != len(outputs):
        return "", []
    calls = [
        (given if isinstance(given, list) else [given], wanted) for given, wanted in zip(inputs, outputs, strict=True)
    ]
    return function, calls


def apps_checks(calls: Iterable[tuple[list[Any], Any]]) -> str:
    """Assertions that call a function as APPS does and compare by its rules."""
    asserts = [f"    assert agrees(candidate({', '.join(map(repr, given))}), {wanted!r})\n" for given, wanted in calls]
    return f"{_AGREES}def check(candidate):\n{''.join(asserts)}"


def call_checks(calls: Iterable[tuple[list[Any], Any]]) -> str:
    """Assertions that call a function with each list of arguments and compare what it returns."""
    asserts = [
        f"    assert listed(candidate({', '.join(map(repr, given))})) == {wanted!r}\n" for given, wanted in calls
    ]
    return f"{_LISTED}def check(candidate):\n{''.join(asserts)}"


def same_output(given: str, expected: str) -> bool:
    """Whether two outputs agree line by line, blanks around lines and around the whole left aside.

    Lines of numbers agree by value, as `Decimal` reads them: `3.0` and `03` are `3`, `1e-05` is `0.00001`.
    """
    one, other = _lines(given), _lines(expected)
    return one == other or (len(one) == len(other) and all(map(_same_line, one, other)))


def json_value(value: Any) -> Any:
    """A value, or what its text says in JSON; None for text that is not JSON."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _pairs(found: Any) -> tuple[tuple[str, str], ...]:
    """Input and output side by side, as two lists, as a list of pairs, or as one pair."""
    if isinstance(found, Mapping):
        inputs = _first(found, "inputs", "input", "stdin")
        outputs = _first(found, "outputs", "output", "stdout", "expected_stdout", "expected_output")
        if isinstance(inputs, list) and isinstance(outputs, list) and len(inputs) == len(outputs):
            return tuple((_stream(given), _stream(wanted)) for given, wanted in zip(inputs, outputs, strict=True))
        known = any(name in found for name in ("stdin", "stdout", "expected_stdout"))
        return ((_stream(inputs), _stream(outputs)),) if known and outputs is not None else ()
    if isinstance(found, list):
        pairs = [_pair(item) for item in found]
        return tuple(pair for pair in pairs if pair is not None) if None not in pairs else ()
    return ()


def _pair(item: Any) -> tuple[str, str] | None:
    if isinstance(item, Mapping):
        output = _first(item, "output", "stdout", "expected_output", "expected_stdout", "expected")
        return None if output is None else (_stream(_first(item, "input", "stdin", "inputs")), _stream(output))
    if isinstance(item, (list, tuple)) and len(item) == 2:
        return _stream(item[0]), _stream(item[1])
    return None


def _first(found: Mapping[str, Any], *names: str) -> Any:
    return next((found[name] for name in names if name in found), None)


def _stream(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return "\n".join(map(str, value))
    return "" if value is None else str(value)


def _same_line(one: str, other: str) -> bool:
    if one == other:
        return True
    try:
        return [*map(Decimal, one.split())] == [*map(Decimal, other.split())]
    except InvalidOperation:  # one of the words is not a number
        return False


def _lines(text: str) -> list[str]:
    return [line.strip() for line in text.strip().split("\n")]
