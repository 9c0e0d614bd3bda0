"""Scopes: the names that code takes from around it, by Python's rules."""

from __future__ import annotations

import ast
from collections.abc import Iterable

from ringtrue.scoring.programs.syntax import DEFINITIONS

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
