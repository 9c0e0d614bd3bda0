"""`composed`: a text in one of Unicode's normal forms, in time that grows with its length and no faster."""

from __future__ import annotations

from itertools import groupby
from typing import Literal
from unicodedata import combining, normalize

_MOST_MARKS = 60
"""Up to this many marks on one letter are put in order; no script has more than half of them."""

_SHORT = 500
"""Marks of so short a text are sorted before one could look for them."""

_PAIRS_OF_MARKS = frozenset("\u0f73\u0f75\u0f81\uff9e\uff9f")
"""What is not a mark, and decomposes into nothing else."""


def compose(text: str, form: Literal["NFC", "NFKC"] = "NFC") -> str:
    """The text in the form, but that marks beyond any script stay as they are in a long text: sorting them is slow."""
    if len(text) <= _SHORT or text.isascii():
        return normalize(form, text)
    found, start, at = [], 0, 0
    for is_mark, run in groupby(text, _is_mark):
        length = sum(1 for _ in run)
        if is_mark and length > _MOST_MARKS:
            found += [normalize(form, text[start:at]), text[at : at + length]]
            start = at + length
        at += length
    return "".join([*found, normalize(form, text[start:])])


def _is_mark(sign: str) -> bool:
    return sign > "\u02ff" and (combining(sign) > 0 or sign in _PAIRS_OF_MARKS)
