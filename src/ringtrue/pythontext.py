"""Python source as text: parsed, never run."""

from __future__ import annotations

import ast
from threading import RLock

_PARSING = RLock()


def parse_python(text: str) -> ast.Module:
    """The tree of a program, one thread at a time: in Python 3.11 two at once raise `SystemError` on sound text."""
    with _PARSING:
        return ast.parse(text)
