"""Answers of several spans compared as DROP's authors compare them: bags of words, aligned one to one."""

from __future__ import annotations

import re
import string
from collections.abc import Sequence
from functools import cache
from typing import NamedTuple

_ARTICLE = re.compile(r"\b(a|an|the)\b")
_GAPS = re.compile(r" |-")
_PUNCTUATION = frozenset(string.punctuation)
_EXACT_UP_TO = 12


class AlignedScores(NamedTuple):
    """Exact match and F1 of two lists of spans."""

    exact_match: float
    f1: float


def aligned_overlap(said: Sequence[str], gold: Sequence[str]) -> AlignedScores:
    """Exact match of the spans as sets, and the mean F1 of bags under the best alignment.

    A gold bag that holds numbers shares nothing with a bag that has none of them. Spans without a partner count as 0.
    """
    mine, theirs = [_normal(span) for span in said], [_normal(span) for span in gold]
    exact = float(set(mine) == set(theirs) and len(mine) == len(theirs))
    scores = [[_bag_f1(frozenset(one.split()), frozenset(other.split())) for one in mine] for other in theirs]
    most = max(len(mine), len(theirs))
    # A half is rounded as numpy does, which the authors use: 0.525 is 0.52, and `round(0.525, 2)` is 0.53.
    return AlignedScores(exact, round(_best_total(scores) / most * 100) / 100 if most else 0.0)


def _bag_f1(said: frozenset[str], gold: frozenset[str]) -> float:
    numbers = {word for word in gold if _is_number(word)}
    if numbers and numbers.isdisjoint(word for word in said if _is_number(word)):
        return 0.0
    shared = len(said & gold)
    precision = shared / len(said) if said else 1.0
    recall = shared / len(gold) if gold else 1.0
    return 2 * precision * recall / (precision + recall) if precision + recall else 0.0


def _best_total(scores: Sequence[Sequence[float]]) -> float:
    """The largest sum of scores that takes each row and each column at most once."""
    if not scores or not scores[0]:
        return 0.0
    table = scores if len(scores) >= len(scores[0]) else list(zip(*scores, strict=True))
    if len(table[0]) > _EXACT_UP_TO:
        return _greedy_total(table)

    @cache
    def best(row: int, taken: int) -> float:
        if row == len(table):
            return 0.0
        free = [column for column in range(len(table[0])) if not taken >> column & 1]
        found = [table[row][column] + best(row + 1, taken | 1 << column) for column in free]
        return max([best(row + 1, taken), *found])

    return best(0, 0)


def _greedy_total(table: Sequence[Sequence[float]]) -> float:
    # Beyond a dozen spans the exact alignment costs more than it changes.
    scored = ((score, row, column) for row, line in enumerate(table) for column, score in enumerate(line))
    rows: set[int] = set()
    columns: set[int] = set()
    total = 0.0
    for score, row, column in sorted(scored, reverse=True):
        if row not in rows and column not in columns:
            rows.add(row)
            columns.add(column)
            total += score
    return total


def _normal(span: str) -> str:
    words = [_word(part) for part in _GAPS.split(span)]
    return " ".join(word for word in words if word.strip()).strip()


def _word(part: str) -> str:
    lowered = part.lower()
    if not _is_number(lowered):
        lowered = "".join(letter for letter in lowered if letter not in _PUNCTUATION)
    if _is_number(lowered):
        lowered = str(float(lowered))
    return " ".join(_ARTICLE.sub(" ", lowered).split())


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True
