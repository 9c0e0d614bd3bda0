"""Whether two numbers or expressions, with or without units, are the same answer."""

from __future__ import annotations

from decimal import Decimal, localcontext
from fractions import Fraction
from typing import NamedTuple

from ringtrue.scoring.maths.arithmetic.elementary import CONTEXT
from ringtrue.scoring.maths.evaluate import exact_value, real_value, same_value
from ringtrue.scoring.maths.tree import (
    Constant,
    Degrees,
    Divide,
    Exponentiation,
    FunctionCall,
    Multiply,
    Negative,
    Number,
    NumberInBase,
    Percent,
    Quantity,
    Scalar,
    Symbol,
    nodes,
    symbols,
)
from ringtrue.scoring.maths.units import Unit, is_unit, read_unit

_FIGURES = 3
"""Significant digits from which a decimal counts as a rounded value without saying so."""


_CIRCULAR = frozenset(("pi", "arcsin", "arccos", "arctan", "arccot"))


class Measure(NamedTuple):
    """An expression and the unit it is counted in, if it names one."""

    value: Scalar
    unit: Unit | None


def same_quantity(gold: Scalar | Quantity, candidate: Scalar | Quantity, *, loose: bool) -> bool:
    """Whether a candidate is the gold value: units are converted where both name one and ignored where one does not.

    `loose` says that the candidate calls itself approximate.
    """
    expected, given = measure(gold), measure(candidate)
    ours, theirs = symbols(expected.value), symbols(given.value)
    expected, given = _without_letters(expected, theirs), _without_letters(given, ours)
    one, other = expected.value, given.value
    if expected.unit and given.unit:
        if expected.unit.powers != given.unit.powers:
            return False
        if expected.unit.factor != given.unit.factor:
            one, other = _scale(one, expected.unit.factor), _scale(other, given.unit.factor)
    if same_expression(one, other, loose=loose):
        return True
    return _same_angle(expected, given)


def same_expression(gold: Scalar, candidate: Scalar, *, loose: bool) -> bool:
    """Whether two expressions have the same value, or the candidate is the gold value rounded to its own digits."""
    ends = _infinite(gold), _infinite(candidate)
    if ends != (0, 0):
        return ends[0] == ends[1]
    if isinstance(gold, NumberInBase) or isinstance(candidate, NumberInBase):
        return _same_based(gold, candidate)
    return same_value(gold, candidate) or _rounds_to(gold, candidate, loose=loose)


def measure(answer: Scalar | Quantity) -> Measure:
    """The value of an answer without its words, and the unit that these name."""
    unit = None
    if isinstance(answer, Quantity):
        unit = read_unit(answer.words)
        answer = answer.value
    if isinstance(answer, Degrees):
        unit, answer = read_unit("degrees"), answer.operand
    elif isinstance(answer, Negative) and isinstance(answer.operand, Degrees):
        unit, answer = read_unit("degrees"), Negative(answer.operand.operand)
    return Measure(answer, unit)


def bare_value(answer: Scalar | Quantity) -> Scalar:
    """The value of an answer without its unit, letters that name one included: 12 m/s is 12."""
    return _without_letters(measure(answer), frozenset()).value


def _without_letters(given: Measure, names: frozenset[str]) -> Measure:
    """The measure with its trailing letters read as a unit, where the other side has no such variables: 12 m is 12."""
    own = symbols(given.value)
    if given.unit or not own or own & names or not all(is_unit(name) for name in own):
        return given
    value = given.value
    if isinstance(value, Negative):
        inner = _without_letters(Measure(value.operand, None), names)
        return Measure(Negative(inner.value), inner.unit)
    below: tuple[Scalar, ...] = ()
    if isinstance(value, Divide):
        below = _factors(value.denominator)
        value = value.numerator
    above = _factors(value)
    if not all(isinstance(_letter(factor), Symbol) or not symbols(factor) for factor in (*above, *below)):
        return given
    words = " ".join(_spell(factor) for factor in above) + "".join(f"/{_spell(factor)}" for factor in below)
    kept_above = tuple(factor for factor in above if not symbols(factor))
    kept_below = tuple(factor for factor in below if not symbols(factor))
    unit = read_unit(words)
    if not kept_above or unit is None:
        return given
    return Measure(Divide(Multiply(kept_above), Multiply(kept_below)) if kept_below else Multiply(kept_above), unit)


