"""Numbers as they are written: integers, decimals, repeating decimals, exponents, bases."""

from __future__ import annotations

import re
from fractions import Fraction

from ringtrue.scoring.maths.limits import MAX_DIGITS, Beyond, Unreadable
from ringtrue.scoring.maths.tree import Number, NumberInBase
from ringtrue.scoring.maths.vocabulary import NUMBER_WORDS

_PLAIN = re.compile(r"([-+]?)(?:([0-9]{1,3}(?:,[0-9]{3})+|[0-9]+)(?:\.([0-9]*))?|\.([0-9]+))")
_TAIL = re.compile(r"(\d{1,12}?)\1+$")
_BASE = re.compile(r"(?:base)?(\d{1,2})$")


def plain_number(text: str) -> str | None:
    """A number without any notation but sign, thousands and point in its shortest form, or None for anything else.

    Two such numbers are equal exactly when their shortest forms are, however many digits they have.
    """
    found = _PLAIN.fullmatch(text)
    if found is None:
        return None
    sign, whole, decimals, alone = found.groups()
    whole = (whole or "").replace(",", "").lstrip("0") or "0"
    decimals = (decimals or alone or "").rstrip("0")
    digits = f"{whole}.{decimals}" if decimals else whole
    return f"-{digits}" if sign == "-" and digits != "0" else digits


def literal(digits: str) -> Number:
    """The number of plain digits with at most one point and an optional exponent."""
    if len(digits) > MAX_DIGITS:
        raise Beyond(f"a number has {len(digits):,} digits; {MAX_DIGITS:,} are read")
    if digits.isdigit():
        return Number(Fraction(int(digits)))
    mantissa, _, exponent = digits.partition("e")
    whole, _, decimals = mantissa.partition(".")
    if not (whole or decimals):
        raise Unreadable("a point is not a number")
    shift = int(exponent or 0)
    if abs(shift) > MAX_DIGITS:
        raise Beyond(f"a number has the exponent {shift:,}; {MAX_DIGITS:,} is the largest that is read")
    value = Fraction(int(whole + decimals), 10 ** len(decimals)) * Fraction(10) ** shift
    if not decimals:
        return Number(value)
    return Number(value, len(decimals) - shift, len((whole + decimals).lstrip("0")))


def repeating(digits: str, repetend: str) -> Number:
    """The number of a decimal whose last digits repeat for ever.

    Without a repetend the digits were cut by an ellipsis: the shortest tail that is written at least three times, or
    twice when it is longer than one digit, repeats; where there is none the digits are a rounded decimal.
    """
    whole, _, decimals = digits.partition(".")
    if not repetend:
        tail = _TAIL.search(decimals[-60:])
        if tail is None or len(tail[0]) < 3:
            return literal(digits)
        repetend = tail[1]
        decimals = decimals[: len(decimals) - len(tail[0])]
    if len(digits) + len(repetend) > MAX_DIGITS:
        raise Beyond(f"a number has more than {MAX_DIGITS:,} digits")
    scale = 10 ** len(decimals)
    period = 10 ** len(repetend) - 1
    return Number(Fraction(int(whole + decimals or "0"), scale) + Fraction(int(repetend), scale * period))


def number_in_base(digits: str, subscript: str) -> NumberInBase:
    """The integer that digits stand for in the base a subscript names."""
    name = subscript.strip().lower()
    found = _BASE.match(name)
    base = int(found[1]) if found else NUMBER_WORDS.get(name, 0)
    if not 2 <= base <= 36 or not digits.isdigit() or len(digits) > MAX_DIGITS:
        raise Unreadable(f"{digits}_{subscript} is not a number in a base")
    try:
        return NumberInBase(int(digits, base), base, digits.lstrip("0") or "0")
    except ValueError:
        raise Unreadable(f"{digits} has a digit that base {base} has not") from None
