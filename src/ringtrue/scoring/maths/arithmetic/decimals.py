"""The arithmetic of what is irrational: complex numbers with sixty decimals."""

from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction

from ringtrue.scoring.maths.arithmetic import complexes as c
from ringtrue.scoring.maths.arithmetic.complexes import Complex
from ringtrue.scoring.maths.arithmetic.elementary import PI
from ringtrue.scoring.maths.arithmetic.exact import INTEGER_FUNCTIONS, Exact, integer_function
from ringtrue.scoring.maths.arithmetic.walk import Arithmetic
from ringtrue.scoring.maths.limits import Inexact, UndefinedValue
from ringtrue.scoring.maths.tree import Scalar

_TEN = Complex(Decimal(10))
_LARGEST = Decimal(10) ** 1_000


class Decimals(Arithmetic[Complex]):
    """Values with sixty decimals, to be taken inside `with localcontext(CONTEXT)`."""

    natural = True
    """Whether a logarithm without a base is the natural one."""
    angular = False
    """Whether degrees are parts of the circle: inside a trigonometric function they always are."""

    def number(self, value: Fraction) -> Complex:
        return c.rational(value)

    def constant(self, name: str) -> Complex:
        if name not in c.CONSTANTS:
            raise UndefinedValue(name)
        return c.CONSTANTS[name]

    def add(self, one: Complex, other: Complex) -> Complex:
        return c.add(one, other)

    def multiply(self, one: Complex, other: Complex) -> Complex:
        return c.multiply(one, other)

    def divide(self, one: Complex, other: Complex) -> Complex:
        return c.divide(one, other)

    def degrees(self, angle: Scalar) -> Complex:
        value = self.value(angle)
        return c.multiply(value, Complex(PI / 180)) if self.angular else value

    def power(self, base: Scalar, exponent: Scalar) -> Complex:
        try:
            above: Fraction | None = Exact({}).value(exponent)
        except (Inexact, KeyError):
            above = None
        below = self.value(base)
        if above is None:
            return c.power(below, self.value(exponent))
        if above.denominator == 1:
            return c.whole_power(below, above.numerator)
        if above.denominator <= 64:
            return c.whole_power(c.root(below, above.denominator), above.numerator)
        return c.power(below, c.rational(above))

    def call(self, name: str, arguments: tuple[Scalar, ...]) -> Complex:
        if name in _TRIGONOMETRIC:
            outer, self.angular = self.angular, True
            angle = self.value(arguments[0])
            self.angular = outer
            return _TRIGONOMETRIC[name](*c.sine_cosine(angle))
        values = [self.value(argument) for argument in arguments]
        if name in ("sqrt", "cbrt"):
            return _root(values[0], values[1] if len(values) > 1 else None, 3 if name == "cbrt" else 2)
        if name == "log":
            plain = c.CONSTANTS["e"] if self.natural else _TEN
            return c.based_logarithm(values[0], values[1] if len(values) > 1 else plain)
        if name in INTEGER_FUNCTIONS:
            return _integer_function(name, values)
        if name not in _FUNCTIONS:
            raise UndefinedValue(name)
        return _FUNCTIONS[name](values[0])


_TRIGONOMETRIC: dict[str, Callable[[Complex, Complex], Complex]] = {
    "sin": lambda sine, cosine: sine,
    "cos": lambda sine, cosine: cosine,
    "tan": c.divide,
    "cot": lambda sine, cosine: c.divide(cosine, sine),
    "sec": lambda sine, cosine: c.divide(c.ONE, cosine),
    "csc": lambda sine, cosine: c.divide(c.ONE, sine),
    "cis": lambda sine, cosine: c.add(cosine, c.multiply(c.IMAGINARY, sine)),
}
_FUNCTIONS: dict[str, Callable[[Complex], Complex]] = {
    "ln": c.logarithm,
    "log10": lambda value: c.based_logarithm(value, _TEN),
    "exp": c.exponential,
    "arcsin": c.arc_sine,
    "arccos": c.arc_cosine,
    "arctan": c.real_arc_tangent,
    "arccot": c.arc_cotangent,
    "sinh": c.hyperbolic_sine,
    "cosh": c.hyperbolic_cosine,
    "tanh": c.hyperbolic_tangent,
}


def _root(value: Complex, index: Complex | None, otherwise: int) -> Complex:
    if index is None:
        return c.root(value, otherwise)
    if index.im or index.re != index.re.to_integral_value() or not 1 <= index.re <= 1_000:
        return c.power(value, c.divide(c.ONE, index))
    return c.root(value, int(index.re))


def _integer_function(name: str, values: list[Complex]) -> Complex:
    if name == "abs":
        return Complex(c.magnitude(values[0]))
    if name == "conjugate":
        return Complex(values[0].re, -values[0].im)
    if any(value.im or abs(value.re) > _LARGEST for value in values):
        raise UndefinedValue(f"{name} of a number that is not real")
    return c.rational(integer_function(name, [_without_noise(value.re) for value in values]))


def _without_noise(value: Decimal) -> Fraction:
    """The value as a fraction, a whole number where it differs from one by rounding noise only."""
    nearest = value.to_integral_value()
    return Fraction(nearest if abs(value - nearest) < c.NOISE else value)
