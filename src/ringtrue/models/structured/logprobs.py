"""How likely a model held one of two words, read from the log-probabilities of its reply."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from math import exp
from typing import Any

from ringtrue.records import Json

MIN_MASS = 0.1
"""With less than this on both words together their ratio says nothing."""


def likelihood(
    text: str, logprobs: Sequence[Mapping[str, Json]] | None, field: str, words: tuple[str, str]
) -> float | None:
    """The probability of the first word against the second, where a JSON reply gives the string value of `field`.

    None where the reply has no log-probabilities, does not give the field, or put little weight on either word.
    """
    places = list(re.finditer(rf'"{re.escape(field)}"\s{{0,20}}:\s{{0,20}}"', text[-100_000:])) if logprobs else []
    if not places:
        return None
    start = max(0, len(text) - 100_000) + places[-1].end()
    at = 0
    for row in logprobs or ():
        token = row.get("token")
        if not isinstance(token, str) or not text.startswith(token, at):
            return None
        if at <= start < at + len(token):
            return _weighed(row, token[: start - at], words)
        at += len(token)
    return None


def _weighed(row: Mapping[str, Json], before: str, words: tuple[str, str]) -> float | None:
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
