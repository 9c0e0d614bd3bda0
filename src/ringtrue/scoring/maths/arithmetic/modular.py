"""Arithmetic modulo a large prime: two rational functions that agree at a random point are the same function."""

from __future__ import annotations

from fractions import Fraction

from ringtrue.scoring.maths.arithmetic.exact import Exact
from ringtrue.scoring.maths.arithmetic.walk import Arithmetic
from ringtrue.scoring.maths.limits import Inexact, UndefinedValue
from ringtrue.scoring.maths.tree import Scalar

PRIME = 2**64 - 59
"""Leaves the remainder 1 when divided by 4, so that minus one has a square root."""
_CONSTANTS = {
    "i": pow(2, (PRIME - 1) // 4, PRIME),
    # No polynomial with rational coefficients vanishes at these, so any fixed residues serve.
    "pi": 3141592653589793238,
    "e": 2718281828459045235,
}


class Modular(Arithmetic[int]):
    """Values modulo the prime; roots, logarithms and symbolic exponents raise Inexact."""

    def number(self, value: Fraction) -> int:
        if value.denominator == 1:
            return value.numerator % PRIME
        return self.divide(value.numerator % PRIME, value.denominator % PRIME)

    def constant(self, name: str) -> int:
        if name not in _CONSTANTS:
            raise Inexact(name)
        return _CONSTANTS[name]

    def add(self, one: int, other: int) -> int:
        return (one + other) % PRIME

    def multiply(self, one: int, other: int) -> int:
        return one * other % PRIME

    def divide(self, one: int, other: int) -> int:
        if not other:
            raise UndefinedValue("a division by zero")
        return one * pow(other, -1, PRIME) % PRIME

    def power(self, base: Scalar, exponent: Scalar) -> int:
        try:
            above = Exact({}).value(exponent)
        except KeyError:
            raise Inexact("power") from None
        if above.denominator != 1:
            raise Inexact("root")
        below = self.value(base)
        if not below and above <= 0:
            raise UndefinedValue("zero to the power of zero or less")
        return pow(below, above.numerator, PRIME)

    def call(self, name: str, arguments: tuple[Scalar, ...]) -> int:
        try:
            return self.number(Exact({}).call(name, arguments))
        except KeyError:
            raise Inexact(name) from None
