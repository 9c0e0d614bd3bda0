"""Text from outside, made safe to show: in a terminal, in a message, in XML, and short enough to read."""

from __future__ import annotations

import re

LIMIT = 200
_READ = 2000
_SHORT_SECRET = 3
# Compiled when they are first used: few commands write XML or pages, and all of them load this module.
_NOT_XML = "[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
_UNSEEN = "[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufffe\uffff]"


def printable(text: str) -> str:
    """Text without anything a terminal would obey: control and direction characters are shown escaped."""
    return "".join(
        character
        if character.isprintable() and not "\u202a" <= character <= "\u202e" and not "\u2066" <= character <= "\u2069"
        else character.encode("unicode_escape").decode()
        for character in text
    )


def xml_text(text: str) -> str:
    """Text with the characters XML 1.0 does not allow written as escapes."""
    return re.sub(_NOT_XML, lambda found: found[0].encode("unicode_escape").decode(), text)


def visible_text(text: str) -> str:
    """Text for a page: control characters as their pictures, direction characters and half surrogates as escapes."""
    return re.sub(_UNSEEN, _picture, text.replace("\r\n", "\n"))


def _picture(found: re.Match[str]) -> str:
    code = ord(found[0])
    if code == 0x7F:
        return "\N{SYMBOL FOR DELETE}"
    return chr(0x2400 + code) if code < 0x20 else found[0].encode("unicode_escape", "surrogatepass").decode()


def excerpt(text: str | bytes, secret: str = "") -> str:
    """At most 200 printable characters of a text, quoted, with the secret struck out."""
    piece = text[:_READ]
    cut = len(piece) < len(text)
    if isinstance(piece, bytes):
        piece = piece.decode("utf-8", "replace")
    if secret:
        piece = _without_secret(piece, secret)
        if cut:
            piece = piece[: -len(secret)]  # what is cut off in the middle of the secret is not recognised above
    words = " ".join(piece.split())
    shown = "".join(letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}" for letter in words[:LIMIT])
    return f"'{shown}…'" if cut or len(words) > LIMIT else f"'{shown}'"


def _without_secret(text: str, secret: str) -> str:
    """A text with the secret struck out; a short one only as a whole word: it may be a part of any word."""
    if len(secret) >= _SHORT_SECRET:
        return text.replace(secret, "[key]")
    return re.sub(rf"(?<!\w){re.escape(secret)}(?!\w)", "[key]", text)


def shorten(text: str, most: int) -> str:
    """A text of at most `most` characters; one that was longer ends in an ellipsis."""
    return text if len(text) <= most else text[: most - 1] + "…"


def one_line(text: str, most: int) -> str:
    """A text from outside on one line that a terminal does not obey, cut to `most` characters."""
    return shorten(printable(" ".join(text.split())), most)


def shorten_counted(text: str, most: int) -> str:
    """The first `most` characters of a text; one that was longer says how long it was."""
    return text if len(text) <= most else f"{text[:most]}… ({len(text):,} characters)"


def short_repr(value: object, most: int = 80) -> str:
    """A value as Python writes it, cut; any value, also one that Python refuses to write."""
    try:
        return shorten(repr(value), most)
    except (ValueError, RecursionError):  # an integer beyond Python's limit for decimal text, a list in itself
        return f"a {type(value).__name__} that cannot be shown"
