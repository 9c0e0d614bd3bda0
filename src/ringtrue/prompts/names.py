"""`Scope`: which names a piece of source gives a value itself, as far as reading it tells."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef


@dataclass(frozen=True)
class Scope:
    """A module, function or class, and the names that it binds."""

    qualname: str
    names: Counter[str]
    is_class: bool = False
    around: Scope | None = None

    @classmethod
    def of(cls, node: ast.Module | Definition, around: Scope | None = None) -> Scope:
        """The scope of a module or a definition inside another."""
        names = Counter(name for part in _inside(node) for name in bound(part))
        if around is None or isinstance(node, ast.Module):
            return cls("<module>", names)
        qualname = node.name if around.around is None else f"{around.qualname}.{node.name}"
        return cls(qualname, names, isinstance(node, ast.ClassDef), around)

    def hides(self, name: str) -> bool:
        """Whether a name means something else here than in the module; a method does not see the names of its class."""
        scope: Scope | None = self
        while scope is not None and scope.around is not None:
            if name in scope.names and (scope is self or not scope.is_class):
                return True
            scope = scope.around
        return False


def literal(node: ast.AST) -> str | None:
    """The text of a constant, or of an f-string that has nothing to fill in."""
    if isinstance(node, ast.JoinedStr):
        parts = [literal(part) for part in node.values]
        return None if None in parts else "".join(part for part in parts if part is not None)
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


def constants(tree: ast.Module, module: Scope, nodes: Iterable[ast.AST]) -> dict[str, str]:
    """The texts of names that are bound once in the whole module, by a plain assignment at its top.

    `nodes` are all nodes of the tree: a function's `global` may bind a name at any time, and `import *` may bind any
    name that stands above it.
    """
    elsewhere = {name for node in nodes if isinstance(node, ast.Global) for name in node.names}
    stars = [node.lineno for node in nodes if isinstance(node, ast.ImportFrom) and node.names[0].name == "*"]
    found: dict[str, str] = {}
    for statement in tree.body:
        if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
            target = statement.targets[0]
        elif isinstance(statement, ast.AnnAssign):
            target = statement.target
        else:
            continue
        text = None if statement.value is None else literal(statement.value)
        if isinstance(target, ast.Name) and text is not None and statement.lineno > max(stars, default=0):
            found[target.id] = text
    return {name: text for name, text in found.items() if module.names[name] == 1 and name not in elsewhere}


_NAMED = {
    kind: word
    for names, word in (
        ("FunctionDef AsyncFunctionDef ClassDef ExceptHandler MatchAs MatchStar", "name"),
        ("TypeVar TypeVarTuple ParamSpec", "name"),
        ("MatchMapping", "rest"),
        ("arg", "arg"),
    )
    for name in names.split()
    if (kind := getattr(ast, name, None))  # type parameters came with Python 3.12
}
"""What binds a name -> where it says which."""


def bound(node: ast.AST) -> list[str]:
    """The names that a node binds: by assignment, parameter, definition, import, `except`, `match`, `del`."""
    if isinstance(node, ast.Name):
        return [] if isinstance(node.ctx, ast.Load) else [node.id]
    if isinstance(node, ast.alias):
        return [node.asname or node.name.partition(".")[0]]
    if isinstance(node, ast.Global):
        return node.names
    word = _NAMED.get(type(node))
    name = getattr(node, word) if word else None
    return [name] if name else []


def _inside(scope: ast.Module | Definition) -> Iterator[ast.AST]:
    """The nodes of a scope but those of scopes inside it; what a lambda or a comprehension binds counts as its own."""
    waiting = list(ast.iter_child_nodes(scope))
    while waiting:
        node = waiting.pop()
        yield node
        if not isinstance(node, Definition):
            waiting.extend(ast.iter_child_nodes(node))
