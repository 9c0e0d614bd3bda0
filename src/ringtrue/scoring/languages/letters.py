"""The letters of a text by which langdetect tells languages apart."""

from __future__ import annotations

import re
import unicodedata

from ringtrue.scoring.languages.profiles import profiles

_LONGEST = 10_000
_MARGIN = 3_000
"""More than the longest e-mail address and the longest URL together."""
_URL = re.compile(r"https?://[0-9A-Za-z#&+\-./;=?_~]{1,2076}")
_MAIL = re.compile(r"[0-9A-Za-z\-._]{1,64}@[0-9A-Za-z\-_]{1,255}[0-9A-Za-z\-._]{1,255}")
_ACCENTS = "\u0300\u0301\u0303\u0309\u0323"
_ACCENTED = re.compile(f"[AEIOUYaeiouyÂÊÔâêôĂăƠơƯư][{_ACCENTS}]")
_LATIN = re.compile("[A-z]+")
_FOREIGN = re.compile("[\u0370-\u1dff\u2c00-\uffff]")
_NOT_LATIN = bytes(code for code in range(128) if not ord("A") <= code <= ord("z"))
_BEFORE_FOREIGN = b"\x00\x01\x02"
"""The upper halves of the codes below 0x300."""


def letters_of(text: str) -> str:
    """The first ten thousand characters without addresses, and without Latin letters in a text of another script."""
    if "://" in text or "@" in text:
        text = _without_addresses(text)
    if text.isascii():
        return text[:_LONGEST].translate(profiles().normal)
    if any(map(text.__contains__, _ACCENTS)):
        # A letter and its accent become one, so twice as many characters are enough.
        text = _ACCENTED.sub(_compose, text[: 2 * _LONGEST])
    text = text[:_LONGEST]
    return _LATIN.sub("", text) if 2 * _count_latin(text) < _count_foreign(text) else text


def has_two_scripts(letters: str) -> bool:
    """Whether there are Latin letters and those of another script."""
    return not letters.isascii() and bool(_FOREIGN.search(letters) and _LATIN.search(letters))


def _count_latin(text: str) -> int:
    return len(text.encode("ascii", "ignore").translate(None, _NOT_LATIN))


def _count_foreign(text: str) -> int:
    halves = text.encode("utf-16-le", "surrogatepass")[1::2]
    # A character of more than sixteen bits has two halves above.
    return len(halves.translate(None, _BEFORE_FOREIGN)) - (len(halves) - len(text))


def _without_addresses(text: str) -> str:
    # They shrink to a space before the text is cut, so a longer piece is read until enough is left of it.
    size = 4 * _LONGEST
    while True:
        cut = _MAIL.sub(" ", _URL.sub(" ", text[:size]))
        if size >= len(text) or len(cut) >= 2 * _LONGEST + _MARGIN:
            return cut
        size *= 2


def _compose(pair: re.Match[str]) -> str:
    return unicodedata.normalize("NFC", pair[0])
