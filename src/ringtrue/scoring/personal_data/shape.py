"""`Shape` and `Cue`: how personal data is recognised, by its looks or by the words before it.

Every repeat in every pattern is bounded or possessive: the work at one place of a text has an end that no text moves.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

Holding = Callable[[str], int]
"""How much of a candidate, from its start, is personal data: a number of characters, 0 for none."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Personal data that is known by its looks; what is found is the pattern's first group."""

    kind: str
    pattern: re.Pattern[str]
    holds: Holding = len
    unless: re.Pattern[str] | None = None
    """Searched in the text right before a candidate: where it matches, the candidate is something else."""
    needs: tuple[str, ...] = ()
    """What a text with candidates contains, one of these; without any, candidates begin where numbers do."""


@dataclass(frozen=True, slots=True)
class Cue:
    """Words, a pattern of lower case, that announce what would otherwise be any number; `value` matches behind them."""

    kind: str
    words: str
    value: re.Pattern[str]
    holds: Holding = len


_GAP = r"""[\s:#.=("'*_|`–-]"""
_LINKS = "numbers?|num|no|nr|id|code|card|is|was|are|date|of|on|the|am|le|el|il|op"
_SEPARATORS = str.maketrans("", "", " -./()")

YEAR = r"(?:19|20)\d\d"
DATE = (
    rf"{YEAR}[-/.]\d{{1,2}}[-/.]\d{{1,2}}|\d{{1,2}}[-/. ]\d{{1,2}}[-/. ](?:{YEAR}|\d\d)"
    rf"|\d{{1,2}}(?:st|nd|rd|th|er|\.)?+ (?:of |de )?+[^\W\d_]{{3,10}}+\.?+,?+ (?:de )?+{YEAR}"
    rf"|[^\W\d_]{{3,10}}+\.?+ \d{{1,2}}(?:st|nd|rd|th)?+,?+ {YEAR}"
)
IDENTIFIER = r"[A-Z]{0,4}+-?+\d(?:-?+[A-Z0-9]){3,17}+"


NUMBER = re.compile(
    r"(?<![\w+.-])(?<!\d[,/])(?=[(+]{0,2}+[A-Za-z]{0,8}+[ -]?+[0-9]|[A-Fa-f]{2,4}+[:-][0-9A-Fa-f]{1,4}+[:-])"
)
"""Where a number begins that is not a piece of a longer one; a few letters may belong to it."""


def alone(pattern: str) -> re.Pattern[str]:
    """The pattern where it is not a piece of a longer word or number."""
    return re.compile(rf"({pattern})(?!\w|[.,-]\d)")


def behind(value: str, more_links: str = "") -> re.Pattern[str]:
    """The value behind a cue, with a few signs and small words between them, such as `number is:`."""
    links = f"{_LINKS}|{more_links}" if more_links else _LINKS
    linked = rf"(?:{_GAP}{{0,4}}+(?>(?i:{links}))(?![A-Za-z0-9])\.?+){{0,4}}+"
    return re.compile(rf"{linked}{_GAP}{{0,5}}+({value})(?![A-Za-z0-9]|[.,-]\d)")


def bare(value: str) -> str:
    """The value without its separators, in capitals."""
    return value.translate(_SEPARATORS).upper()


def whole_if(check: Callable[[str], bool]) -> Holding:
    """All of a candidate whose bare value passes the check, or nothing."""
    return lambda value: len(value) if check(bare(value)) else 0


def digits(fewest: int, most: int = 99) -> Holding:
    """All of a candidate with this many digits that is not a date, or nothing."""

    def has_digits(value: str) -> bool:
        return fewest <= sum(map(str.isdigit, value)) <= most and _DAY.fullmatch(value) is None

    return whole_if(has_digits)


_DAY = re.compile(rf"{YEAR}[01]\d[0-3]\d")
