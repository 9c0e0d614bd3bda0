"""Amounts that a text states: numbers in digits or words, with their units, and how exactly they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations, pairwise
from typing import NamedTuple

from ringtrue.scoring.facts.prose_units import convert, is_rounded, unit_after
from ringtrue.scoring.maths.equivalence import read
from ringtrue.scoring.maths.evaluate import exact_value
from ringtrue.scoring.maths.limits import Beyond, Unreadable
from ringtrue.scoring.maths.prose import NUMBER
from ringtrue.scoring.maths.quantities import measure
from ringtrue.scoring.maths.settle import settle
from ringtrue.scoring.maths.tree import SCALARS, Quantity
from ringtrue.scoring.maths.units import Unit
from ringtrue.scoring.maths.vocabulary import NUMBER_WORDS, SCALES

_SCALE_NAMES = "|".join(name for name in SCALES if name != "percent")
_WORD_NAMES = "|".join(sorted([*map(re.escape, NUMBER_WORDS), "half", "dozen"], key=len, reverse=True))
_WORDS = re.compile(
    rf"(?<![\w-])(?=[a-zA-Z])(?P<word>{_WORD_NAMES})"
    rf"(?:[ -](?P<scale>{_SCALE_NAMES}))?(?![\w-])",
    re.IGNORECASE,
)
# Digits in groups of three: between spaces that do not break, or more than two groups.
_GROUPED = re.compile(
    r"(?<![\w.,])\d{1,3}(?:(?:[\u00a0\u2009\u202f]\d{3}){1,6}|(?: \d{3}){2,6})(?:\.\d{1,40})?(?![\d,])"
)
# Without a currency a small m is a metre, and a small b or t nothing.
_SHORT_SCALE = re.compile(r"(?:\s?([mbt]n)|([kKMBT]))\b")
_SHORT_SCALE_OF_MONEY = re.compile(r"(?:\s?([mbt]n)|([kKmMbBtT]))\b")
_SHORT_SCALES = {"k": 10**3, "m": 10**6, "mn": 10**6, "b": 10**9, "bn": 10**9, "t": 10**12, "tn": 10**12}
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|over|under|up to)"
    r"|\b(?:more|less|fewer) than|\bat (?:least|most)|~|≈)\s?$",
    re.IGNORECASE,
)
_BETWEEN = re.compile(r"(?:,?\s(?:and\s)?)?")
_PLAIN = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SHORT = 40
_SPECIAL = {"half": Fraction(1, 2), "dozen": Fraction(12)}
_COUNTABLE = 12
_MOST = 200
_MOST_COMBINED = 24


class Amount(NamedTuple):
    """A number as it is in a text: its value in its unit, and the step to which it is given (0: exactly).

    `digit` is what its last digit counts, to which a converted amount is rounded.
    """

    text: str
    start: int
    end: int
    value: Fraction
    unit: Unit | None
    step: Fraction
    percent: bool = False
    digit: Fraction = Fraction(0)

    @property
    def countable(self) -> bool:
        """Whether it may count things that a text lists without giving their number."""
        return self.unit is None and not self.percent and self.value.denominator == 1 and 0 <= self.value <= _COUNTABLE


def amounts(text: str, taken: Sequence[tuple[int, int]] = ()) -> list[Amount]:
    """The amounts in a text, in order, outside the spans that are something else, such as dates; at most 200."""
    found: list[Amount] = []
    for amount in _find_amounts(text):
        if not any(start < amount.end and amount.start < end for start, end in taken):
            found.append(amount)
        if len(found) == _MOST:
            break
    return sorted(found, key=lambda amount: amount.start)


def join_neighbours(found: Sequence[Amount], text: str) -> list[Amount]:
    """Join neighbours that are given in a unit and a smaller one of its kind: 1 h 30 min."""
    whole = []
    for one, other in pairwise(found):
        if not one.unit or not other.unit or not _BETWEEN.fullmatch(text, one.end, other.start):
            continue
        part = other.unit.factor / one.unit.factor
        if one.unit.powers == other.unit.powers and part < 1:
            value, words = one.value + other.value * part, text[one.start : other.end]
            whole.append(Amount(words, one.start, other.end, value, one.unit, Fraction(0), digit=part))
    return whole


def same_amount(claimed: Amount, stated: Amount) -> bool:
    """Whether a stated amount is the claimed one, in any unit, or rounds to it at the claim's own digits."""
    ours, theirs, step = claimed.value, stated.value, claimed.step
    if claimed.unit and stated.unit:
        there = convert(stated.value, stated.digit, stated.unit, claimed.unit)
        if there is None:
            return False
        theirs = there[0]
        if is_rounded(stated.unit, claimed.unit):
            step = max(step, claimed.digit, there[1])
    if not _has_an_end(stated.value):
        step = max(step, claimed.digit)
    if claimed.percent != stated.percent and not (claimed.unit or stated.unit):
        # A column of percentages writes 50 for 50%.
        bare = 100 * ours if claimed.percent else ours / 100
        return _near(ours, theirs, step) or _near(bare, theirs, step * (100 if claimed.percent else Fraction(1, 100)))
    return _near(ours, theirs, step)


