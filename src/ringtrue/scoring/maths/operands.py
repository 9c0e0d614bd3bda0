"""Operands: numbers, symbols, fractions, roots and functions."""

from __future__ import annotations

from abc import ABC, abstractmethod
from fractions import Fraction

from ringtrue.scoring.maths import vocabulary as known
from ringtrue.scoring.maths.cursor import Cursor
from ringtrue.scoring.maths.latex import Token
from ringtrue.scoring.maths.limits import Unreadable
from ringtrue.scoring.maths.literals import literal, repeating
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Answer,
    Constant,
    Divide,
    Exponentiation,
    FiniteSet,
    FunctionCall,
    Group,
    Multiply,
    Negative,
    Number,
    Scalar,
    Symbol,
)

_MINUS_ONE = Negative(Number(Fraction(1)))
_INFIX = ("circ", "over", "choose", "pmod", "bmod", "mod")


class Operands(Cursor, ABC):
    """Reads one operand; sums and brackets are read by the subclasses."""

    def __init__(self, tokens: list[Token]) -> None:
        super().__init__(tokens)
        self.bars = 0
        self.currency = ""

    @abstractmethod
    def sum(self) -> Answer:
        """Terms joined by plus and minus."""

    @abstractmethod
    def factor(self) -> Answer:
        """An operand with its powers."""

    @abstractmethod
    def exponent(self) -> Scalar:
        """Return the tree after a power sign."""

    @abstractmethod
    def parse_brackets(self, opening: Token) -> Answer:
        """Return the tree between brackets, the opening one already read."""

    @abstractmethod
    def environment(self, name: str) -> Answer:
        """The matrix in an environment, its beginning already read."""

    def atom(self) -> Answer:
        """One operand."""
        self.deeper()
        token = self.next()
        operand: Answer
        if token.kind == "number":
            operand = self.number(token)
        elif token.kind == "word":
            operand = self.word(token)
        elif token.kind == "command":
            operand = self.command(token.value)
        elif token.kind == "open":
            operand = self.parse_brackets(token)
        elif token.kind == "begin":
            operand = self.environment(token.value)
        elif token.kind == "currency":
            self.currency = token.value
            operand = self.signed_factor()
        elif token == ("operator", "|", token.spaced):
            operand = self.magnitude()
        elif token == ("operator", "...", token.spaced):
            operand = Symbol("...")
        else:
            raise Unreadable(f"{token.value or token.kind!r} is where an operand should be")
        self.depth -= 1
        return operand

    def signed_factor(self) -> Answer:
        """A factor that may have signs of its own, as in `3 * -2`."""
        negative = False
        while self.sign() in ("+", "-"):
            negative ^= self.next().value == "-"
        factor = self.factor()
        return Negative(scalar(factor)) if negative else factor

    def single(self, *, whole_number: bool = False) -> Answer:
        """One argument as TeX takes it: a brace group, a command, or one digit or letter of a longer run."""
        token = self.peek()
        if token.kind == "number":
            digits = token.value
            if whole_number or len(digits) == 1 or not digits.isdigit():
                self.at += 1
                return literal(digits)
            self.tokens[self.at] = Token("number", digits[1:], False)
            return literal(digits[0])
        if token.kind == "word" and len(token.value) > 1 and token.value not in known.CONSTANTS:
            self.tokens[self.at] = Token("word", token.value[1:], False)
            return letter(token.value[0])
        return self.atom()

    def magnitude(self) -> Scalar:
        self.bars += 1
        inner = scalar(self.sum())
        self.bars -= 1
        if not self.accept("operator", "|"):
            raise Unreadable("an absolute value is not closed")
        return FunctionCall("abs", (inner,))

    # --- numbers

    def number(self, token: Token) -> Scalar:
        number = literal(token.value)
        following = self.peek()
        if "." in token.value:
            return self.repetend(token.value) or number
        if following.kind == "command" and following.value == "frac":
            return self.parse_mixed_number(number)
        if following.kind == "number" and following.spaced and self.peek(1).value == "/":
            part, whole = literal(following.value), self.peek(2)
            if whole.kind == "number" and whole.value.isdigit() and proper(part, literal(whole.value)):
                self.at += 3
                return Number(number.value + part.value / int(whole.value))
        return number

    def parse_mixed_number(self, whole: Number) -> Scalar:
        """A whole number before a proper fraction of integers is a mixed number; before any other it is a factor."""
        start, tokens = self.at, list(self.tokens)
        self.at += 1
        fraction = self.fraction()
        match fraction:
            case Divide(Number() as part, Number() as parts) if proper(part, parts):
                return Number(whole.value + part.value / parts.value)
        self.at, self.tokens = start, tokens
        return whole

    def repetend(self, digits: str) -> Number | None:
        """The number of a decimal with a repeated part: overlined, dotted, in round brackets, or cut by an ellipsis."""
        if self.accept("operator", "..."):
            return repeating(digits, "")
        start = self.at
        marked = self.accept("command", "overline", "bar", "dot")
        opening, inner, closing = self.peek(), self.peek(1), self.peek(2)
        if marked and opening.kind == "number":
            self.at += 1
            return repeating(digits, opening.value)
        bracketed = opening.kind == "open" and inner.value.isdigit() and closing.kind == "close"
        if bracketed and (marked or (opening.value == "(" and not opening.spaced and digits.startswith("0."))):
            self.at += 3
            return repeating(digits, inner.value)
        self.at = start
        return None

    # --- names

    def word(self, token: Token) -> Scalar:
        name = token.value
        if name in known.FUNCTIONS and self.peek().kind in ("open", "number", "word", "command", "operator"):
            return self.function(known.FUNCTIONS[name])
        self.at -= 1
        letters = self.letters()
        if letters is None:
            raise Unreadable(f"{name!r} is a word")
        self.at += 1
        if len(letters) > 1:
            self.tokens[self.at - 1 : self.at] = [Token("word", each, False) for each in letters]
        return letter(letters[0])

    def command(self, name: str) -> Answer:
        if name == "frac":
            return self.fraction()
        if name == "binom":
            return FunctionCall("binom", (scalar(self.single()), scalar(self.single())))
        if name in known.FUNCTIONS:
            return self.function(known.FUNCTIONS[name])
        if name in known.CONSTANTS:
            return Constant(known.CONSTANTS[name])
        if name == "emptyset":
            return FiniteSet(())
        if name in ("overline", "bar"):
            inner = self.single()
            return (
                Symbol(f"overline {inner.name}")
                if isinstance(inner, Symbol)
                else FunctionCall("conjugate", (scalar(inner),))
            )
        if name in _INFIX:
            raise Unreadable(f"\\{name} has no operand")
        return Symbol(name)

    def fraction(self) -> Scalar:
        return Divide(scalar(self.single()), scalar(self.single()))

    # --- functions

    def function(self, name: str) -> Scalar:
        self.deeper()
        index: Scalar | None = None
        power: Scalar | None = None
        if name == "sqrt" and self.accept("open", "["):
            index = scalar(self.sum())
            if not self.accept("close", "]"):
                raise Unreadable("the index of a root is not closed")
        elif name == "log" and self.accept("operator", "_"):
            index = scalar(self.single(whole_number=True))
        if name not in ("sqrt", "cbrt") and self.accept("operator", "^"):
            power = self.exponent()
        arguments = self.arguments(name)
        self.depth -= 1
        if index is not None:
            arguments = (*arguments, index)
        if power == _MINUS_ONE and name in known.INVERSES:
            return FunctionCall(known.INVERSES[name], arguments)
        call = FunctionCall(name, arguments)
        return call if power is None else Exponentiation(call, power)

    def arguments(self, name: str) -> tuple[Scalar, ...]:
        token = self.peek()
        if token.kind == "open" and token.value in ("(", "{", "["):
            self.at += 1
            inner = self.parse_brackets(token)
            return tuple(scalar(item) for item in inner.items) if isinstance(inner, Group) else (scalar(inner),)
        if name in ("sqrt", "cbrt"):
            return (scalar(self.single(whole_number=True)),)
        factors = [scalar(self.signed_factor())]
        while self.joins() and not self.calls():
            factors.append(scalar(self.factor()))
        return (factors[0] if len(factors) == 1 else Multiply(tuple(factors)),)

    def calls(self) -> bool:
        """Whether a function other than a root is at the cursor: `sin x cos x` is a product of two."""
        return self.peek().value in known.FUNCTIONS and self.peek().value not in ("sqrt", "root")

    def joins(self) -> bool:
        """Whether the token at the cursor may follow a factor without a sign between them."""
        token = self.peek()
        if token.kind == "word":
            return self.letters() is not None
        if token.kind == "command":
            return token.value not in _INFIX
        if token.kind == "open":
            return token.value != "["
        if token.kind == "number":
            return self.tokens[self.at - 1].value == "!"
        return token.kind == "operator" and token.value == "|" and not self.bars


def scalar(answer: Answer) -> Scalar:
    """The answer as an operand of arithmetic; a structure is none."""
    if isinstance(answer, SCALARS):
        return answer
    raise Unreadable(f"a {type(answer).__name__.lower()} is not an operand")


def letter(name: str) -> Scalar:
    """The constant or variable that a name stands for."""
    if name in ("e", "i"):
        return Constant(name)
    return Constant(known.CONSTANTS[name]) if name in known.CONSTANTS else Symbol(name)


def proper(part: Number, whole: Number) -> bool:
    """Whether two literals make a proper fraction of positive integers."""
    return part.places is None and whole.places is None and 0 < part.value < whole.value
