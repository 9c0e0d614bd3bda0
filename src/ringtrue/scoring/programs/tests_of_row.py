"""The tests a row carries for a program, in the shapes of HumanEval, MBPP and standard input and output."""

from __future__ import annotations

import ast
import builtins
import json
import re
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from ringtrue.scoring.programs.first_calls import CHECK, foreseen_calls, is_text
from ringtrue.scoring.programs.program_text import helpers
from ringtrue.scoring.programs.syntax import DEFINITIONS, SCENERY, Reader

TEST_CHARS = 8_000_000
"""Tests come with the data and may be long: some list thousands of inputs."""

_BUILTINS = frozenset(dir(builtins))
_HARMLESS = frozenset(
    (
        *("math", "cmath", "typing", "collections", "itertools", "functools", "re", "string", "operator", "heapq"),
        *("bisect", "copy", "fractions", "datetime", "numbers", "textwrap", "__future__"),
    )
)
"""Modules whose use leaves nothing behind in the process that uses them."""

_STATEFUL = frozenset(
    (
        *("exec", "eval", "compile", "open", "globals", "locals", "vars", "setattr", "delattr", "input", "breakpoint"),
        *("exit", "quit", "__import__", "__builtins__"),
    )
)
_SHARED = frozenset(
    (
        *("asyncio", "inspect", "gc", "pickle", "mock", "threading", "multiprocessing", "subprocess", "signal"),
        *("concurrent", "ctypes", "dis", "weakref", "tracemalloc", "importlib", "runpy"),
    )
)
"""Modules that tests use to look into the program's own process."""

_SHARED_NAMES = frozenset(("redirect_stdout", "redirect_stderr", "capsys", "monkeypatch", "patch", "globals", "locals"))
_SHARED_ATTRIBUTES = frozenset(("stdout", "stdin", "stderr", "modules", "getsizeof", "getrefcount", "settrace"))


