"""Amounts that a text states: numbers in digits or words, with their units, and how exactly they are given."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import NamedTuple

from ringtrue.scoring.maths.compare import read
from ringtrue.scoring.maths.evaluate import exact_value
from ringtrue.scoring.maths.limits import Beyond, Unreadable
from ringtrue.scoring.maths.prose import NUMBER
from ringtrue.scoring.maths.quantities import measure
from ringtrue.scoring.maths.settle import settled
from ringtrue.scoring.maths.tree import SCALARS, Quantity
from ringtrue.scoring.maths.units import Unit, read_unit
from ringtrue.scoring.maths.vocabulary import NUMBER_WORDS, SCALES

_SCALE_NAMES = "|".join(name for name in SCALES if name != "percent")
_WORD_NAMES = "|".join(sorted([*map(re.escape, NUMBER_WORDS), "half", "dozen"], key=len, reverse=True))
_WORDS = re.compile(
    rf"(?<![\w-])(?=[a-zA-Z])(?P<word>{_WORD_NAMES})"
    rf"(?:[ -](?P<scale>{_SCALE_NAMES}))?(?![\w-])",
    re.IGNORECASE,
)
# In prose "in" is no inch.
_UNIT = re.compile(
    r"\s?(?!in\b)(?:(?:square|cubic|sq|cu)\s)?[A-Za-z]{1,12}(?:[²³]|\s?/\s?[A-Za-z]{1,12}|\sper\s[a-z]{1,12})?"
)
_ABOUT = re.compile(
    r"(?:\b(?:about|around|approximately|approx\.?|roughly|nearly|almost|some|circa|ca\.|over|under|up to)"
    r"|\b(?:more|less|fewer) than|\bat (?:least|most)|~|≈)\s?$",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"\d[\d,]*(?:\.\d+)?")
_SHORT = 40
_SPECIAL = {"half": Fraction(1, 2), "dozen": Fraction(12)}
_POWERS = {"²": "^2", "³": "^3"}
_COUNTABLE = 12
_MOST = 200
_MOST_COMBINED = 24


class Amount(NamedTuple):
    """A number as it stands in a text: its value in its unit, and the step to which it is given (0: exactly)."""

    text: str
    start: int
    end: int
    value: Fraction
    unit: Unit | None
    step: Fraction
    percent: bool = False

    @property
    def countable(self) -> bool:
        """Whether it may count things that a text lists without giving their number."""
        return self.unit is None and not self.percent and self.value.denominator == 1 and 0 <= self.value <= _COUNTABLE


def amounts(text: str, taken: Sequence[tuple[int, int]] = ()) -> list[Amount]:
    """The amounts in a text, in order, outside the spans that are something else, such as dates; at most 200."""
    found: list[Amount] = []
    for amount in _found(text):
        if not any(start < amount.end and amount.start < end for start, end in taken):
            found.append(amount)
        if len(found) == _MOST:
            break
    return sorted(found, key=lambda amount: amount.start)


def same_amount(claimed: Amount, stated: Amount) -> bool:
    """Whether a stated amount is the claimed one, in any unit, or rounds to it at the claim's own digits."""
    ours, theirs, step = claimed.value, stated.value, claimed.step
    if claimed.unit and stated.unit:
        if claimed.unit.powers != stated.unit.powers:
            return False
        ours, theirs = ours * claimed.unit.factor, theirs * stated.unit.factor
        step *= claimed.unit.factor
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


def _near(one: Fraction, other: Fraction, step: Fraction) -> bool:
    return one == other or abs(one - other) * 2 <= step


def _found(text: str) -> Iterator[Amount]:
    for match in NUMBER.finditer(text):
        amount = _in_digits(text, match)
        if amount is not None:
            yield amount
    for match in _WORDS.finditer(text):
        yield _in_words(text, match)


def _in_digits(text: str, match: re.Match[str]) -> Amount | None:
    written = match[0].strip()
    if len(written) <= _SHORT and _PLAIN.fullmatch(written):
        value: Fraction | None = Fraction(written.replace(",", ""))
        unit = None
    else:
        value, unit = _read(written)
    if value is None:
        return None
    percent = written.endswith(("%", "percent"))
    end = match.end()
    if unit is None and not percent:
        unit, end = _unit(text, end)
    return Amount(text[match.start() : end].strip(), match.start(), end, value, unit, _step(text, match), percent)


def _read(written: str) -> tuple[Fraction | None, Unit | None]:
    """The value of a number with a sign, a currency, an exponent, a fraction or a scale word, and its currency."""
    try:
        answer = settled(read(written))
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
    unit, end = _unit(text, match.end())
    step = scale if scale != 1 else Fraction(0)
    return Amount(text[match.start() : end], match.start(), end, value * scale, unit, step)


def _unit(text: str, at: int) -> tuple[Unit | None, int]:
    """The unit behind a number and where it ends; a plain word is none."""
    found = _UNIT.match(text, at)
    while found is not None:
        words = found[0]
        for sign, power in _POWERS.items():
            words = words.replace(sign, power)
        unit = read_unit(words)
        if unit is not None:
            return unit, found.end()
        shorter = found[0].rstrip("²³").rpartition("/")[0] or found[0].rpartition(" per ")[0]
        found = _UNIT.fullmatch(text, at, at + len(shorter)) if shorter else None
    return None, at


def _step(text: str, match: re.Match[str]) -> Fraction:
    """How exactly a number is given: its last decimal, its scale word, or its zeros where it calls itself rough."""
    digits = re.search(r"\d[\d,]*(?:\.(\d+))?", match[0])
    assert digits is not None
    scale = next((SCALES[name] for name in SCALES if match[0].endswith(name)), Fraction(1))
    if match[0].endswith("%"):
        scale = Fraction(1, 100)
    if digits[1]:
        return scale / Fraction(10 ** len(digits[1]))
    if scale > 1:
        return scale
    whole = digits[0].replace(",", "")
    zeros = len(whole) - len(whole.rstrip("0"))
    return (
        scale * Fraction(10**zeros) if _ABOUT.search(text, max(0, match.start() - 24), match.start()) else Fraction(0)
    )
