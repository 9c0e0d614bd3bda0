"""Plus-minus written out as the values it stands for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import product

from ringtrue.scoring.maths.limits import MAX_SIGNS, Beyond
from ringtrue.scoring.maths.tree import (
    Add,
    Call,
    Choice,
    Degrees,
    Divide,
    Multiply,
    Negative,
    Percent,
    Power,
    Scalar,
    nodes,
)


def values(node: Scalar) -> tuple[Scalar, ...]:
    """All values of an expression: plus-minus signs are independent, unless a minus-plus ties them to one another."""
    choices = [each for each in nodes(node) if isinstance(each, Choice)]
    if not choices:
        return (node,)
    if len(choices) > MAX_SIGNS:
        raise Beyond(f"the answer has more than {MAX_SIGNS} plus-minus signs")
    tied = any(choice.sign < 0 for choice in choices)
    count = len(choices)
    patterns = ((1,) * count, (-1,) * count) if tied else tuple(product((1, -1), repeat=count))
    return tuple(_chosen(node, iter(pattern).__next__) for pattern in patterns)


def _chosen(node: Scalar, sign: Callable[[], int]) -> Scalar:
    def inner(each: Scalar) -> Scalar:
        return _chosen(each, sign)

    match node:
        case Choice(operand=operand, sign=first):
            positive = sign() * first > 0
            return inner(operand) if positive else Negative(inner(operand))
        case Add(terms=terms):
            return Add(tuple(map(inner, terms)))
        case Multiply(factors=factors):
            return Multiply(tuple(map(inner, factors)))
        case Divide(numerator=above, denominator=below):
            return Divide(inner(above), inner(below))
        case Power(base=base, exponent=exponent):
            return Power(inner(base), inner(exponent))
        case Call(name=name, arguments=arguments):
            return Call(name, tuple(map(inner, arguments)))
        case Negative() | Percent() | Degrees():
            return replace(node, operand=inner(node.operand))
    return node