def derivable(claimed: Amount, stated: Sequence[Fraction]) -> bool:
    """Whether a claimed amount is the sum, difference, product or ratio of two stated numbers, or the sum of all."""
    some = list(dict.fromkeys(stated))[:_MOST_COMBINED]
    # What was worked out is seldom given to more than three figures.
    step = max(
        claimed.step, abs(claimed.value) / 200 if claimed.value.denominator != 1 or claimed.percent else Fraction(0)
    )
    results = [sum(stated, Fraction(0))] if 2 < len(stated) <= _MOST_COMBINED else []
    for one, other in combinations(some, 2):
        results += [one + other, abs(one - other), one * other]
        results += [one / other] if other else []
        results += [other / one] if one else []
        results += [abs(one - other) / one] if one else []
        results += [abs(one - other) / other] if other else []
    return any(_near(claimed.value, result, step) for result in results)


def _has_an_end(value: Fraction) -> bool:
    """Whether decimals can write a value out: a third they can only round."""
    return (10**64) % value.denominator == 0


def _near(one: Fraction, other: Fraction, step: Fraction) -> bool:
    return one == other or abs(one - other) * 2 <= step


def _find_amounts(text: str) -> Iterator[Amount]:
    text = text.replace("\N{MINUS SIGN}", "-")
    taken: set[int] = set()
    for match in _GROUPED.finditer(text):
        taken.update(range(*match.span()))
        yield _amount_with_unit(text, match, Fraction("".join(match[0].split())))
    for match in NUMBER.finditer(text):
        amount = _in_digits(text, match) if match.start() not in taken else None
        if amount is not None:
            yield amount
    for match in _WORDS.finditer(text):
        yield _in_words(text, match)


def _in_digits(text: str, match: re.Match[str]) -> Amount | None:
    written = match[0].strip()
    if len(written) <= _SHORT and _PLAIN.fullmatch(written):
        return _amount_with_unit(text, match, Fraction(written.replace(",", "")))
    value, unit = _read(written)
    return None if value is None else _amount_with_unit(text, match, value, unit, written.endswith(("%", "percent")))


def _amount_with_unit(
    text: str, match: re.Match[str], value: Fraction, unit: Unit | None = None, percent: bool = False
) -> Amount:
    """The amount that a number is, with what follows it: a short word for millions, or a unit."""
    end = match.end()
    step, digit = _steps(text, match)
    short = (_SHORT_SCALE if unit is None else _SHORT_SCALE_OF_MONEY).match(text, end)
    if short is not None:
        scale = _SHORT_SCALES[(short[1] or short[2]).lower()]
        step = digit = (step or Fraction(1)) * scale
        value, end = value * scale, short.end()
    if unit is None and not percent:
        unit, end = unit_after(text, end)
    return Amount(text[match.start() : end].strip(), match.start(), end, value, unit, step, percent, digit)


def _read(written: str) -> tuple[Fraction | None, Unit | None]:
    """The value of a number with a sign, a currency, an exponent, a fraction or a scale word, and its currency."""
    try:
        answer = settle(read(written))
    except (Beyond, Unreadable, RecursionError):
        return None, None
    if not isinstance(answer, (*SCALARS, Quantity)):
        return None, None
    measured = measure(answer)
    return exact_value(measured.value), measured.unit


def _in_words(text: str, match: re.Match[str]) -> Amount:
    word = match["word"].lower()
    value = _SPECIAL.get(word) or Fraction(NUMBER_WORDS.get(word, 0))
    scale = SCALES[match["scale"].lower()] if match["scale"] else Fraction(1)
    unit, end = unit_after(text, match.end())
    step = scale if scale != 1 else Fraction(0)
    return Amount(text[match.start() : end], match.start(), end, value * scale, unit, step, digit=scale)


def _steps(text: str, match: re.Match[str]) -> tuple[Fraction, Fraction]:
    """Return the precision of a number, and the value of its last digit.

    A number is precise to its last decimal, to its scale word, or to its zeros where it calls itself rough; else it is
    exact.
    """
    written = "".join(match[0].split())
    digits = re.search(r"\d[\d,]*(?:\.(\d+))?", written)
    assert digits is not None
    scale = next((SCALES[name] for name in SCALES if written.endswith(name)), Fraction(1))
    if written.endswith("%"):
        scale = Fraction(1, 100)
    if digits[1]:
        step = scale / Fraction(10 ** len(digits[1]))
        return step, step
    if scale > 1:
        return scale, scale
    whole = digits[0].replace(",", "")
    zeros = Fraction(10 ** (len(whole) - len(whole.rstrip("0"))))
    about = _ABOUT.search(text, max(0, match.start() - 24), match.start())
    # Of 1,600 km that are 1,000 miles the zeros are rounded, though not all of them may be.
    digit = max(Fraction(1), min(zeros, Fraction(int(whole), 20)))
    return scale * zeros if about else Fraction(0), scale * digit
