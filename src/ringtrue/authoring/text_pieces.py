"""The pieces of a long text: which there are, which are asked about, and where a quotation is."""

from __future__ import annotations

import re
from bisect import bisect_right
from itertools import accumulate
from typing import NamedTuple

from ringtrue.require import require_count

OVERLAP = 200
"""Up to this many characters of a piece are in the next one, too: a sentence that is cut is whole in one of them."""
_WORDS = re.compile(r"\S+")


class TextPiece(NamedTuple):
    """A slice of a text, and where it begins."""

    start: int
    text: str


def pieces(text: str, most_chars: int) -> list[TextPiece]:
    """A text in overlapping pieces that cover it; a blank one is left out."""
    require_count("piece_chars", most_chars, least=OVERLAP + 1)
    step = max(most_chars - OVERLAP, most_chars // 2)  # short pieces share half of themselves, lest they be countless
    last = max(len(text) - most_chars + step, 1)  # what would begin later is in the piece before
    found = [TextPiece(at, text[at : at + most_chars]) for at in range(0, last, step)]
    return [piece for piece in found if piece.text.strip()]


def shares(wanted: int, places: int) -> list[int]:
    """Divide the wanted items among the places as equally as possible."""
    return [wanted * (place + 1) // places - wanted * place // places for place in range(places)]


def span_of(start: int, text: str, quote: str) -> dict[str, int] | None:
    """Return the place of a quotation in the whole text; None if it is not there.

    A line break in the text may be a blank in the quotation.
    """
    found = _place(text, quote)
    if found is None:
        return None
    return {"start": start + found[0], "end": start + found[1]}


def _place(text: str, quote: str) -> tuple[int, int] | None:
    if not quote.strip():
        return None
    if (at := text.find(quote)) >= 0:
        return at, at + len(quote)
    words = list(_WORDS.finditer(text))
    joined, wanted = " ".join(word[0] for word in words), " ".join(quote.split())
    at = joined.find(wanted)
    if at < 0:
        return None
    starts = list(accumulate((len(word[0]) + 1 for word in words), initial=0))
    first, last = bisect_right(starts, at) - 1, bisect_right(starts, at + len(wanted) - 1) - 1
    end = at + len(wanted)
    return words[first].start() + at - starts[first], words[last].start() + end - starts[last]
