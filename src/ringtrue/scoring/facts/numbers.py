"""Numbers read from text, their units stripped."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ringtrue.scoring.maths.equivalence import read
from ringtrue.scoring.maths.evaluate import exact_value, real_value
from ringtrue.scoring.maths.extract import readings
from ringtrue.scoring.maths.limits import MAX_TEXT, Beyond, Unreadable
from ringtrue.scoring.maths.quantities import bare_value
from ringtrue.scoring.maths.relations import value_of
from ringtrue.scoring.maths.settle import settle
from ringtrue.scoring.maths.tree import SCALARS, Quantity, Relation, Scalar

_LARGEST = Decimal("1e4000")
_SHOWN = 100


class NumberReading(NamedTuple):
    """A number and the passage that states it."""

    value: Fraction
    text: str


def read_number(text: str) -> NumberReading | None:
    """The number a text commits to: boxed, after `####` or an announcement, else the last one stated; or None."""
    if not text.strip() or len(text) > MAX_TEXT:
        return None
    for passage in readings(text):
        try:
            answer = settle(read(passage.text))
        except (Beyond, RecursionError):
            return None
        except Unreadable:
            continue
        if isinstance(answer, Relation):
            answer = value_of(answer)
        if isinstance(answer, (*SCALARS, Quantity)):
            value = _value(bare_value(answer))
            return None if value is None else NumberReading(value, passage.text[:_SHOWN])
    return None


def within(one: Fraction, other: Fraction, tolerance: Fraction, *, relative: bool = False) -> bool:
    """Whether two numbers differ by no more than the tolerance, or by that part of the second."""
    return abs(one - other) <= (tolerance * abs(other) if relative else tolerance)


def _value(expression: Scalar) -> Fraction | None:
    """The value of an expression without variables, to sixty digits where it is irrational."""
    exact = exact_value(expression)
    if exact is not None:
        return exact
    approximate = real_value(expression)
    return None if approximate is None or abs(approximate) > _LARGEST else Fraction(approximate)
