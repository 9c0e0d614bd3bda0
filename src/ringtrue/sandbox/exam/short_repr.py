"""Values in few words, for the reader of a failure."""

from __future__ import annotations

import reprlib
from typing import Any


class _Words(reprlib.Repr):
    def repr_Foreign(self, value: Any, level: int) -> str:  # noqa: N802 - reprlib looks for the name of the class
        return f"<{value._kind} of the program>"


_WORDS = _Words()
_WORDS.maxlist = _WORDS.maxtuple = _WORDS.maxset = _WORDS.maxfrozenset = _WORDS.maxdict = 12
_WORDS.maxstring = _WORDS.maxother = 160


def short_repr(value: Any) -> str:
    """A value as Python writes it, with an ellipsis where it is long."""
    try:
        return _WORDS.repr(value)
    except (RecursionError, ValueError):  # an integer beyond Python's limit for decimal text
        return f"<{type(value).__name__}>"
