"""The tests a row carries for a program, in the shapes of HumanEval, MBPP and standard input and output."""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ringtrue.scoring.programs.needs_of_tests import (
    BUILTINS,
    is_benign,
    means_objects,
    tested_builtin,
    third_party_packages,
    why_shared,
    why_state_shared,
)
from ringtrue.scoring.programs.program_text import helpers
from ringtrue.scoring.programs.scopes import unbound_names
from ringtrue.scoring.programs.stream_tests import (
    CONTEST_IMPORTS,
    StreamTests,
    apps_calls,
    apps_checks,
    call_checks,
    function_calls,
    is_contest,
    json_value,
    stream_cases,
)
from ringtrue.scoring.programs.syntax import SCENERY, Reader

CHECK = "check"
"""The function that tests in the shape of HumanEval define, to be called with the program's."""

TEST_CHARS = 8_000_000
"""Tests come with the data and may be long: some list thousands of inputs."""


@dataclass(frozen=True, slots=True)
class CallTests:
    """Tests that call the program.

    `entry_point` is the function that is tested, if the row says so. `names` are what they need of the program.
    `shadows` is the one of them that is also a name of Python's own. `packages` are what they import beside the
    standard library. `shared` says why they cannot run in a process of their own; empty where they can. `trusting`:
    they read attributes that no plain value has, and so mean objects of the program.
    `benign`: they leave nothing behind. `idle` says why they test nothing; empty where they do.
    """

    test: str
    entry_point: str = ""
    prelude: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    shadows: str = ""
    packages: tuple[str, ...] = ()
    shared: str = ""
    trusting: bool = False
    benign: bool = False
    idle: str = ""


def read_tests(fields: Mapping[str, Any], context: str) -> CallTests | StreamTests | None:
    """The tests of a row; None where it has none."""
    test = _text(fields.get("test"))
    if test.strip():
        return _read(test, *_around(fields), context)
    listed = _texts(fields.get("test_list"))
    if any(item.strip() for item in listed):
        return _read("\n".join(listed), *_around(fields), "")
    function, calls = function_calls(fields)
    if calls:
        return _read(call_checks(calls), function, (CONTEST_IMPORTS,), "")
    function, calls = apps_calls(fields)
    if calls:
        return _read(apps_checks(calls), function, (CONTEST_IMPORTS,), "")
    cases = stream_cases(fields)
    return StreamTests(cases, CONTEST_IMPORTS if is_contest(fields) else "") if cases else None


def statement_at(test: str, line: int) -> str:
    """The smallest statement of the tests that covers a line."""
    around = [(first, -last) for first, last in _spans(test) if first <= line <= last]
    if not around:
        return ""
    first, last = max(around)
    lines = test.split("\n")[first - 1 : -last]
    return "\n".join([lines[0].strip(), *lines[1:]])[:2_000]


@lru_cache(maxsize=256)
def _spans(test: str) -> tuple[tuple[int, int], ...]:
    tree = Reader(TEST_CHARS).parse(test)
    statements = [item for item in ast.walk(tree) if isinstance(item, ast.stmt)] if tree is not None else []
    return tuple((item.lineno, item.end_lineno or item.lineno) for item in statements)


def _around(fields: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    setup = [*_texts(fields.get("test_imports")), *_texts(fields.get("test_setup_code"))]
    return _text(fields.get("entry_point")).strip(), tuple(setup)


@lru_cache(maxsize=256)  # many answers to one task carry the same tests
def _read(test: str, entry_point: str, setup: tuple[str, ...], context: str) -> CallTests:
    prelude = tuple(text for text in (helpers(context, entry_point), *setup) if text.strip())
    reader = Reader(TEST_CHARS)
    tree = reader.parse(test)
    if tree is None:
        found = (CHECK,) if re.search(r"(?m)^def check\(", test) else ()
        return CallTests(test, entry_point, prelude, found, frozenset(filter(None, [entry_point])))
    before = [item for text in prelude if (parsed := reader.parse(text)) is not None for item in parsed.body]
    own = [*ast.walk(tree)]
    nodes = [*(node for item in before for node in ast.walk(item)), *own]
    used = unbound_names([*before, *tree.body])
    defines = () if _acts(tree, CHECK) else _waiting(tree)
    shadows = entry_point if entry_point in BUILTINS else ""
    if not entry_point and CHECK not in defines:
        shadows = tested_builtin(used)
    free = (used - BUILTINS) | ({shadows} & used)
    return CallTests(
        test,
        entry_point,
        prelude,
        defines,
        frozenset({*free, entry_point} - {""}),
        shadows,
        third_party_packages(nodes),
        why_shared(nodes, free) or why_state_shared(own, nodes),
        means_objects(nodes, free),
        is_benign(nodes),
        _why_idle(tree, defines, tested=bool(free or entry_point)),
    )


def _why_idle(tree: ast.Module, defines: tuple[str, ...], *, tested: bool) -> str:
    if not defines and all(isinstance(item, (*SCENERY, ast.Pass)) or _is_text(item) for item in tree.body):
        return "they run nothing, they only define"
    if not tested and CHECK not in defines:
        return "they name nothing of the program; give the row an `entry_point`"
    return ""


def _is_text(item: ast.stmt) -> bool:
    """Whether a statement is nothing but a constant, such as a docstring."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _waiting(tree: ast.Module) -> tuple[str, ...]:
    """Return what the tests define and do not run: `check`, test functions, classes of tests."""
    names = [
        item.name
        for item in tree.body
        if (
            isinstance(item, ast.FunctionDef)
            and (item.name == CHECK or item.name.startswith("test"))
            and not _is_generator(item)
        )
        or (isinstance(item, ast.ClassDef) and item.bases)
    ]
    return (CHECK,) if CHECK in names else tuple(names)


def _is_generator(function: ast.FunctionDef) -> bool:
    """Whether calling a function runs nothing of it yet."""
    waiting: list[ast.AST] = [*function.body]
    while waiting:
        node = waiting.pop()
        if isinstance(node, (ast.Yield, ast.YieldFrom)):
            return True
        if not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            waiting.extend(ast.iter_child_nodes(node))
    return False


def _acts(tree: ast.Module, name: str) -> bool:
    calls = [item.value for item in tree.body if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call)]
    return any(isinstance(call.func, ast.Name) and call.func.id == name for call in calls)


def _text(value: Any) -> str:
    return "\n".join(_texts(value))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        listed = json_value(value) if value.lstrip()[:1] == "[" else None
        return _texts(listed) if isinstance(listed, list) else [value.replace("\r\n", "\n")]
    if isinstance(value, (list, tuple)):
        return [item.replace("\r\n", "\n") for item in value if isinstance(item, str)]
    return []