def _factors(node: Scalar) -> tuple[Scalar, ...]:
    return node.factors if isinstance(node, Multiply) else (node,)


def _letter(factor: Scalar) -> Scalar:
    return factor.base if isinstance(factor, Exponentiation) and isinstance(factor.exponent, Number) else factor


def _spell(factor: Scalar) -> str:
    letter = _letter(factor)
    if not isinstance(letter, Symbol):
        return ""
    exponent = factor.exponent if isinstance(factor, Exponentiation) else None
    return f"{letter.name}^{exponent.value}" if isinstance(exponent, Number) else letter.name


def _scale(value: Scalar, factor: Fraction) -> Scalar:
    return Multiply((value, Number(factor)))


def _same_angle(gold: Measure, candidate: Measure) -> bool:
    """Whether one side is in degrees and the other the same angle in radians."""
    degrees = read_unit("degrees")
    if (gold.unit == degrees) == (candidate.unit == degrees) or (gold.unit and candidate.unit):
        return False
    turned, plain = (gold, candidate) if gold.unit == degrees else (candidate, gold)
    circular = any(isinstance(node, Constant | FunctionCall) and node.name in _CIRCULAR for node in nodes(plain.value))
    return circular and same_value(Degrees(turned.value), plain.value, angular=True)


def _infinite(node: Scalar) -> int:
    """1 or -1 for plus or minus infinity, 0 for anything else."""
    match node:
        case Constant(name="infinity"):
            return 1
        case Negative(operand=Constant(name="infinity")):
            return -1
    return 0


def _same_based(gold: Scalar, candidate: Scalar) -> bool:
    """Integers in bases are equal by value; where one side leaves the base out, by their digits.

    A plain gold number may also be the value of the candidate; a plain candidate for a gold answer in a base may not,
    for then the base was what was asked.
    """
    if isinstance(gold, NumberInBase) and isinstance(candidate, NumberInBase):
        return gold.value == candidate.value
    written, plain = (gold, candidate) if isinstance(gold, NumberInBase) else (candidate, gold)
    value = exact_value(plain)
    if value is None or not isinstance(written, NumberInBase):
        return False
    return value == int(written.digits) or (written is candidate and value == written.value)


class _Rounding(NamedTuple):
    value: Fraction
    step: Fraction
    figures: int


def _rounding(node: Scalar) -> _Rounding | None:
    """Return the precision that a written decimal implies."""
    match node:
        case Number(value=value, places=int(places), figures=figures):
            return _Rounding(value, Fraction(10) ** -places, figures)
        case Negative(operand=operand):
            inner = _rounding(operand)
            return inner and inner._replace(value=-inner.value)
        case Percent(operand=operand):
            inner = _rounding(operand)
            return inner and _Rounding(inner.value / 100, inner.step / 100, inner.figures)
        case Multiply(factors=(Number() as mantissa, Exponentiation(base=Number(value=base), exponent=exponent))) if (
            base == 10
        ):
            inner, shift = _rounding(mantissa), exact_value(exponent)
            if inner and shift is not None and shift.denominator == 1 and abs(shift) <= 100:
                scale = Fraction(10) ** shift.numerator
                return _Rounding(inner.value * scale, inner.step * scale, inner.figures)
    return None


def _rounds_to(gold: Scalar, candidate: Scalar, *, loose: bool) -> bool:
    """Whether the candidate is a decimal that the exact gold value rounds to at the candidate's own digits.

    A gold answer that is an integer or itself a decimal is never met by rounding.
    """
    rounding = _rounding(candidate)
    if rounding is None or _rounding(gold) or not (loose or rounding.figures >= _FIGURES):
        return False
    exact = exact_value(gold)
    if exact is not None:
        return exact.denominator != 1 and abs(exact - rounding.value) <= rounding.step / 2
    value = real_value(gold)
    if value is None:
        return False
    with localcontext(CONTEXT):
        if value == value.to_integral_value():
            return False
        gap = abs(value - Decimal(rounding.value.numerator) / Decimal(rounding.value.denominator))
        return gap <= Decimal(rounding.step.numerator) / Decimal(rounding.step.denominator) / 2
