"""The form of an answer once it is read: a tree of numbers, symbols and operations, or a structure of such trees."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Literal, TypeAlias, cast


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; `places` counts its decimals and `figures` its significant digits where it has a decimal point."""

    value: Fraction
    places: int | None = None
    figures: int = 0


@dataclass(frozen=True, slots=True)
class Symbol:
    """A variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Constant:
    """`pi`, `e`, `i` or `infinity`."""

    name: str


@dataclass(frozen=True, slots=True)
class Add:
    """A sum."""

    terms: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Multiply:
    """A product."""

    factors: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Divide:
    """A quotient."""

    numerator: Scalar
    denominator: Scalar


@dataclass(frozen=True, slots=True)
class Exponentiation:
    """A base raised to an exponent."""

    base: Scalar
    exponent: Scalar


@dataclass(frozen=True, slots=True)
class Negative:
    """The additive inverse."""

    operand: Scalar


@dataclass(frozen=True, slots=True)
class PlusMinus:
    """Plus or minus (`sign` 1) or minus or plus (`sign` -1) an operand: two values."""

    operand: Scalar
    sign: int


@dataclass(frozen=True, slots=True)
class FunctionCall:
    """A named function of its arguments."""

    name: str
    arguments: tuple[Scalar, ...]


@dataclass(frozen=True, slots=True)
class Percent:
    """A hundredth of its operand."""

    operand: Scalar


@dataclass(frozen=True, slots=True)
class Degrees:
    """An angle in degrees."""

    operand: Scalar


@dataclass(frozen=True, slots=True)
class NumberInBase:
    """An integer written in a base other than ten, `digits` as written."""

    value: int
    base: int
    digits: str


Scalar: TypeAlias = (
    Number
    | Symbol
    | Constant
    | Add
    | Multiply
    | Divide
    | Exponentiation
    | Negative
    | PlusMinus
    | FunctionCall
    | Percent
    | Degrees
    | NumberInBase
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value with the words that follow it: a unit, a thing counted, or an aside."""

    value: Scalar
    words: str


@dataclass(frozen=True, slots=True)
class Words:
    """An answer that is not mathematics: a name, a letter, yes."""

    text: str


@dataclass(frozen=True, slots=True)
class Group:
    """Items between brackets: a point, a vector, or an interval when there are two."""

    opening: str
    items: tuple[Answer, ...]
    closing: str


@dataclass(frozen=True, slots=True)
class Listing:
    """Items without brackets, joined by commas, `and` or `or`."""

    items: tuple[Answer, ...]
    joint: Literal[",", "and", "or"]


@dataclass(frozen=True, slots=True)
class FiniteSet:
    """Items between braces; order and repetition do not matter."""

    items: tuple[Answer, ...]


@dataclass(frozen=True, slots=True)
class Builder:
    """The set of all values of an expression under a condition."""

    element: Answer
    condition: Answer


@dataclass(frozen=True, slots=True)
class Combination:
    """Sets joined by `union`, `intersection` or `difference`, from left to right."""

    operator: str
    left: Answer
    right: Answer


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of equal length."""

    rows: tuple[tuple[Answer, ...], ...]


@dataclass(frozen=True, slots=True)
class Relation:
    """A chain such as `a < b <= c`: one more member than there are operators."""

    members: tuple[Answer, ...]
    operators: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Ratio:
    """Numbers joined by colons; of a time of day, whether it is `am` or `pm`."""

    terms: tuple[Scalar, ...]
    clock: bool = False
    half: str = ""


Structure: TypeAlias = (
    Quantity | Words | Group | Listing | FiniteSet | Builder | Combination | Matrix | Relation | Ratio
)
Answer: TypeAlias = Scalar | Structure
SCALARS = (
    Number,
    Symbol,
    Constant,
    Add,
    Multiply,
    Divide,
    Exponentiation,
    Negative,
    PlusMinus,
    FunctionCall,
    Percent,
    Degrees,
    NumberInBase,
)


def _two(first: str, second: str) -> Callable[[Scalar], tuple[Scalar, ...]]:
    both = attrgetter(first, second)
    return lambda node: cast("tuple[Scalar, ...]", both(node))


def _one(node: Scalar) -> tuple[Scalar, ...]:
    return (cast("Negative | PlusMinus | Percent | Degrees", node).operand,)


_BELOW: dict[type, Callable[[Scalar], tuple[Scalar, ...]]] = {
    Add: attrgetter("terms"),
    Multiply: attrgetter("factors"),
    Divide: _two("numerator", "denominator"),
    Exponentiation: _two("base", "exponent"),
    FunctionCall: attrgetter("arguments"),
    Negative: _one,
    PlusMinus: _one,
    Percent: _one,
    Degrees: _one,
}


def nodes(root: Scalar) -> list[Scalar]:
    """Every node of an expression, the root first."""
    found = [root]
    for node in found:
        below = _BELOW.get(type(node))
        if below is not None:
            found.extend(below(node))
    return found


def symbols(root: Scalar) -> frozenset[str]:
    """The names of the variables in an expression."""
    return frozenset([node.name for node in nodes(root) if isinstance(node, Symbol)])
