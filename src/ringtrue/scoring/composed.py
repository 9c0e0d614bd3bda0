"""`composed`: a text in NFC, in time that grows with its length and no faster."""

from __future__ import annotations

from itertools import groupby
from unicodedata import combining, normalize

_MOST_MARKS = 60
"""So many marks on one letter are put in order; no script has more than half of them."""


def composed(text: str) -> str:
    """The text in NFC, but that a letter's marks beyond any script stay as they are: sorting those takes the square."""
    if text.isascii():
        return text
    found, start, at = [], 0, 0
    for is_mark, run in groupby(text, lambda sign: bool(combining(sign))):
        length = sum(1 for _ in run)
        if is_mark and length > _MOST_MARKS:
            found += [normalize("NFC", text[start:at]), text[at : at + length]]
            start = at + length
        at += length
    return "".join([*found, normalize("NFC", text[start:])])
