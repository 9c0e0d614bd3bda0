"""The differences between two texts, word by word."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

LEAST_SHARED = 0.3
"""Texts that share less than this of their words have nothing in common that marks would show."""
MOST_WORDS = 4_000
"""Longer texts are not compared: too many marks to read."""
NOTHING_IN_COMMON = "nothing in common"
TOO_LONG = "too long to compare word by word"

_WORD = re.compile(r"\w+(?:[’'.,:-]\w+)*|[^\w\s]")


class Piece(NamedTuple):
    """A run of one text: words that both texts have, or words of this one alone."""

    text: str
    changed: bool


class WordDifference(NamedTuple):
    """Both texts in pieces that join to the whole text; `remark` says why nothing is marked, where nothing is."""

    first: tuple[Piece, ...]
    second: tuple[Piece, ...]
    remark: str = ""


def word_difference(first: str, second: str) -> WordDifference:
    """The pieces of two texts, by their longest common sequence of words; spaces and letter case are words' own."""
    plain = _whole(first), _whole(second)
    words = [list(_WORD.finditer(text)) for text in (first, second)]
    if not words[0] or not words[1] or first == second:
        return WordDifference(*plain)
    if max(map(len, words)) > MOST_WORDS:
        return WordDifference(*plain, TOO_LONG)
    from rapidfuzz.distance import LCSseq

    spoken = [[found[0] for found in side] for side in words]
    shared: tuple[set[int], set[int]] = (set(), set())
    for step in LCSseq.opcodes(*spoken):
        if step.tag == "equal":
            shared[0].update(range(step.src_start, step.src_end))
            shared[1].update(range(step.dest_start, step.dest_end))
    if 2 * len(shared[0]) < LEAST_SHARED * (len(words[0]) + len(words[1])):
        return WordDifference(*plain, NOTHING_IN_COMMON)
    return WordDifference(_pieces(first, words[0], shared[0]), _pieces(second, words[1], shared[1]))


def _pieces(text: str, words: Sequence[re.Match[str]], shared: set[int]) -> tuple[Piece, ...]:
    """The text cut where a run of marked words begins or ends; what lies between two marked words is marked."""
    pieces: list[Piece] = []
    done = 0
    place = 0
    while place < len(words):
        if place in shared:
            place += 1
            continue
        end = place
        while end + 1 < len(words) and end + 1 not in shared:
            end += 1
        if words[place].start() > done:
            pieces.append(Piece(text[done : words[place].start()], False))
        pieces.append(Piece(text[words[place].start() : words[end].end()], True))
        done, place = words[end].end(), end + 1
    return (*pieces, Piece(text[done:], False)) if done < len(text) else tuple(pieces)


def _whole(text: str) -> tuple[Piece, ...]:
    return (Piece(text, False),) if text else ()
