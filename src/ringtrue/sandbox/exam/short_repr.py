"""Values in few words, for the reader of a failure."""

from __future__ import annotations

import reprlib
from typing import Any

from ringtrue.sandbox.exam.foreign import Foreign, Linked


class _Words(reprlib.Repr):
    def repr1(self, x: Any, level: int) -> str:
        if issubclass(type(x), Foreign):
            return f"<{x._kind} of the program>"
        return super().repr1(x._plain[0] if issubclass(type(x), Linked) else x, level)


_WORDS = _Words()
_WORDS.maxlist = _WORDS.maxtuple = _WORDS.maxset = _WORDS.maxfrozenset = _WORDS.maxdict = 12
_WORDS.maxstring = _WORDS.maxother = 160


def short_repr(value: Any) -> str:
    """A value as Python writes it, with an ellipsis where it is long."""
    try:
        return _WORDS.repr(value)
    # An integer beyond Python's limit for decimal text; a class that has the name of a built-in one.
    except (RecursionError, ValueError, TypeError, AttributeError):
        return f"<{type(value).__name__}>"
