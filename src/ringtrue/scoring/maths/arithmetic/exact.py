"""Rational arithmetic without rounding."""

from __future__ import annotations

import math
from fractions import Fraction

from ringtrue.scoring.maths.arithmetic.walk import Arithmetic
from ringtrue.scoring.maths.limits import MAX_BITS, Beyond, Inexact, UndefinedValue
from ringtrue.scoring.maths.tree import Scalar


class Exact(Arithmetic[Fraction]):
    """Values as fractions; what is irrational raises Inexact."""

    def number(self, value: Fraction) -> Fraction:
        return value

    def constant(self, name: str) -> Fraction:
        raise Inexact(name)

    def add(self, one: Fraction, other: Fraction) -> Fraction:
        return _bound(one + other)

    def multiply(self, one: Fraction, other: Fraction) -> Fraction:
        return _bound(one * other)

    def divide(self, one: Fraction, other: Fraction) -> Fraction:
        if not other:
            raise UndefinedValue("a division by zero")
        return _bound(one / other)

    def power(self, base: Scalar, exponent: Scalar) -> Fraction:
        below, above = self.value(base), self.value(exponent)
        return integer_power(below, above.numerator) if above.denominator == 1 else _root_power(below, above)

    def call(self, name: str, arguments: tuple[Scalar, ...]) -> Fraction:
        values = [self.value(argument) for argument in arguments]
        if name in ("sqrt", "cbrt"):
            index = 3 if name == "cbrt" else _natural(values[1]) if len(values) > 1 else 2
            return _root(values[0], index)
        if name in INTEGER_FUNCTIONS:
            return integer_function(name, values)
        raise Inexact(name)


INTEGER_FUNCTIONS = frozenset(("abs", "floor", "ceil", "factorial", "binom", "gcd", "lcm", "max", "min", "conjugate"))


def integer_function(name: str, values: list[Fraction]) -> Fraction:
    """The value of a function that maps rational numbers to rational numbers."""
    first = values[0]
    match name:
        case "abs":
            return abs(first)
        case "floor":
            return Fraction(math.floor(first))
        case "ceil":
            return Fraction(math.ceil(first))
        case "max":
            return max(values)
        case "min":
            return min(values)
        case "gcd":
            return Fraction(math.gcd(*(_natural(value) for value in values)))
        case "lcm":
            if len(values) * max(_natural(value).bit_length() for value in values) > MAX_BITS:
                raise Beyond(f"a least common multiple has more than {MAX_BITS:,} bits")
            return Fraction(math.lcm(*(_natural(value) for value in values)))
        case "factorial":
            return Fraction(_factorial(_natural(first)))
        case "binom" if len(values) == 2:
            return Fraction(_binomial(_natural(first), _natural(values[1])))
        case "conjugate":
            return first
    raise UndefinedValue(f"{name} of {len(values)} arguments")


def integer_power(base: Fraction, exponent: int) -> Fraction:
    """A whole power of a fraction, within the bound on bits."""
    if not base and exponent <= 0:
        raise UndefinedValue("zero to the power of zero or less")
    size = max(base.numerator.bit_length(), base.denominator.bit_length())
    if size > 1 and abs(exponent) * size > 2 * MAX_BITS:
        raise Beyond(f"a power has more than {MAX_BITS:,} bits")
    if size <= 1:
        exponent %= 2
    return base**exponent


def _bound(value: Fraction) -> Fraction:
    if value.numerator.bit_length() + value.denominator.bit_length() > 4 * MAX_BITS:
        raise Beyond(f"a number has more than {MAX_BITS:,} bits")
    return value


def _root_power(base: Fraction, exponent: Fraction) -> Fraction:
    if exponent.denominator > 64:
        raise Inexact("root")
    return integer_power(_root(base, exponent.denominator), exponent.numerator)


def _root(value: Fraction, index: int) -> Fraction:
    """The real root where it is rational; the odd root of a negative number is negative."""
    if not 1 <= index <= 64:
        raise Inexact("root")
    if value < 0:
        if index % 2 == 0:
            raise Inexact("root")
        return -_root(-value, index)
    above, below = _whole_root(value.numerator, index), _whole_root(value.denominator, index)
    if above is None or below is None:
        raise Inexact("root")
    return Fraction(above, below)


def _whole_root(value: int, index: int) -> int | None:
    if index == 2:
        root = math.isqrt(value)
    elif value.bit_length() > 1_000:
        return None
    else:
        low, high = 0, 1 << (value.bit_length() // index + 1)
        while low < high:
            middle = (low + high + 1) // 2
            low, high = (middle, high) if middle**index <= value else (low, middle - 1)
        root = low
    return root if root**index == value else None


def _natural(value: Fraction) -> int:
    if value.denominator != 1 or value < 0:
        raise UndefinedValue("a natural number is needed")
    return value.numerator


def _factorial(number: int) -> int:
    if number > 1_000:
        raise Beyond("a factorial is of more than 1,000")
    return math.factorial(number)


def _binomial(above: int, below: int) -> int:
    if min(below, abs(above - below)) * above.bit_length() > MAX_BITS:
        raise Beyond(f"a binomial coefficient has more than {MAX_BITS:,} bits")
    return math.comb(above, below)
