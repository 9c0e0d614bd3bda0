"""The walk over an expression that every arithmetic shares: exact, modular, and with many decimals."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from fractions import Fraction
from typing import Generic, TypeVar

from ringtrue.scoring.maths.limits import UndefinedValue
from ringtrue.scoring.maths.tree import (
    Add,
    Constant,
    Degrees,
    Divide,
    Exponentiation,
    FunctionCall,
    Multiply,
    Negative,
    Number,
    NumberInBase,
    Percent,
    Scalar,
    Symbol,
)

T = TypeVar("T")
_HUNDRED = Fraction(100)


class Arithmetic(ABC, Generic[T]):
    """Values of expressions at a point, which gives every symbol a value."""

    def __init__(self, point: Mapping[str, T]) -> None:
        self.point = point

    @abstractmethod
    def number(self, value: Fraction) -> T: ...

    @abstractmethod
    def constant(self, name: str) -> T: ...

    @abstractmethod
    def add(self, one: T, other: T) -> T: ...

    @abstractmethod
    def multiply(self, one: T, other: T) -> T: ...

    @abstractmethod
    def divide(self, one: T, other: T) -> T: ...

    @abstractmethod
    def power(self, base: Scalar, exponent: Scalar) -> T: ...

    @abstractmethod
    def call(self, name: str, arguments: tuple[Scalar, ...]) -> T: ...

    def degrees(self, angle: Scalar) -> T:
        """An angle in degrees is its number; only inside a trigonometric function is it a part of the circle."""
        return self.value(angle)

    def value(self, node: Scalar) -> T:
        """The value of an expression; raises Inexact, Undefined or Beyond where this arithmetic has none."""
        match node:
            case Number(value=value):
                return self.number(value)
            case Symbol(name=name):
                return self.point[name]
            case Add(terms=terms):
                total = self.value(terms[0])
                for term in terms[1:]:
                    total = self.add(total, self.value(term))
                return total
            case Multiply(factors=factors):
                total = self.value(factors[0])
                for factor in factors[1:]:
                    total = self.multiply(total, self.value(factor))
                return total
            case Divide(numerator=above, denominator=below):
                return self.divide(self.value(above), self.value(below))
            case Exponentiation(base=base, exponent=exponent):
                return self.power(base, exponent)
            case Negative(operand=operand):
                return self.multiply(self.number(Fraction(-1)), self.value(operand))
            case Constant(name=name):
                return self.constant(name)
            case FunctionCall(name=name, arguments=arguments):
                return self.call(name, arguments)
            case Percent(operand=operand):
                return self.divide(self.value(operand), self.number(_HUNDRED))
            case Degrees(operand=operand):
                return self.degrees(operand)
            case NumberInBase(value=whole):
                return self.number(Fraction(whole))
            case _:
                raise UndefinedValue("an expression with a choice of signs has more than one value")
