"""The calls that tests make first, read off their text: assertions in a row, each with one call of plain arguments."""

from __future__ import annotations

import ast
from typing import Any

CHECK = "check"

_MOST_CALLS, _MOST_NODES = 200, 20_000
_LAZY = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.BoolOp, ast.IfExp, ast.NamedExpr)
"""What may evaluate its parts never, or more than once."""


def foreseen_calls(tree: ast.Module, free: set[str]) -> tuple[tuple[Any, ...], ...]:
    """The arguments of the calls that will be made first and in this order, whatever the program answers."""
    target, statements = _examined_part(tree, free)
    found: list[tuple[Any, ...]] = []
    for item in statements:
        if is_text(item) or isinstance(item, ast.Pass):
            continue
        calls = _calls(item, target, free)
        if calls is None or len(found) >= _MOST_CALLS:
            break
        found += calls
    return tuple(found)


def is_text(item: ast.stmt) -> bool:
    """Whether a statement is nothing but a constant, such as a docstring."""
    return isinstance(item, ast.Expr) and isinstance(item.value, ast.Constant)


def _examined_part(tree: ast.Module, free: set[str]) -> tuple[str, list[ast.stmt]]:
    """The name the tests call the program by, and the statements they begin with."""
    for item in tree.body:
        if isinstance(item, ast.FunctionDef) and item.name == CHECK:
            parameters = item.args.args
            return (parameters[0].arg, item.body) if len(parameters) == 1 and not free else ("", [])
    return (next(iter(free)), tree.body) if len(free) == 1 else ("", [])


def _calls(item: ast.stmt, target: str, free: set[str]) -> list[tuple[Any, ...]] | None:
    """The calls of one assertion, none or one; None where that is unknown."""
    if not isinstance(item, ast.Assert):
        return None
    nodes = list(ast.walk(item.test))
    # The order in a set differs from process to process: an argument would not be recognised.
    if len(nodes) > _MOST_NODES or any(isinstance(node, (*_LAZY, ast.Set)) for node in nodes):
        return None
    uses = [node for node in nodes if isinstance(node, ast.Name) and node.id in {target, *free}]
    calls = [node for node in nodes if isinstance(node, ast.Call) and node.func in uses]
    if not uses:
        return []
    if len(calls) != 1 or len(uses) != 1 or calls[0].keywords:
        return None
    try:
        return [tuple(ast.literal_eval(argument) for argument in calls[0].args)]
    except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
        return None
