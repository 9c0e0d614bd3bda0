"""Plus-minus written out as the values it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from ringtrue.scoring.maths.limits import MAX_SIGNS, Beyond
from ringtrue.scoring.maths.tree import (
    Add,
    Degrees,
    Divide,
    Exponentiation,
    FunctionCall,
    Multiply,
    Negative,
    Percent,
    PlusMinus,
    Scalar,
    nodes,
)


def values(node: Scalar) -> tuple[Scalar, ...]:
    """All values of an expression: plus-minus signs are independent, unless a minus-plus ties them to one another."""
    choices = [each for each in nodes(node) if isinstance(each, PlusMinus)]
    if not choices:
        return (node,)
    if len(choices) > MAX_SIGNS:
        raise Beyond(f"the answer has more than {MAX_SIGNS} plus-minus signs")
    tied = any(choice.sign < 0 for choice in choices)
    count = len(choices)
    patterns = ((1,) * count, (-1,) * count) if tied else tuple(product((1, -1), repeat=count))
    return tuple(_choose_sign(node, iter(pattern).__next__) for pattern in patterns)


def _choose_sign(node: Scalar, sign: Callable[[], int]) -> Scalar:
    def inner(each: Scalar) -> Scalar:
        return _choose_sign(each, sign)

    match node:
        case PlusMinus(operand=operand, sign=first):
            positive = sign() * first > 0
            return inner(operand) if positive else Negative(inner(operand))
        case Add(terms=terms):
            return Add(tuple(map(inner, terms)))
        case Multiply(factors=factors):
            return Multiply(tuple(map(inner, factors)))
        case Divide(numerator=above, denominator=below):
            return Divide(inner(above), inner(below))
        case Exponentiation(base=base, exponent=exponent):
            return Exponentiation(inner(base), inner(exponent))
        case FunctionCall(name=name, arguments=arguments):
            return FunctionCall(name, tuple(map(inner, arguments)))
        case Negative() | Percent() | Degrees():
            return replace(node, operand=inner(node.operand))
    return node
