"""Requests for cases about texts: questions with and without answers."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import partial
from typing import NamedTuple

from ringtrue.authoring.text_pieces import pieces, shares, span_of
from ringtrue.authoring.writing import CaseRequest, Item, item_text
from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.judged.schemas import TEXT
from ringtrue.require import require_count, require_share

PIECE_CHARS = 3_000
REFUSAL = "refusal"
"""What is expected where a question cannot be answered from its context: to say so."""
MOST_AT_ONCE = 20
"""How many things one question asks for."""
_BARE = {"question": TEXT}


class TextSource(NamedTuple):
    """A text and where it comes from."""

    name: str
    text: str


class Place(NamedTuple):
    """A piece of a source."""

    source: str
    start: int
    text: str


class Share(NamedTuple):
    """A place of a text, the number of items to request about it, and the wording of the request."""

    place: Place
    wanted: int
    part: str


def places(sources: Iterable[TextSource], piece_chars: int = PIECE_CHARS) -> list[Place]:
    """The pieces of all sources; texts with nothing in them are a ConfigurationError."""
    found = [Place(name, *piece) for name, text in sources for piece in pieces(text, piece_chars)]
    if not found:
        raise ConfigurationError("there is no text to ask about: all of them are empty", parameter="text")
    return found


def spread(where: Sequence[Place], n: int) -> list[Share]:
    """`n` things spread over places; many of one place are asked for in parts, so that each reply stays short."""
    found = []
    for place, count in zip(where, shares(n, len(where)), strict=True):
        parts = -(-count // MOST_AT_ONCE)
        for part in range(parts):
            some = min(MOST_AT_ONCE, count - part * MOST_AT_ONCE)
            amount = f"{some} (part {part + 1} of {parts}: unlike the other parts)" if parts > 1 else str(some)
            found.append(Share(place, some, amount))
    return found


def questions(where: Sequence[Place], n: int, unanswerable: float = 0.0) -> list[CaseRequest]:
    """n questions spread over the places, each with its answer and where that is; a share cannot be answered."""
    require_count("n", n)
    require_share("unanswerable", unanswerable)
    bare = round(n * unanswerable)
    asked = {"question": TEXT, "answer": TEXT, "context_excerpt": TEXT}
    return [
        CaseRequest("questions", {"text": place.text, "number": part}, asked, count, make=partial(_question, place))
        for place, count, part in spread(where, n - bare)
    ] + [
        CaseRequest(
            "unanswerable", {"text": place.text, "number": part}, _BARE, count, make=partial(_unanswerable, place)
        )
        for place, count, part in spread(where, bare)
    ]


def _about(place: Place, kind: str) -> dict[str, object]:
    return {"generation": {"kind": kind, "source": place.source}}


def _question(place: Place, item: Item) -> EvalCase:
    quote = item_text(item, "context_excerpt")
    about = {**_about(place, "question"), "source_span": span_of(place.start, place.text, quote), "excerpt": quote}
    return EvalCase(item_text(item, "question"), item_text(item, "answer"), place.text, metadata=about)


def _unanswerable(place: Place, item: Item) -> EvalCase:
    about = {**_about(place, "unanswerable"), "expected_behavior": REFUSAL}
    return EvalCase(item_text(item, "question"), context=place.text, metadata=about)
