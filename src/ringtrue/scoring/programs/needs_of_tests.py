"""The needs of tests, read off their syntax: names, packages, the program's process, an examiner of their own."""

from __future__ import annotations

import ast
import builtins
import sys
from collections import Counter
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

_SHARED_NAMES = frozenset(
    (
        *("redirect_stdout", "redirect_stderr", "capsys", "monkeypatch", "patch", "globals", "locals"),
        *("asdict", "astuple", "is_dataclass"),
    )
)
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
    own |= _names_of_own_values(nodes, own)
    reads = [node for node in nodes if isinstance(node, ast.Attribute) and not node.attr.startswith("__")]
    return any(node.attr not in _PLAIN_ATTRIBUTES and _root(node, own) not in own for node in reads)


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


_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)
_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def unbound_names(nodes: Iterable[ast.AST]) -> set[str]:
    """Names that are used where nothing here binds them: Python or the program has to define them."""
    shared = {
        name
        for item in nodes
        for node in ast.walk(item)
        for name in (
            node.names if isinstance(node, ast.Global) else [node.target.id] if isinstance(node, ast.NamedExpr) else ()
        )
    }
    return _free_names(nodes) - shared


def _free_names(nodes: Iterable[ast.AST], *, in_class: bool = False) -> set[str]:
    """The names that one scope takes from around it, by Python's rules; a class hides nothing from its methods."""
    used: set[str] = set()
    bound: set[str] = set()
    within: set[str] = set()
    waiting = list(nodes)
    while waiting:
        node = waiting.pop()
        bound |= _bound_by(node)
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load):
            used.add(node.id)
        inner = _inner_scope(node)
        if inner:
            within |= _free_names(inner, in_class=isinstance(node, ast.ClassDef))
        apart = {id(part) for part in inner}
        waiting.extend(child for child in _children(node) if id(child) not in apart)
    return (used - bound) | within if in_class else (used | within) - bound


def _inner_scope(node: ast.AST) -> list[ast.AST]:
    """The parts of a node that are a scope of their own."""
    if isinstance(node, _FUNCTIONS):
        given = node.args
        named = [*given.posonlyargs, *given.args, *given.kwonlyargs, *filter(None, (given.vararg, given.kwarg))]
        return [*named, *(node.body if isinstance(node.body, list) else [node.body])]
    if isinstance(node, ast.ClassDef):
        return [*node.body]
    if isinstance(node, _COMPREHENSIONS):
        first = node.generators[0]
        made = [node.key, node.value] if isinstance(node, ast.DictComp) else [node.elt]
        return [first.target, *first.ifs, *node.generators[1:], *made]
    return []


def _children(node: ast.AST) -> list[ast.AST]:
    if isinstance(node, _FUNCTIONS):
        parts = [*ast.iter_child_nodes(node.args), *ast.iter_child_nodes(node)]
        return [part for part in parts if part is not node.args]
    if isinstance(node, _COMPREHENSIONS):
        return [node.generators[0].iter]
    return [*ast.iter_child_nodes(node)]


def _bound_by(node: ast.AST) -> set[str]:
    if isinstance(node, ast.Name):
        return set() if isinstance(node.ctx, ast.Load) else {node.id}
    if isinstance(node, ast.arg):
        return {node.arg}
    if isinstance(node, ast.alias):
        return {(node.asname or node.name).partition(".")[0]}
    if isinstance(node, ast.MatchMapping):
        return {node.rest or ""}
    if isinstance(node, (*DEFINITIONS, ast.ExceptHandler, ast.MatchAs, ast.MatchStar)):
        return {node.name or ""}
    return set()


def why_shared(nodes: Iterable[ast.AST], wanted: set[str]) -> str:
    """Return why tests need the program's own process, of which they want these names; empty if they do not."""
    for node in nodes:
        if _compares_types(node, wanted):
            return "they compare a type with a class of the program"
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
