"""The needs of tests, read off their syntax: names, packages, the program's process, an examiner of their own."""

from __future__ import annotations

import ast
import builtins
import collections.abc
import sys
import types
from collections import Counter
from collections.abc import Iterable

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

_SHARED_NAMES = frozenset(
    (
        *("redirect_stdout", "redirect_stderr", "capsys", "monkeypatch", "patch", "globals", "locals"),
        *("asdict", "astuple", "is_dataclass"),
    )
)
_SHARED_ATTRIBUTES = frozenset(
    (
        *("stdout", "stdin", "stderr", "modules", "getsizeof", "getrefcount", "settrace"),
        *("assertWarns", "assertWarnsRegex", "assertLogs", "assertNoLogs"),
    )
)
_STATE_ATTRIBUTES = frozenset(
    (
        *("environ", "chdir", "setrecursionlimit", "getcontext", "setcontext", "setlocale", "catch_warnings"),
        *("simplefilter", "filterwarnings"),
    )
)
"""What tests change of a process; what comes before them runs in both."""

_KIND_CHECKS = frozenset(("isinstance", "issubclass", "assertIsInstance", "assertNotIsInstance"))
_CHANGING = frozenset(
    (
        *("append", "appendleft", "extend", "insert", "remove", "pop", "clear", "sort", "reverse", "update", "add"),
        *("discard", "setdefault", "popitem"),
    )
)
_OUTER_KINDS = frozenset((*collections.abc.__all__, *types.__all__))
"""Classes that go by what an object can do or by how it was made: what stands for one seems to do everything."""


def tested_builtin(used: set[str]) -> str:
    """The name that is tested where the tests use none but Python's own: the only one, types and helpers left aside."""
    if used - BUILTINS:
        return ""
    functions = {name for name in used if not isinstance(getattr(builtins, name), type) and name not in _CONSTANTS}
    for tested in (functions - _AROUND_CALLS, functions, used - _CONSTANTS):
        if tested:
            return tested.pop() if len(tested) == 1 else ""
    return ""


def means_objects(nodes: Iterable[ast.AST], wanted: set[str]) -> bool:
    """Whether tests read an attribute that neither plain values have nor the modules and classes they bring.

    Or they compare, or show as text, what operators make of what they `wanted` of the program.
    """
    own = {"self", "cls", *(name for node in nodes for name in _brought(node))}
    own |= _names_of_own_values(nodes, own)
    reads = [node for node in nodes if isinstance(node, ast.Attribute) and not node.attr.startswith("__")]
    if any(node.attr not in _PLAIN_ATTRIBUTES and _root(node, own) not in own for node in reads):
        return True
    return any(_computes_objects(node, wanted) for node in nodes)


def _computes_objects(node: ast.AST, wanted: set[str]) -> bool:
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(isinstance(side, ast.BinOp) for side in sides) and all(_calls(side, wanted) for side in sides)
    if isinstance(node, ast.Call) and _last_name(node.func) in ("str", "repr"):
        return any(isinstance(item, ast.BinOp) and _calls(item, wanted) for item in node.args)
    return False


def _calls(node: ast.AST, wanted: set[str]) -> bool:
    return any(isinstance(part, ast.Call) and _last_name(part.func) in wanted for part in ast.walk(node))


def _last_name(node: ast.AST) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _brought(node: ast.AST) -> list[str]:
    if isinstance(node, ast.alias):
        return [(node.asname or node.name).partition(".")[0]]
    if isinstance(node, ast.ExceptHandler) and node.name:
        return [node.name]
    return [node.name] if isinstance(node, ast.ClassDef) else []


def _names_of_own_values(nodes: Iterable[ast.AST], own: set[str]) -> set[str]:
    """Variables that never hold anything but what the tests' own modules and classes made of constants."""
    stores = Counter(node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store))
    given = [node for node in nodes if isinstance(node, ast.Assign) and _root(node.value, own) in own]
    targets = Counter(node.targets[0].id for node in given if isinstance(node.targets[0], ast.Name))
    return {name for name, times in targets.items() if times == stores[name]}


