"""Sine, cosine, arc tangent and pi with many decimals; square root, exponential and logarithm are the library's.

Everything here runs inside `with localcontext(CONTEXT)`.
"""

from __future__ import annotations

from decimal import Context, Decimal

from ringtrue.scoring.maths.limits import UndefinedValue

DIGITS = 60
CONTEXT = Context(prec=DIGITS + 15, Emax=10**9, Emin=-(10**9), traps=[])
"""Fifteen guard digits; an overflow is an infinity, which `complexes.real` refuses."""
PI = Decimal("3.14159265358979323846264338327950288419716939937510582097494459230781640628620899862803482534211706798")
E = Decimal("2.71828182845904523536028747135266249775724709369995957496696762772407663035354759457138217852516642743")
_TINY = Decimal(10) ** -(DIGITS + 12)
_LARGEST_ANGLE = Decimal(10) ** 12
_TERMS = 200


def sine_and_cosine(angle: Decimal) -> tuple[Decimal, Decimal]:
    """The sine and the cosine of a real angle; an angle so large that its remainder is lost is undefined."""
    if abs(angle) > _LARGEST_ANGLE:
        raise UndefinedValue("the sine of a very large angle")
    # The series converges faster at an eighth of the angle; three doublings lead back.
    small = angle.remainder_near(2 * PI) / 8
    square = small * small
    sine = term = small
    for step in range(2, _TERMS, 2):
        term = -term * square / (step * (step + 1))
        sine += term
        if abs(term) < _TINY:
            break
    cosine = (1 - sine * sine).sqrt()
    for _ in range(3):
        sine, cosine = 2 * sine * cosine, 1 - 2 * sine * sine
    return sine, cosine


def arc_tangent(value: Decimal) -> Decimal:
    """The angle in (-pi/2, pi/2) whose tangent is the value."""
    if abs(value) > 1:
        rest = arc_tangent(1 / value)
        return (PI if value > 0 else -PI) / 2 - rest
    # Halving the angle three times makes the argument small.
    small = value
    for _ in range(3):
        small = small / (1 + (1 + small * small).sqrt())
    square = small * small
    total = power = small
    for step in range(3, 2 * _TERMS, 2):
        power = -power * square
        total += power / step
        if abs(power) < _TINY:
            break
    return total * 8


def angle_of(x: Decimal, y: Decimal) -> Decimal:
    """The angle in (-pi, pi] of the point (x, y)."""
    if not x:
        return Decimal(0) if not y else (PI if y > 0 else -PI) / 2
    angle = arc_tangent(y / x)
    if x > 0:
        return angle
    return angle + PI if y >= 0 else angle - PI
