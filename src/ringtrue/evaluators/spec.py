"""Evaluators from text: `word_count(max_words=100)` names one with its settings."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterator
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Any

from ringtrue.errors import ConfigurationError, UnknownName
from ringtrue.evaluators.adapt import Evaluator, as_evaluator
from ringtrue.evaluators.built_in import BUILT_IN, JUDGED
from ringtrue.require import did_you_mean
from ringtrue.user_code import import_object

_PLUGINS = "ringtrue.evaluators"
_OWN = re.compile(r"(?P<place>[^()'\"]+:[A-Za-z_][\w.]*)(?P<call>\(.*\))?", re.DOTALL)
"""MODULE:NAME or FILE.py:NAME, and the settings of a class."""


def build(spec: str) -> Evaluator:
    """The evaluator a spec describes: a name, or a call of it whose arguments are literals or specs themselves.

    `FILE.py:NAME` and `MODULE:NAME` are a user's own: an evaluator, a function, or a class with or without a call.
    """
    own = _OWN.fullmatch(spec.strip())
    try:
        tree = ast.parse(f"own{own['call'] or ''}" if own else spec.strip(), mode="eval").body
    except (SyntaxError, ValueError, MemoryError, RecursionError) as error:
        raise _unreadable(spec) from error
    return _build_own(own["place"], tree, spec) if own else _build_tree(tree, spec)


def find(name: str) -> Any:
    """The class, or the factory of a plug-in, with this name; or what MODULE:NAME or FILE.py:NAME stands for."""
    known = BUILT_IN | JUDGED
    if ":" in name:
        return import_object(name, Path(), "evaluator")
    if name in known:
        module, class_name = known[name]
        return getattr(import_module(module), class_name)
    for plugin in plugins():
        if plugin.name == name:
            return plugin.load()
    owners = [one for one in known if name in find(one).parts]
    if owners:
        words = f"no evaluator named {name!r}; it is a part of {' and '.join(owners)}: 'ringtrue explain {owners[0]}'"
        raise ConfigurationError(words, parameter="evaluator", value=name)
    raise UnknownName("evaluator", name, [*known, *(plugin.name for plugin in plugins())])


def plugins() -> Iterator[EntryPoint]:
    """The entry points other packages offer."""
    yield from entry_points(group=_PLUGINS)


def _build_own(place: str, tree: ast.expr, spec: str) -> Evaluator:
    found = find(place)
    if isinstance(tree, ast.Name) and not isinstance(found, type):
        return as_evaluator(found)
    positional = [_argument(item, spec) for item in tree.args] if isinstance(tree, ast.Call) else []
    keywords = tree.keywords if isinstance(tree, ast.Call) else []
    named = {item.arg: _argument(item.value, spec) for item in keywords if item.arg}
    try:
        return as_evaluator(found(*positional, **named))
    except TypeError as error:
        words = f"{spec!r}: {_misuse(found, positional, named) or error}"
        raise ConfigurationError(words, parameter="evaluator", value=spec) from error


def _build_tree(tree: ast.expr, spec: str) -> Evaluator:
    if isinstance(tree, ast.Name):
        return _construct(tree.id, [], {}, spec)
    if isinstance(tree, ast.Call) and isinstance(tree.func, ast.Name):
        positional = [_argument(item, spec) for item in tree.args]
        named = {item.arg: _argument(item.value, spec) for item in tree.keywords if item.arg}
        return _construct(tree.func.id, positional, named, spec)
    if isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not):  # Python reads not(x) as an operator
        return _construct("not", [_argument(tree.operand, spec)], {}, spec)
    raise _unreadable(spec)


def _argument(tree: ast.expr, spec: str) -> Any:
    negation = isinstance(tree, ast.UnaryOp) and isinstance(tree.op, ast.Not)
    if negation or isinstance(tree, ast.Call) or (isinstance(tree, ast.Name) and tree.id in BUILT_IN | JUDGED):
        return _build_tree(tree, spec)
    if isinstance(tree, ast.Name) and tree.id in ("true", "false", "null"):
        return {"true": True, "false": False, "null": None}[tree.id]
    if isinstance(tree, (ast.List, ast.Tuple)):
        return [_argument(item, spec) for item in tree.elts]
    if isinstance(tree, ast.Name):
        raise ConfigurationError(
            f"{spec!r}: {tree.id} is not a value; write text in quotes: {tree.id!r}", parameter="evaluator", value=spec
        )
    try:
        return ast.literal_eval(tree)
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError) as error:
        raise _unreadable(spec) from error


def _construct(name: str, positional: list[Any], named: dict[str, Any], spec: str) -> Evaluator:
    factory = find(name)
    try:
        return as_evaluator(factory(*positional, **named))
    except TypeError as error:
        raise ConfigurationError(
            f"{spec!r}: {_misuse(factory, positional, named) or error}; 'ringtrue explain {name}' shows its settings",
            parameter="evaluator",
            value=spec,
        ) from error


def _misuse(factory: Any, positional: list[Any], named: dict[str, Any]) -> str:
    """Return what is wrong with the arguments of a call, or nothing if they fit its parameters."""
    try:
        given = inspect.signature(factory)
        given.bind(*positional, **named)
    except TypeError as error:
        unknown = next((name for name in named if name not in given.parameters), None)
        if unknown is None:
            return str(error)
        hint = did_you_mean(unknown, given.parameters, "")
        return f"there is no setting {unknown!r}{f', {hint}' if hint else ''}"
    return ""


def _unreadable(spec: str) -> ConfigurationError:
    return ConfigurationError(
        f"cannot read the evaluator {spec!r}; write a name, name(setting=value, ...) or FILE.py:NAME",
        parameter="evaluator",
        value=spec,
    )
