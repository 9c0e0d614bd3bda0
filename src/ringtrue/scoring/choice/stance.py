"""The degree to which a sentence commits to an option it names."""

from __future__ import annotations

from typing import NamedTuple

STRONG, MEDIUM, WEAK, DOUBTED, NEUTRAL, REJECTED = 5, 4, 3, 2, 1, 0
"""Stated as the answer; concluded in passing; comes down to it; put forward with doubt; merely named; put aside."""


class Stance(NamedTuple):
    """The degree of a mention's commitment, its rule, and whether it takes back an earlier one."""

    level: int
    rule: str
    corrects: bool = False


NAMED = Stance(NEUTRAL, "named")
HYPOTHETICAL = Stance(NEUTRAL, "hypothetical")
PUT_ASIDE = Stance(REJECTED, "rejected")
NEGATED = Stance(REJECTED, "negated")
UNSURE = Stance(DOUBTED, "doubted")
