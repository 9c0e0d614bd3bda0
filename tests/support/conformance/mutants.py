"""Mutants: programs that differ from a solution by one small change, and so are mostly wrong."""

from __future__ import annotations

import ast
from copy import deepcopy

from support.conformance.tasks import parsed

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.FloorDiv,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitXor, ast.BitXor: ast.BitAnd,
}  # fmt: skip


def mutants(program: str, most: int, function: str = "") -> list[str]:
    """Up to `most` mutants of a program, or of one function of it, spread over the places where it can be changed."""
    tree = parsed(program)
    whole = [item for item in tree.body if not function or getattr(item, "name", "") == function]
    inside = {id(node) for item in whole for node in ast.walk(item)}
    places = [place for place, node in enumerate(ast.walk(tree)) if id(node) in inside and _change(deepcopy(node))]
    step = max(1, len(places) // most)
    return [text for place in places[::step][:most] if (text := _mutant(tree, place)) != ast.unparse(tree)]


def _mutant(tree: ast.Module, place: int) -> str:
    changed = deepcopy(tree)
    _change([*ast.walk(changed)][place])
    return ast.unparse(changed) + "\n"


def _change(node: ast.AST) -> bool:
    """Change a node in place; False where there is nothing to change."""
    match node:
        case ast.Compare(ops=[first, *_]) if type(first) in _COMPARISONS:
            node.ops[0] = _COMPARISONS[type(first)]()
        case ast.BinOp(op=operator) | ast.AugAssign(op=operator) if type(operator) in _OPERATORS:
            node.op = _OPERATORS[type(operator)]()
        case ast.BoolOp(op=operator):
            node.op = ast.Or() if isinstance(operator, ast.And) else ast.And()
        case ast.Constant(value=bool(value)):
            node.value = not value
        case ast.Constant(value=int(value)):
            node.value = value + 1
        case ast.Return(value=ast.expr()):
            node.value = ast.Constant(None)
        case ast.UnaryOp(op=ast.Not()):
            node.op = ast.UAdd()
        case _:
            return False
    return True
