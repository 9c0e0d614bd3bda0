"""The probability of one of two words, read from the log-probabilities of a reply."""

from __future__ import annotations

from collections.abc import Mapping
from math import exp
from typing import Any

from ringtrue.models.reply import Reply
from ringtrue.models.structured.json_in_text import value_places
from ringtrue.records import Json

MIN_MASS = 0.1
"""With less than this on both words together their ratio says nothing."""


def likelihood(reply: Reply, start: int, field: str, words: tuple[str, str]) -> float | None:
    """The probability of the first word against the second, where the JSON object at `start` gives `field`.

    Only the accepted object is looked at: what else a reply holds may be quoted from a judged text. None where the
    object has no place of its own (-1), the reply no log-probabilities, or little weight is on either word.
    """
    text, rows = reply.text, reply.logprobs
    place = value_places(text, start).get(field, -1) if rows and start >= 0 else -1
    if place < 0 or not any(text.startswith(f'"{word}"', place) for word in words):
        return None
    at = 0
    for row in rows or ():
        token = row.get("token")
        if not isinstance(token, str) or not text.startswith(token, at):
            return None
        if at <= place + 1 < at + len(token):
            return _yes_share(row, token[: place + 1 - at], words)
        at += len(token)
    return None


def _yes_share(row: Mapping[str, Json], before: str, words: tuple[str, str]) -> float | None:
    mass = [0.0, 0.0]
    for option in _options(row):
        token, logprob = option.get("token"), option.get("logprob")
        if not isinstance(token, str) or not isinstance(logprob, (int, float)) or not token.startswith(before):
            continue
        piece = token[len(before) :].split('"')[0].strip().lower()
        for place, word in enumerate(words):
            if piece and (word.startswith(piece) or piece.startswith(word)):
                mass[place] += exp(min(0.0, logprob))
    total = sum(mass)
    return mass[0] / total if total >= MIN_MASS else None


def _options(row: Mapping[str, Json]) -> list[Mapping[str, Any]]:
    top = row.get("top_logprobs")
    rows = [option for option in top if isinstance(option, Mapping)] if isinstance(top, list) else []
    return rows or [row]
