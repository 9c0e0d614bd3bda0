"""The needs of tests, read off their syntax: names, packages, the program's process, an examiner of their own."""

from __future__ import annotations

import ast
import builtins
import sys
from collections.abc import Iterable

from ringtrue.scoring.programs.syntax import DEFINITIONS

BUILTINS = frozenset(dir(builtins))
_HARMLESS = frozenset(
    (
        *("math", "cmath", "typing", "collections", "itertools", "functools", "re", "string", "operator", "heapq"),
        *("bisect", "copy", "fractions", "datetime", "numbers", "textwrap", "collections.abc", "numpy", "__future__"),
    )
)
"""Modules whose use leaves nothing behind in the process that uses them."""

_CROSSING = frozenset({"numpy"})
"""Packages whose values cross from the program to tests in a process of their own."""

_STATEFUL_NUMPY = frozenset(("random", "seterr", "seterrcall", "setbufsize", "set_printoptions", "errstate"))
_CONSTANTS = frozenset(("True", "False", "None", "Ellipsis", "NotImplemented", "__debug__", "__name__"))
_AROUND_CALLS = frozenset(
    (
        *("abs", "all", "any", "callable", "getattr", "hasattr", "id", "isinstance", "issubclass", "iter", "len"),
        *("next", "print", "repr", "round", "sorted"),
    )
)
"""Functions that tests put around a call."""

_PLAIN_ATTRIBUTES = frozenset(
    (
        *(name for kind in (str, bytes, int, float, complex, list, tuple, dict, set, range) for name in dir(kind)),
        *("T", "all", "any", "argmax", "argmin", "astype", "cumsum", "dot", "dtype", "flat", "flatten", "item", "max"),
        *("mean", "min", "ndim", "nonzero", "prod", "ravel", "reshape", "round", "shape", "size", "std", "sum"),
        *("tobytes", "tolist", "transpose", "trace", "var"),
    )
)
"""Attributes of plain values, arrays of numpy among them."""

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


def tested_builtin(used: set[str]) -> str:
    """The name that is tested where the tests use none but Python's own: the only one, types and helpers left aside."""
    if used - BUILTINS:
        return ""
    functions = {name for name in used if not isinstance(getattr(builtins, name), type) and name not in _CONSTANTS}
    for tested in (functions - _AROUND_CALLS, functions, used - _CONSTANTS):
        if tested:
            return tested.pop() if len(tested) == 1 else ""
    return ""


def means_objects(nodes: Iterable[ast.AST]) -> bool:
    """Whether tests read an attribute that neither plain values have nor the modules and classes they bring."""
    own = {"self", "cls", *(name for node in nodes for name in _brought(node))}
    reads = [node for node in nodes if isinstance(node, ast.Attribute) and not node.attr.startswith("__")]
    return any(node.attr not in _PLAIN_ATTRIBUTES and _root(node) not in own for node in reads)


def _brought(node: ast.AST) -> list[str]:
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    return [node.name] if isinstance(node, ast.ClassDef) else []


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def unbound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are used and nowhere bound here: Python or the program has to define them."""
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
    return used - bound


def why_shared(nodes: Iterable[ast.AST]) -> str:
    """Return why tests need the program's own process; empty if they do not."""
    for node in nodes:
        if isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
            return "they are asynchronous"
        for module in _modules(node):
            top = module.partition(".")[0]
            if top in _SHARED or module == "unittest.mock":
                return f"they use {module}"
            if top not in sys.stdlib_module_names and top not in _CROSSING:
                return f"they use {top}, whose values do not cross"
        if isinstance(node, ast.Name) and node.id in _SHARED_NAMES:
            return f"they use {node.id}"
        if isinstance(node, ast.Attribute) and node.attr in (_SHARED_ATTRIBUTES | _SHARED_NAMES):
            return f"they use {node.attr}"
    return ""


def is_benign(nodes: Iterable[ast.AST]) -> bool:
    """Whether tests leave nothing behind in the process that runs them."""
    for node in nodes:
        if isinstance(node, (ast.ClassDef, ast.Global, ast.Delete)):
            return False
        if any(module not in _HARMLESS for module in _modules(node)):
            return False
        if isinstance(node, ast.Attribute) and (node.attr.startswith("__") or not isinstance(node.ctx, ast.Load)):
            return False
        if isinstance(node, ast.Name) and node.id in _STATEFUL:
            return False
        if isinstance(node, ast.Attribute) and node.attr in _STATEFUL_NUMPY:
            return False
    return True


def third_party_packages(nodes: Iterable[ast.AST]) -> tuple[str, ...]:
    optional = {
        id(inner) for node in nodes if isinstance(node, ast.Try) for item in node.body for inner in ast.walk(item)
    }
    modules = [module for node in nodes if id(node) not in optional for module in _modules(node)]
    tops = dict.fromkeys(module.partition(".")[0] for module in modules)
    return tuple(top for top in tops if top and top not in sys.stdlib_module_names)


def _modules(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom):
        within = [f"{node.module}.{alias.name}" for alias in node.names if node.module == "unittest"]
        return [node.module or ".", *within]
    return []
