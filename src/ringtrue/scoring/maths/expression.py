"""Sums, products and powers."""

from __future__ import annotations

from ringtrue.scoring.maths.cursor import END
from ringtrue.scoring.maths.limits import MAX_DEPTH, Beyond, Unreadable
from ringtrue.scoring.maths.literals import number_in_base
from ringtrue.scoring.maths.operands import Operands, scalar
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Add,
    Answer,
    Combination,
    Degrees,
    Divide,
    Exponentiation,
    FiniteSet,
    FunctionCall,
    Multiply,
    Negative,
    Number,
    Percent,
    PlusMinus,
    Scalar,
    Symbol,
)
from ringtrue.scoring.maths.vocabulary import SCALES

_SIGNS = ("+", "-", "+-", "-+")
_BEHIND = frozenset(("^", "_", "!", "%", "'"))


class Expressions(Operands):
    """Reads arithmetic; a sum of one term may be any structure."""

    def sum(self) -> Answer:
        """Terms joined by plus, minus and plus-minus."""
        first = self.signed_term()
        terms: list[Scalar] = []
        while self.sign() in _SIGNS:
            if not isinstance(first, SCALARS):
                return self.difference(first)
            terms.append(scalar(self.signed_term()))
        return Add((scalar(first), *terms)) if terms else first

    def difference(self, first: Answer) -> Answer:
        """The minus sign before a set in braces takes it from the set in front."""
        if not self.accept("operator", "-"):
            raise Unreadable("structures are not added")
        second = self.signed_term()
        if not isinstance(second, FiniteSet):
            raise Unreadable("only a set is taken from a set")
        return Combination("difference", first, second)

    def signed_term(self) -> Answer:
        """A term with the signs in front of it."""
        negative = False
        choice = 0
        while self.sign() in _SIGNS:
            sign = self.next().value
            if sign == "-":
                negative = not negative
            elif sign != "+":
                choice = 1 if sign == "+-" else -1
        term = self.term()
        if choice:
            return PlusMinus(scalar(term), choice)
        return Negative(scalar(term)) if negative else term

    def term(self) -> Answer:
        """Factors joined by multiplication, division or nothing, from left to right."""
        first = self.factor()
        above: list[Scalar] = []
        below: list[Scalar] = []
        while True:
            sign = self.sign()
            if sign == "*" or self.times():
                self.at += 1
                above.append(scalar(self.signed_factor()))
            elif sign == "/" and not self.per_word():
                self.at += 1
                below.append(scalar(self.signed_factor()))
            elif self.joins():
                above.append(scalar(self.factor()))
            else:
                break
        if not above and not below:
            return first
        top = Multiply((scalar(first), *above)) if above else scalar(first)
        if not below:
            return top
        return Divide(top, below[0] if len(below) == 1 else Multiply(tuple(below)))

    def per_word(self) -> bool:
        """Whether a slash at the cursor comes before a word, as in 18,000/year."""
        following = self.peek(1)
        if following.kind == "text":
            return True
        self.at += 1
        wordy = following.kind == "word" and self.letters() is None
        self.at -= 1
        return wordy

    def times(self) -> bool:
        """Whether the letter x at the cursor is a multiplication sign: it is between two numbers."""
        token = self.peek()
        between = self.tokens[self.at - 1].kind == "number" and self.peek(1).kind == "number"
        return token.kind == "word" and token.value in ("x", "X") and between

    def factor(self) -> Answer:
        """An operand with what is written behind it: powers, subscripts, factorials, percent and degree signs."""
        operand = self.atom()
        for _ in range(MAX_DEPTH):
            token = self.peek()
            if token.kind == "operator" and token.value in _BEHIND:
                self.at += 1
                operand = self.after(scalar(operand), token.value)
            elif token.kind == "command" and token.value == "circ":
                self.at += 1
                operand = Degrees(scalar(operand))
            elif token.kind in ("word", "text") and token.value.lower() in SCALES:
                self.at += 1
                scale = SCALES[token.value.lower()]
                operand = Multiply((scalar(operand), Number(scale))) if scale > 1 else Percent(scalar(operand))
            else:
                return operand
        raise Beyond(f"more than {MAX_DEPTH} signs follow one operand")

    def after(self, operand: Scalar, sign: str) -> Scalar:
        if sign == "^":
            return self.parse_power(operand)
        if sign == "%":
            return Percent(operand)
        if sign == "!":
            return FunctionCall("factorial", (operand,))
        if sign == "_":
            return self.parse_subscript(operand)
        if isinstance(operand, Symbol):
            return Symbol(operand.name + "'")
        raise Unreadable("a prime follows no symbol")

    def parse_power(self, base: Scalar) -> Scalar:
        if self.accept("command", "circ"):
            return Degrees(base)
        if self.peek().value == "{" and self.peek(1).value == "circ" and self.peek(2).value == "}":
            self.at += 3
            return Degrees(base)
        if self.accept("operator", "'"):
            return self.after(base, "'")
        return Exponentiation(base, self.exponent())

    def exponent(self) -> Scalar:
        """Return the tree after a power sign; powers of powers are read from the right."""
        self.deeper()
        negative = False
        while self.sign() in ("+", "-"):
            negative ^= self.next().value == "-"
        exponent = scalar(self.single(whole_number=True))
        if self.accept("operator", "^"):
            exponent = Exponentiation(exponent, self.exponent())
        self.depth -= 1
        return Negative(exponent) if negative else exponent

    def parse_subscript(self, operand: Scalar) -> Scalar:
        if isinstance(operand, Number):
            digits = self.tokens[self.at - 2].value
            return number_in_base(digits, self.subscript())
        if isinstance(operand, Symbol):
            return Symbol(f"{operand.name}_{self.subscript()}")
        raise Unreadable("a subscript follows neither a symbol nor a number")

    def subscript(self) -> str:
        """The text of a subscript, without its braces."""
        if not self.accept("open", "{", "("):
            return self.next().value
        written = []
        while self.peek().kind not in ("close", END.kind):
            written.append(self.next().value)
        self.next()
        return "".join(written)