@dataclass(frozen=True, slots=True)
class CallTests:
    """Tests that call the program.

    `names` are what they need of it. `shared` says why they cannot run in a process of their own; empty where they can.
    `trusting`: they name a class of the program and so mean its operators. `benign`: they leave nothing behind.
    `idle`: they define something that nobody runs. `foreseen`: the arguments of the calls they begin with.
    """

    test: str
    entry_point: str = ""
    prelude: tuple[str, ...] = ()
    defines: tuple[str, ...] = ()
    names: frozenset[str] = frozenset()
    shared: str = ""
    trusting: bool = False
    benign: bool = False
    idle: bool = False
    foreseen: tuple[tuple[Any, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class StreamTests:
    """Tests that feed standard input and expect standard output."""

    cases: tuple[tuple[str, str], ...]


def read_tests(fields: Mapping[str, Any], context: str) -> CallTests | StreamTests | None:
    """The tests of a row; None where it has none."""
    test = _text(fields.get("test"))
    if test.strip():
        return _read(test, *_around(fields), context)
    listed = _texts(fields.get("test_list"))
    if any(item.strip() for item in listed):
        return _read("\n".join(listed), *_around(fields), "")
    cases = stream_cases(fields)
    return StreamTests(cases) if cases else None


def stream_cases(fields: Mapping[str, Any]) -> tuple[tuple[str, str], ...]:
    """Pairs of standard input and expected output, from the field names datasets use for them."""
    for name in ("input_output", "public_tests", "private_tests", "generated_tests", "tests", "test_cases"):
        found = _pairs(_json(fields.get(name)))
        if found:
            return found
    found = _pairs(_json(fields.get("public_test_cases"))) + _pairs(_json(fields.get("private_test_cases")))
    return found or _pairs(fields)


def same_output(given: str, expected: str) -> bool:
    """Whether two outputs agree line by line, trailing blanks and blank lines at the end left aside."""
    return _lines(given) == _lines(expected)


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
    tree = Reader(TEST_CHARS).parsed(test)
    statements = [item for item in ast.walk(tree) if isinstance(item, ast.stmt)] if tree is not None else []
    return tuple((item.lineno, item.end_lineno or item.lineno) for item in statements)


def _around(fields: Mapping[str, Any]) -> tuple[str, tuple[str, ...]]:
    setup = [*_texts(fields.get("test_imports")), *_texts(fields.get("test_setup_code"))]
    return _text(fields.get("entry_point")).strip(), tuple(setup)


@lru_cache(maxsize=256)  # many answers to one task carry the same tests
def _read(test: str, entry_point: str, setup: tuple[str, ...], context: str) -> CallTests:
    prelude = tuple(text for text in (helpers(context, entry_point), *setup) if text.strip())
    reader = Reader(TEST_CHARS)
    tree = reader.parsed(test)
    if tree is None:
        found = (CHECK,) if re.search(r"(?m)^def check\(", test) else ()
        return CallTests(test, entry_point, prelude, found, frozenset(filter(None, [entry_point])))
    before = [item for text in prelude if (parsed := reader.parsed(text)) is not None for item in parsed.body]
    nodes = [node for item in (*before, *tree.body) for node in ast.walk(item)]
    free = _free(nodes)
    defines = () if _acts(tree, CHECK) else _waiting(tree)
    classes = {name for name in free if name[:1].isupper() and not name.isupper()}
    return CallTests(
        test,
        entry_point,
        prelude,
        defines,
        frozenset({*free, entry_point} - {""}),
        _shared(nodes),
        bool(classes),
        _benign(nodes),
        not defines and all(isinstance(item, (*SCENERY, ast.Pass)) or is_text(item) for item in tree.body),
        foreseen_calls(tree, free),
    )


def _waiting(tree: ast.Module) -> tuple[str, ...]:
    """What the tests define for somebody else to run: `check`, test functions, classes of tests."""
    names = [
        item.name
        for item in tree.body
        if (isinstance(item, ast.FunctionDef) and (item.name == CHECK or item.name.startswith("test")))
        or (isinstance(item, ast.ClassDef) and item.bases)
    ]
    return (CHECK,) if CHECK in names else tuple(names)


def _acts(tree: ast.Module, name: str) -> bool:
    calls = [item.value for item in tree.body if isinstance(item, ast.Expr) and isinstance(item.value, ast.Call)]
    return any(isinstance(call.func, ast.Name) and call.func.id == name for call in calls)


def _free(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are used and nowhere bound, neither here nor by Python: the program has to define them."""
    used: set[str] = set()
    bound: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else bound).add(node.id)
        elif isinstance(node, ast.arg):
            bound.add(node.arg)
        elif isinstance(node, DEFINITIONS):
            bound.add(node.name)
        elif isinstance(node, ast.alias):
            bound.add((node.asname or node.name).partition(".")[0])
        elif isinstance(node, ast.ExceptHandler) and node.name:
            bound.add(node.name)
    return used - bound - _BUILTINS


def _shared(nodes: Iterable[ast.AST]) -> str:
    for node in nodes:
        if isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return "they are asynchronous"
        for module in _modules(node):
            top = module.partition(".")[0]
            if top in _SHARED or module == "unittest.mock":
                return f"they use {module}"
            if top not in sys.stdlib_module_names:
                return f"they use {top}, whose values do not cross"
        if isinstance(node, ast.Name) and node.id in _SHARED_NAMES:
            return f"they use {node.id}"
        if isinstance(node, ast.Attribute) and node.attr in (_SHARED_ATTRIBUTES | _SHARED_NAMES):
            return f"they use {node.attr}"
    return ""


def _benign(nodes: Iterable[ast.AST]) -> bool:
    for node in nodes:
        if isinstance(node, (ast.ClassDef, ast.Global, ast.Delete)):
            return False
        if any(module.partition(".")[0] not in _HARMLESS for module in _modules(node)):
            return False
        if isinstance(node, ast.Attribute) and (node.attr.startswith("__") or not isinstance(node.ctx, ast.Load)):
            return False
        if isinstance(node, ast.Name) and node.id in _STATEFUL:
            return False
    return True


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        within = [f"{node.module}.{alias.name}" for alias in node.names if node.module == "unittest"]
        return [node.module or ".", *within]
    return []


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


def _json(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return None


def _text(value: Any) -> str:
    return "\n".join(_texts(value))


def _texts(value: Any) -> list[str]:
    if isinstance(value, str):
        listed = _json(value) if value.lstrip()[:1] == "[" else None
        return _texts(listed) if isinstance(listed, list) else [value.replace("\r\n", "\n")]
    if isinstance(value, (list, tuple)):
        return [item.replace("\r\n", "\n") for item in value if isinstance(item, str)]
    return []


def _lines(text: str) -> list[str]:
    return [line.rstrip() for line in text.rstrip().split("\n")]
