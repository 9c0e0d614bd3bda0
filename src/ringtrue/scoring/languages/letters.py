"""The letters of a text by which langdetect tells languages apart."""

from __future__ import annotations

import re
import unicodedata
from itertools import islice

from ringtrue.scoring.languages.profiles import profiles

_LONGEST = 10_000
_MARGIN = 3_000
"""More than the longest e-mail address and the longest URL together."""
_URL = re.compile(r"https?://[0-9A-Za-z#&+\-./;=?_~]{1,2076}")
_MAIL = re.compile(r"[0-9A-Za-z\-._]{1,64}@[0-9A-Za-z\-_]{1,255}[0-9A-Za-z\-._]{1,255}")
_ACCENTS = "\u0300\u0301\u0303\u0309\u0323"
_ACCENTED = re.compile(f"[AEIOUYaeiouyÂÊÔâêôĂăƠơƯư][{_ACCENTS}]")
_LATIN = re.compile("[A-z]")
_FOREIGN = re.compile("[\u0300-\U0010ffff]+")
_PUNCTUATION = re.compile("[\u2000-\u206f]+")


def letters_of(text: str) -> str:
    """The first ten thousand characters without addresses, in the letters that the profiles tell apart.

    Everything else is a single space. In a text of another script Latin letters are left out.
    """
    if "://" in text or "@" in text:
        text = _without_addresses(text)
    if not text.isascii():
        if any(map(text.__contains__, _ACCENTS)):
            # A letter and its accent become one, so twice as many characters are enough.
            text = _ACCENTED.sub(_composed, text[: 2 * _LONGEST])
        text = text[:_LONGEST]
        foreign = len(text) - len(_FOREIGN.sub("", text))
        if foreign and not _has_latin(text, (foreign + 1) // 2):
            text = _LATIN.sub("", text)
        # Most texts are plain but for dashes and quotation marks, and plain ones are translated faster.
        text = _PUNCTUATION.sub(" ", text)
    text = text[:_LONGEST].translate(profiles().normal)
    # Only one space between words counts, and texts that differ in nothing else are met often.
    return " ".join(filter(None, text.split(" "))) + (" " if text.endswith(" ") else "")


def _has_latin(text: str, number: int) -> bool:
    return next(islice(_LATIN.finditer(text), number - 1, None), None) is not None


def _without_addresses(text: str) -> str:
    # They shrink to a space before the text is cut, so a longer piece is read until enough is left of it.
    size = 4 * _LONGEST
    while True:
        cut = _MAIL.sub(" ", _URL.sub(" ", text[:size]))
        if size >= len(text) or len(cut) >= 2 * _LONGEST + _MARGIN:
            return cut
        size *= 2


def _composed(pair: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", pair[0])