def _root(node: ast.expr, own: set[str]) -> str:
    """The name that an expression of attributes and calls begins with; empty where a call is handed other names."""
    while isinstance(node, (ast.Attribute, ast.Call)):
        if isinstance(node, ast.Call):
            inside = (name for item in (*node.args, *node.keywords) for name in ast.walk(item))
            if any(isinstance(name, ast.Name) and name.id not in own for name in inside):
                return ""
            node = node.func
        else:
            node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def why_shared(nodes: Iterable[ast.AST], wanted: set[str]) -> str:
    """Return why tests need the program's own process, of which they want these names; empty if they do not."""
    return next(filter(None, (_why_by_classes(node, wanted) or _why_by_names(node) for node in nodes)), "")


def why_state_shared(nodes: Iterable[ast.AST], around: Iterable[ast.AST]) -> str:
    """Return what tests change that the program has to see; `around` are their nodes and all that comes before."""
    modules = {name for node in around if isinstance(node, ast.alias) for name in _brought(node)}
    return next(filter(None, (_why_by_state(node, modules) for node in nodes)), "")


def _why_by_classes(node: ast.AST, wanted: set[str]) -> str:
    if _compares_types(node, wanted):
        return "they compare a type with a class of the program"
    if isinstance(node, ast.ClassDef) and any(_last_name(base) in wanted for base in node.bases):
        return "they derive a class from one of the program"
    if isinstance(node, ast.Call) and _last_name(node.func) in _KIND_CHECKS:
        found = {_last_name(part) for item in node.args[1:] for part in ast.walk(item)} & _OUTER_KINDS
        return f"they use {min(found)}" if found else ""
    return ""


def _why_by_names(node: ast.AST) -> str:
    if isinstance(node, (ast.AsyncFunctionDef, ast.Await, ast.AsyncFor, ast.AsyncWith)):
        return "they are asynchronous"
    for module in _modules(node):
        top = module.partition(".")[0]
        if top in _SHARED or module == "unittest.mock":
            return f"they use {module}"
        if top not in sys.stdlib_module_names and top not in _CROSSING:
            return f"they use {top}, whose values do not cross"
    name = node.id if isinstance(node, ast.Name) else ""
    inner = node.attr if isinstance(node, ast.Attribute) else node.name if isinstance(node, ast.alias) else ""
    if name in _SHARED_NAMES or inner in (_SHARED_ATTRIBUTES | _SHARED_NAMES):
        return f"they use {name or inner}"
    return ""


def _why_by_state(node: ast.AST, modules: set[str]) -> str:
    if _changes_inside(node, modules | {"self", "cls"}):
        return "they change what an object holds"
    name = node.name if isinstance(node, ast.alias) else _last_name(node)
    if name in _STATE_ATTRIBUTES:
        return f"they use {name}"
    if isinstance(node, ast.Attribute) and (name == "seed" or not isinstance(node.ctx, ast.Load)):
        root = _root(node, modules)
        return f"they change {root}" if root in modules else ""
    return ""


def _changes_inside(node: ast.AST, own: set[str]) -> bool:
    """Whether a list or dict that an object has as an attribute is changed: what arrives of it is a copy."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in _CHANGING:
        held = node.func.value
    elif isinstance(node, ast.Subscript) and not isinstance(node.ctx, ast.Load):
        held = node.value
    else:
        return False
    while isinstance(held, ast.Subscript):
        held = held.value
    return isinstance(held, ast.Attribute) and _last_name(held.value) not in own


def _compares_types(node: ast.AST, wanted: set[str]) -> bool:
    """Whether the very class of something is compared with one that the program defines."""
    if not isinstance(node, ast.Compare):
        return False
    sides = [part for side in (node.left, *node.comparators) for part in getattr(side, "elts", [side])]
    named = any(isinstance(side, ast.Name) and side.id in wanted for side in sides)
    return named and any(
        (isinstance(side, ast.Call) and isinstance(side.func, ast.Name) and side.func.id == "type")
        or (isinstance(side, ast.Attribute) and side.attr == "__class__")
        for side in sides
    )


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
