"""Amounts that a text has in words where another may have digits: a third, a decade, the fourteenth."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from fractions import Fraction
from functools import lru_cache

from ringtrue.scoring.facts.amounts import Amount
from ringtrue.scoring.facts.prose_units import unit_after
from ringtrue.scoring.maths.units import Unit
from ringtrue.scoring.maths.vocabulary import NUMBER_WORDS, SCALES

_IRREGULAR = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_IRREGULAR |= {"twelve": "twelfth"}
_LAST_WORD = re.compile(r"[a-z]+$")


def _ordinal(match: re.Match[str]) -> str:
    word = match[0]
    return _IRREGULAR.get(word) or (f"{word[:-1]}ieth" if word.endswith("y") else f"{word}th")


_ORDINALS = {_LAST_WORD.sub(_ordinal, word): number for word, number in NUMBER_WORDS.items() if number}
_PARTS = {name: number for name, number in _ORDINALS.items() if 3 <= number <= 10} | {"quarter": 4}


def _one_of(names: Iterable[str]) -> str:
    return "|".join(sorted(map(re.escape, names), key=len, reverse=True))


_ORDINAL = re.compile(rf"\b({_one_of(_ORDINALS)})\b", re.IGNORECASE)
_PART = re.compile(rf"\b(an?|{_one_of(NUMBER_WORDS)})[ -]({_one_of(_PARTS)})s?\b", re.IGNORECASE)
_ONE = re.compile(r"\ban?\b(?=\s[a-z])", re.IGNORECASE)
_AND_A_HALF = re.compile(r"\sand a half\b", re.IGNORECASE)
_HALVES = re.compile(rf"\b({_one_of(NUMBER_WORDS)})\sand a half\b", re.IGNORECASE)
_SCALE = re.compile(rf"\s({_one_of(name for name in SCALES if name != 'percent')})\b", re.IGNORECASE)


@lru_cache(maxsize=64)
def spelled_amounts(text: str) -> tuple[Amount, ...]:
    """The amounts that a text has in such words; a reader of digits alone would miss them."""
    return tuple(_find_amounts(text))


def _find_amounts(text: str) -> Iterator[Amount]:
    for match in _ORDINAL.finditer(text):
        yield _amount(text, match.start(), match.end(), Fraction(_ORDINALS[match[1].lower()]))
    for match in _PART.finditer(text):
        count = Fraction(NUMBER_WORDS.get(match[1].lower(), 1), _PARTS[match[2].lower()])
        yield _amount(text, match.start(), match.end(), count)
    for match in _HALVES.finditer(text):
        yield _amount_with_unit(text, match.start(), match.end(), NUMBER_WORDS[match[1].lower()] + Fraction(1, 2))
    for match in _ONE.finditer(text):
        yield from _one(text, match.start(), match.end())


def _one(text: str, start: int, end: int) -> Iterator[Amount]:
    """One of a unit or of a scale, and a half more where that follows."""
    unit, last = unit_after(text, end)
    half = _AND_A_HALF.match(text, last)
    if unit is not None and half is not None:
        yield _amount(text, start, half.end(), Fraction(3, 2), unit)
    elif unit is not None or _SCALE.match(text, end):
        yield _amount_with_unit(text, start, end, Fraction(1))


def _amount_with_unit(text: str, start: int, end: int, value: Fraction) -> Amount:
    scale = _SCALE.match(text, end)
    if scale is not None:
        value, end = value * SCALES[scale[1].lower()], scale.end()
    unit, end = unit_after(text, end)
    return _amount(text, start, end, value, unit)


def _amount(text: str, start: int, end: int, value: Fraction, unit: Unit | None = None) -> Amount:
    return Amount(text[start:end], start, end, value, unit, Fraction(0), digit=Fraction(1))
