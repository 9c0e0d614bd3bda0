"""Python source as text: parsed, never run."""

from __future__ import annotations

import ast
import warnings
from threading import RLock

_PARSING = RLock()


def parse_python(text: str) -> ast.Module:
    """The tree of a program, one thread at a time: in Python 3.11 two at once raise `SystemError` on sound text."""
    with _PARSING, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # where warnings are errors, a text such as "\\d" would not parse
        return ast.parse(text)
