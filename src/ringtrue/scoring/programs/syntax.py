"""Reading text as Python without running it: trees, the names they define, the lines they are on."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

from ringtrue.pythontext import parse_python

PARSED_CHARS = 60_000
"""Longer text is not parsed at all: no answer to a task is that long, and the work stays bounded."""

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
SCENERY = (*DEFINITIONS, ast.Import, ast.ImportFrom, ast.Assign, ast.AnnAssign)
"""Statements that define and do not act."""

_ESCAPE = re.compile(r"\\([^\n'\"\\])|\\\\", re.DOTALL)


class Reader:
    """Parses text up to `most` characters, as long as all of it together stays within twice that."""

    def __init__(self, most: int = PARSED_CHARS) -> None:
        self._most = most
        self._left = 2 * most
        self._known: dict[str, tuple[ast.Module | None, int]] = {}
        self.fault_line = 0

    def parse(self, text: str) -> ast.Module | None:
        """The tree of a text that is a program: no `return` outside of a function."""
        if self.spent or len(text) > self._most:
            self.fault_line = 0
            return None
        if text not in self._known:
            self._left -= len(text)
            tree = self._tree(text)
            self._known[text] = tree, self.fault_line
        known, self.fault_line = self._known[text]
        return known

    @property
    def spent(self) -> bool:
        """Whether the bound is reached, so that further attempts are in vain."""
        return self._left < 0

    def _tree(self, text: str) -> ast.Module | None:
        # Escapes are blotted out: the parser warns about unknown ones, and no name depends on any.
        shadow = _ESCAPE.sub(lambda match: "__" if match[1] else match[0], text)
        self.fault_line = 0
        try:
            tree = parse_python(shadow)
        except SyntaxError as error:
            self.fault_line = error.lineno or 0
            return None
        except (ValueError, RecursionError, MemoryError):
            return None
        line = stray(tree.body)
        self.fault_line = line
        return None if line else tree


def names_of(items: Iterable[ast.stmt]) -> set[str]:
    """Return the names that statements define: functions, classes, assigned and imported names."""
    found: set[str] = set()
    waiting = list(items)
    while waiting:  # not by recursion: a thousand `elif` lie a thousand deep
        item = waiting.pop()
        if isinstance(item, DEFINITIONS):
            found.add(item.name)
            if isinstance(item, ast.ClassDef) and item.name == "Solution":
                waiting += item.body
        elif isinstance(item, ast.Assign):
            found |= {name.id for target in item.targets for name in ast.walk(target) if isinstance(name, ast.Name)}
        elif isinstance(item, ast.AnnAssign) and isinstance(item.target, ast.Name):
            found.add(item.target.id)
        elif isinstance(item, (ast.Import, ast.ImportFrom)):
            found |= {(alias.asname or alias.name).partition(".")[0] for alias in item.names}
        elif isinstance(item, (ast.If, ast.Try)):
            waiting += [*item.body, *item.orelse]
    return found


def source_of(text: str, items: Iterable[ast.stmt]) -> str:
    """The lines of these statements of a text, decorators included."""
    lines = text.split("\n")
    kept = []
    for item in items:
        first = min([item.lineno, *(mark.lineno for mark in getattr(item, "decorator_list", ()))])
        kept.append("\n".join(lines[first - 1 : item.end_lineno]))
    return "\n".join(kept) + "\n" if kept else ""


def stray(items: Iterable[ast.AST]) -> int:
    """The line of a `return`, `yield` or `await` outside of any function; 0 where there is none."""
    waiting = list(items)
    while waiting:
        item = waiting.pop()
        if isinstance(item, (ast.Return, ast.Yield, ast.YieldFrom, ast.Await)):
            return item.lineno
        if not isinstance(item, (*DEFINITIONS, ast.Lambda, ast.GeneratorExp)):
            waiting.extend(ast.iter_child_nodes(item))
    return 0
