"""Complex numbers with many decimals; everything here runs inside `with localcontext(CONTEXT)`."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import NamedTuple

from ringtrue.scoring.maths.arithmetic.elementary import DIGITS, PI, E, angle_of, arc_tangent, sine_and_cosine
from ringtrue.scoring.maths.limits import UndefinedValue

NOISE = Decimal(10) ** -DIGITS
"""What is smaller is taken for zero, blurred by rounding in the guard digits."""
_LARGEST = Decimal("1e10000000")
_STEEPEST = Decimal(10) ** 8
_ZERO = Decimal(0)


class Complex(NamedTuple):
    """A real and an imaginary part."""

    re: Decimal
    im: Decimal = _ZERO


ONE = Complex(Decimal(1))
TWO = Complex(Decimal(2))
IMAGINARY = Complex(_ZERO, Decimal(1))


def real(value: Decimal) -> Complex:
    """A finite real number; anything else has no value."""
    if not value.is_finite() or abs(value) > _LARGEST:
        raise UndefinedValue("an overflow")
    return Complex(value)


def rational(value: Fraction) -> Complex:
    """A fraction, rounded."""
    if value.denominator == 1:
        return Complex(+Decimal(value.numerator))
    return Complex(Decimal(value.numerator) / Decimal(value.denominator))


def add(one: Complex, other: Complex) -> Complex:
    """The sum."""
    return Complex(one.re + other.re, one.im + other.im)


def negate(value: Complex) -> Complex:
    """The additive inverse."""
    return Complex(-value.re, -value.im)


def multiply(one: Complex, other: Complex) -> Complex:
    """The product."""
    if not one.im and not other.im:
        return Complex(one.re * other.re)
    return Complex(one.re * other.re - one.im * other.im, one.re * other.im + one.im * other.re)


def divide(one: Complex, other: Complex) -> Complex:
    """The quotient; a divisor that may be zero is refused."""
    if abs(other.re) < NOISE and abs(other.im) < NOISE:
        raise UndefinedValue("a division by zero")
    if not one.im and not other.im:
        return Complex(one.re / other.re)
    size = other.re * other.re + other.im * other.im
    top = multiply(one, Complex(other.re, -other.im))
    return Complex(top.re / size, top.im / size)


def magnitude(value: Complex) -> Decimal:
    """The absolute value."""
    return (value.re * value.re + value.im * value.im).sqrt() if value.im else abs(value.re)


def whole_power(base: Complex, exponent: int) -> Complex:
    """A power with a whole exponent."""
    if abs(exponent) > 10**15:
        raise UndefinedValue("an overflow")
    if exponent < 0:
        return divide(ONE, whole_power(base, -exponent))
    if not exponent:
        return ONE
    if not base.im:
        return real(base.re**exponent)
    if exponent > 1_000:
        return power(base, Complex(Decimal(exponent)))
    result = ONE
    while exponent:
        if exponent & 1:
            result = multiply(result, base)
        base = multiply(base, base)
        exponent >>= 1
    return result


def power(base: Complex, exponent: Complex) -> Complex:
    """The principal power."""
    if not base.re and not base.im:
        if exponent.re <= 0:
            raise UndefinedValue("zero to the power of zero or less")
        return base
    return exponential(multiply(exponent, logarithm(base)))


def root(value: Complex, index: int) -> Complex:
    """The real root where there is one, the principal root elsewhere."""
    if index == 2:
        return square_root(value)
    inverse = rational(Fraction(1, index))
    if index % 2 and not value.im and value.re < 0:
        return negate(power(negate(value), inverse))
    return power(value, inverse)


def square_root(value: Complex) -> Complex:
    """The principal square root."""
    if not value.im:
        side = abs(value.re).sqrt()
        return Complex(side) if value.re >= 0 else Complex(_ZERO, side)
    size = magnitude(value)
    im = ((size - value.re) / 2).sqrt()
    return Complex(((size + value.re) / 2).sqrt(), im if value.im > 0 else -im)


def exponential(value: Complex) -> Complex:
    """The natural exponential."""
    if abs(value.re) > _STEEPEST:
        raise UndefinedValue("an overflow")
    size = real(value.re.exp())
    if not value.im:
        return size
    sine, cosine = sine_and_cosine(value.im)
    return multiply(size, Complex(cosine, sine))


def logarithm(value: Complex) -> Complex:
    """The principal natural logarithm."""
    size = magnitude(value)
    if size < NOISE:
        raise UndefinedValue("the logarithm of zero")
    if not value.im and value.re > 0:
        return Complex(size.ln())
    return Complex(size.ln(), angle_of(value.re, value.im))


def based_logarithm(value: Complex, base: Complex) -> Complex:
    """The logarithm to a base."""
    return divide(logarithm(value), logarithm(base))


def sine_cosine(angle: Complex) -> tuple[Complex, Complex]:
    """The sine and the cosine."""
    if not angle.im:
        sine, cosine = sine_and_cosine(angle.re)
        return Complex(sine), Complex(cosine)
    sine, cosine = sine_and_cosine(angle.re)
    up, down = (real(part.exp()).re for part in (angle.im, -angle.im))
    over, under = (up + down) / 2, (up - down) / 2
    return Complex(sine * over, cosine * under), Complex(cosine * over, -sine * under)


def arc_sine(value: Complex) -> Complex:
    """The real arc sine."""
    if value.im or abs(value.re) > 1:
        raise UndefinedValue("the arc sine of a number beyond one")
    return Complex(angle_of((1 - value.re * value.re).sqrt(), value.re))


def arc_cosine(value: Complex) -> Complex:
    """The real arc cosine."""
    return Complex(PI / 2 - arc_sine(value).re)


def real_arc_tangent(value: Complex) -> Complex:
    """The real arc tangent."""
    if value.im:
        raise UndefinedValue("the arc tangent of a number that is not real")
    return Complex(arc_tangent(value.re))


def arc_cotangent(value: Complex) -> Complex:
    """The real arc cotangent, between zero and pi."""
    return Complex(PI / 2 - real_arc_tangent(value).re)


def hyperbolic_sine(value: Complex) -> Complex:
    """The hyperbolic sine."""
    return divide(add(exponential(value), negate(exponential(negate(value)))), TWO)


def hyperbolic_cosine(value: Complex) -> Complex:
    """The hyperbolic cosine."""
    return divide(add(exponential(value), exponential(negate(value))), TWO)


def hyperbolic_tangent(value: Complex) -> Complex:
    """The hyperbolic tangent."""
    return divide(hyperbolic_sine(value), hyperbolic_cosine(value))


CONSTANTS = {"pi": Complex(PI), "e": Complex(E), "i": IMAGINARY}
