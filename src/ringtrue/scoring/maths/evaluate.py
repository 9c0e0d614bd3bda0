"""Whether two expressions are the same number or the same function.

Exact fractions decide where everything is rational, residues modulo a large prime where there are variables, pi or e
but no roots; sixty decimals at several points decide the rest.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from decimal import Decimal, localcontext
from fractions import Fraction

from ringtrue.scoring.maths.arithmetic import complexes as c
from ringtrue.scoring.maths.arithmetic.complexes import Complex
from ringtrue.scoring.maths.arithmetic.decimals import Decimals
from ringtrue.scoring.maths.arithmetic.elementary import CONTEXT, DIGITS
from ringtrue.scoring.maths.arithmetic.exact import Exact
from ringtrue.scoring.maths.arithmetic.modular import PRIME, Modular
from ringtrue.scoring.maths.limits import Beyond, Inexact, UndefinedValue
from ringtrue.scoring.maths.tree import FunctionCall, Scalar, nodes, symbols

_CLOSE = Decimal(10) ** -(DIGITS - 10)
_REAL_POINTS = ((0.1, 0.95), (1.1, 3.9), (-3.0, 3.0), (4.0, 9.0), (-2.5, -0.1), (-0.9, 0.9))
_WHOLE_POINTS = 5
_RESIDUES = 2
_COUNTING = frozenset(("factorial", "binom", "gcd", "lcm"))


def same_value(one: Scalar, other: Scalar, *, angular: bool = False) -> bool:
    """Whether two expressions have the same value wherever both have one.

    `angular` reads degrees as parts of a circle.
    """
    names = sorted(symbols(one) | symbols(other))
    if not names and not angular:
        try:
            return Exact({}).value(one) == Exact({}).value(other)
        except (Inexact, Beyond):
            # A number that is too long to be written out still has a residue.
            pass
    if not angular:
        try:
            return all(_residue(one, point) == _residue(other, point) for point in _residue_points(names))
        except Inexact:
            pass
    plain_logarithm = any(_is_plain_logarithm(node) for root in (one, other) for node in nodes(root))
    bases = (True, False) if plain_logarithm else (True,)
    with localcontext(CONTEXT):
        return any(_agree(_samples((one, other), names, natural=natural, angular=angular)) for natural in bases)


def exact_value(node: Scalar) -> Fraction | None:
    """The rational value of an expression, or None where it has none."""
    try:
        return Exact({}).value(node)
    except (Beyond, Inexact, UndefinedValue, KeyError):
        return None


def real_value(node: Scalar) -> Decimal | None:
    """The real value of an expression without variables, with many decimals, or None where it has none."""
    if symbols(node):
        return None
    with localcontext(CONTEXT):
        try:
            value = Decimals({}).value(node)
        except (Beyond, UndefinedValue):
            return None
    return value.re if abs(value.im) < c.NOISE else None


def proportion(one: Scalar, other: Scalar) -> int:
    """The sign of the constant that one expression is a multiple of the other by, or 0 where there is none."""
    names = sorted(symbols(one) | symbols(other))
    with localcontext(CONTEXT):
        ratios = []
        for first, second in _samples((one, other), names):
            if first is None or second is None:
                continue
            if c.magnitude(second) < c.NOISE or c.magnitude(first) < c.NOISE:
                return 0
            ratios.append(c.divide(first, second))
        if len(ratios) < 2 or any(not _near(ratio, ratios[0]) for ratio in ratios) or abs(ratios[0].im) > c.NOISE:
            return 0
        return 1 if ratios[0].re > 0 else -1


def _is_plain_logarithm(node: Scalar) -> bool:
    return isinstance(node, FunctionCall) and node.name == "log" and len(node.arguments) == 1


def _residue_points(names: list[str]) -> Iterator[dict[str, int]]:
    for place in range(_RESIDUES):
        yield {name: _scatter(index, place + 10) % PRIME for index, name in enumerate(names)}


def _residue(node: Scalar, point: dict[str, int]) -> int:
    return Modular(point).value(node)


def _scatter(index: int, place: int) -> int:
    """A fixed, well scattered number of 64 bits for a variable at a point."""
    mixed = (index * 0x9E3779B97F4A7C15 + place * 0xBF58476D1CE4E5B9 + 0x94D049BB133111EB) & (2**64 - 1)
    mixed = ((mixed ^ (mixed >> 30)) * 0xBF58476D1CE4E5B9) & (2**64 - 1)
    mixed = ((mixed ^ (mixed >> 27)) * 0x94D049BB133111EB) & (2**64 - 1)
    return mixed ^ (mixed >> 31)


def _points(names: list[str], *, whole: bool) -> Iterator[dict[str, Complex]]:
    if not names:
        yield {}
    elif whole:
        # Later names get smaller numbers, so that n choose k makes sense.
        for place in range(_WHOLE_POINTS):
            yield {name: Complex(Decimal(9 + 2 * place - index)) for index, name in enumerate(reversed(names))}
    else:
        for place, (low, high) in enumerate(_REAL_POINTS):
            width = Decimal(high) - Decimal(low)
            yield {
                name: Complex(Decimal(low) + width * Decimal(_scatter(index, place)) / 2**64)
                for index, name in enumerate(names)
            }


def _samples(
    roots: tuple[Scalar, Scalar], names: list[str], *, natural: bool = True, angular: bool = False
) -> Iterator[tuple[Complex | None, Complex | None]]:
    whole = any(isinstance(node, FunctionCall) and node.name in _COUNTING for root in roots for node in nodes(root))
    for point in _points(names, whole=whole):
        arithmetic = Decimals(point)
        arithmetic.natural = natural
        arithmetic.angular = angular
        yield _sample(arithmetic, roots[0]), _sample(arithmetic, roots[1])


def _sample(arithmetic: Decimals, root: Scalar) -> Complex | None:
    try:
        return arithmetic.value(root)
    except UndefinedValue:
        return None


def _agree(samples: Iterable[tuple[Complex | None, Complex | None]]) -> bool:
    """Whether two functions agree where both are real, or, where they hardly ever are, everywhere."""
    real_points = complex_points = taken = 0
    agreed = True
    for one, other in samples:
        taken += 1
        if one is None or other is None:
            continue
        if abs(one.im) < c.NOISE and abs(other.im) < c.NOISE:
            if not _near(one, other):
                return False
            real_points += 1
        else:
            agreed = agreed and _near(one, other)
            complex_points += 1
    enough = min(2, taken)
    return real_points >= enough or (agreed and real_points + complex_points >= enough)


def _near(one: Complex, other: Complex) -> bool:
    size = max(c.magnitude(one), c.magnitude(other))
    gap = c.magnitude(Complex(one.re - other.re, one.im - other.im))
    return gap <= size * _CLOSE or size < c.NOISE
