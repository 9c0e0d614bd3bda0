"""Answers in their plainest form, plus-minus written out as the values it stands for."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from itertools import product

from ringtrue.scoring.maths.limits import MAX_SIGNS, Beyond
from ringtrue.scoring.maths.numerals import number_words, written_number
from ringtrue.scoring.maths.operands import letter
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Add,
    Answer,
    Degrees,
    Divide,
    Exponentiation,
    FiniteSet,
    FunctionCall,
    Group,
    Listing,
    Matrix,
    Multiply,
    Negative,
    Number,
    Percent,
    PlusMinus,
    Quantity,
    Scalar,
    Symbol,
    Words,
    nodes,
)
from ringtrue.scoring.maths.vocabulary import ALL_REALS, NO_SOLUTION, REALS

_DRESS = re.compile(r"\\(?:text|mbox|textbf|textrm|textit|mathrm|mathbf)\s?\{([^{}]{0,200})\}")
_SIGNS = frozenset("+-*/^_=<>\\{}[]|%!&~")


def settle(answer: Answer) -> Answer:
    """An answer in its plainest form: words that are numbers or letters as such, plus-minus written out."""
    if isinstance(answer, Words):
        text = plain(answer)
        if text in NO_SOLUTION:
            return FiniteSet(())
        if text in ALL_REALS:
            return Symbol(REALS)
        if (number := written_number(text)) is not None:
            return Number(number)
        if (amount := number_words(text)) is not None:
            return Quantity(Number(amount[0]), amount[1])
        return letter(answer.text.strip("() .")) if len(text) == 1 and text.isalpha() else answer
    if isinstance(answer, SCALARS):
        written = values(answer)
        return answer if len(written) == 1 else Listing(written, "or")
    if isinstance(answer, Quantity):
        return settle(answer.value) if len(values(answer.value)) > 1 else answer
    if isinstance(answer, FiniteSet) and len(answer.items) == 1:
        return settle(answer.items[0])
    return _matrix(answer) if isinstance(answer, Group) else answer


def _matrix(group: Group) -> Answer:
    """Square brackets of equally long square brackets are the rows of a matrix."""
    rows = tuple(item.items for item in group.items if isinstance(item, Group) and item.opening == "[")
    whole = group.opening == "[" and len(rows) == len(group.items) and len({len(row) for row in rows}) == 1
    return Matrix(rows) if whole else group


def plain(words: Words) -> str:
    """Words in lower case without LaTeX dress, punctuation and articles in front; signs of mathematics stay."""
    written = _DRESS.sub(r"\1", words.text) if "\\" in words.text else words.text
    kept = (sign if sign.isalnum() or sign in _SIGNS else " " for sign in written.casefold())
    text = " ".join("".join(kept).split())
    for article in ("the ", "a ", "an "):
        text = text.removeprefix(article)
    return text


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
