"""Answers: lists, sets, intervals, matrices, relations and quantities made of expressions."""

from __future__ import annotations

from itertools import pairwise
from typing import Literal

from ringtrue.scoring.maths.cursor import END
from ringtrue.scoring.maths.expression import Expressions
from ringtrue.scoring.maths.latex import Token, tokens
from ringtrue.scoring.maths.limits import MAX_DEPTH, MAX_ITEMS, Beyond, Unreadable
from ringtrue.scoring.maths.operands import scalar
from ringtrue.scoring.maths.tree import (
    Answer,
    Builder,
    Combination,
    Divide,
    FiniteSet,
    FunctionCall,
    Group,
    Listing,
    Matrix,
    Quantity,
    Ratio,
    Relation,
    Symbol,
    Words,
    nodes,
)

_RELATIONS = frozenset(("=", "<", ">", "<=", ">=", "!=", "~", "in"))
_SETS = frozenset(("union", "intersection", "difference"))
_MATRICES = frozenset(("pmatrix", "bmatrix", "matrix", "Bmatrix", "smallmatrix", "array"))
_SYSTEMS = frozenset(("cases", "aligned", "align", "gathered"))
_CLOSING = {"(": (")", "]"), "[": ("]", ")"), "{": ("}",), r"\{": (r"\}",), "<": (">",), "floor": ("floor",)}
_MOST_WORDS = 8


def parse(text: str) -> Answer:
    """The answer that a text in ASCII notation states; prose and broken notation raise Unreadable."""
    found = tokens(text)
    steps = [place for place, token in enumerate(found) if token.kind == "operator" and token.value == "=>"]
    found = found[steps[-1] + 1 :] if steps else found
    outward = text.count("[") != text.count("]") or -1 < text.find("]") < text.find("[")
    reader = _Answers(_turned_round(found) if outward else found)
    answer = reader.answer()
    answer = reader.infix(answer) or answer
    if reader.peek() is not END:
        raise Unreadable(f"{reader.peek().value!r} is out of place")
    return answer


def _turned_round(found: list[Token]) -> list[Token]:
    """The same tokens with round brackets where open ends are written as square ones that face outward: `]0, 1[`."""
    turned: list[Token] = []
    separated: list[bool] = []
    for token, following in pairwise((*found, END)):
        if token.kind == "open" and token.value == "[" and separated[-1:] == [True] and _ends_set(following):
            token = Token("close", ")", token.spaced)
        elif token.kind == "close" and token.value == "]" and not separated:
            token = Token("open", "(", token.spaced)
        if token.kind == "open":
            separated.append(False)
        elif token.kind == "close" and separated:
            del separated[-1]
        elif token.value == "," and separated:
            separated[-1] = True
        turned.append(token)
    return turned


def _ends_set(following: Token) -> bool:
    return following is END or following.value in _SETS or following.value in (",", "and", "or", "U")


class _Answers(Expressions):
    colons_end = False

    def answer(self) -> Answer:
        """Members joined by commas, `and`, `or`; one alone is itself."""
        items, joint = self.items()
        return items[0] if len(items) == 1 else Listing(items, joint)

    def items(self) -> tuple[tuple[Answer, ...], Literal[",", "and", "or"]]:
        joint: Literal[",", "and", "or"] = ","
        members = [self.member()]
        while True:
            found = self.joints()
            if not found:
                break
            if "or" in found or "and" in found:
                joint = "or" if "or" in found else "and"
            if self.peek().kind in ("close", END.kind):
                break
            members.append(self.member())
            if len(members) > MAX_ITEMS:
                raise Beyond(f"the answer has more than {MAX_ITEMS} items")
        return tuple(members), joint

    def joints(self) -> list[str]:
        found: list[str] = []
        while True:
            token = self.peek()
            word = token.value.lower()
            joins = word in ("and", "or") if token.kind in ("word", "text") else self.sign() in (",", "and", "or")
            if not joins:
                return found
            found.append(word)
            self.at += 1

    # --- relations

    def member(self) -> Answer:
        """An expression, a chain of relations, a ratio, or a value with the words behind it."""
        while self.sign() in ("=", "~"):
            self.at += 1
        members = [self.side()]
        operators: list[str] = []
        while self.sign() in _RELATIONS:
            operators.append(self.next().value)
            members.append(self.side())
        if "~" in operators:
            # What is only near the value in front of it says nothing new, unless a bare name is in front.
            at = operators.index("~")
            exact = at > 0 or not isinstance(members[0], Symbol | Words)
            members = members[: at + 1] if exact else [members[0], members[-1]]
            operators = operators[:at] if exact else ["="]
        return Relation(tuple(members), tuple(operators)) if operators else members[0]

    def side(self) -> Answer:
        self.currency = ""
        left = self.words() if self.peek().kind == "text" else self.with_words(self.sum())
        for _ in range(MAX_DEPTH):
            sign = self.sign()
            if sign in _SETS:
                self.at += 1
                left = Combination(sign, left, self.sum())
            elif self.union():
                self.at += 1
                left = Combination("union", left, self.sum())
            else:
                return left
        raise Beyond(f"more than {MAX_DEPTH} sets are joined")

    def with_words(self, value: Answer) -> Answer:
        """A value, with the words behind it where there are some."""
        token = self.peek()
        if token.kind == "currency" and not self.currency:
            self.at += 1
            self.currency, token = token.value, self.peek()
        if token.kind == "operator" and token.value == ":" and not self.colons_end:
            return self.ratio(value)
        if token.kind == "command" and token.value in ("pmod", "mod", "bmod"):
            self.at += 1
            self.single(whole_number=True)
            return value
        worded = token.kind in ("text", "word") and token.value.lower() not in ("and", "or") and not self.union()
        if not worded and token[:2] != ("operator", "/"):
            return Quantity(scalar(value), self.currency) if self.currency else value
        words = self.words().text
        if all(isinstance(node, Symbol) for node in nodes(scalar(value))):
            raise Unreadable("letters before words are prose")
        return Quantity(scalar(value), f"{self.currency} {words}".strip())

    def union(self) -> bool:
        return self.peek().value == "U" and self.peek(1).kind == "open"

    def words(self) -> Words:
        """Words up to the next comma or relation; a number among them, but for a power, means that they are prose."""
        written = ""
        count = inside = 0
        while True:
            token = self.peek()
            if token.kind in ("text", "word"):
                if token.value.lower() in ("and", "or") and count:
                    break
                count += 1
            elif token.kind == "number":
                if not written.rstrip("{- ").endswith("^"):
                    raise Unreadable("there are numbers between words")
            elif token.kind == "open":
                inside += 1
            elif token.kind == "close" and inside:
                inside -= 1
            elif self.sign() not in ("^", "/", "-", "'", "*"):
                break
            written += (" " if token.spaced else "") + token.value
            self.at += 1
        if count > _MOST_WORDS:
            raise Unreadable("the words are prose")
        return Words(written.strip())

    def ratio(self, first: Answer) -> Ratio:
        terms = [scalar(first)]
        start = self.at - 1
        while self.accept("operator", ":"):
            terms.append(scalar(self.sum()))
        minutes = self.tokens[start + 2].value
        clock = len(terms) == 2 and len(minutes) == 2 and minutes.isdigit() and minutes < "60"
        words = self.words().text.lower() if self.peek().kind in ("text", "word") else ""
        return Ratio(tuple(terms), clock, words if words in ("am", "pm") else "")

    # --- brackets

    def parse_brackets(self, opening: Token) -> Answer:
        if opening.value == r"\{":
            return self.braces()
        if opening.value in ("floor", "ceil"):
            inner = scalar(self.sum())
            if not self.accept("close", opening.value):
                raise Unreadable("a rounding bracket is not closed")
            return FunctionCall(opening.value, (inner,))
        bars, self.bars = self.bars, 0
        colons, self.colons_end = self.colons_end, False
        items, _ = self.items()
        infix = self.infix(items[0])
        closing = self.next()
        self.bars, self.colons_end = bars, colons
        if closing.kind != "close" or closing.value not in _CLOSING[opening.value]:
            raise Unreadable(f"{opening.value!r} is not closed")
        if infix is not None:
            return infix
        if len(items) == 1:
            if closing.value != _CLOSING[opening.value][0]:
                raise Unreadable("an interval has two ends")
            return items[0]
        return Listing(items, ",") if opening.value == "{" else Group(opening.value, items, closing.value)

    def infix(self, above: Answer) -> Answer | None:
        """The old forms `{a \\over b}` and `{n \\choose k}`."""
        name = self.peek().value
        if self.peek().kind != "command" or name not in ("over", "choose"):
            return None
        self.at += 1
        below = scalar(self.sum())
        return Divide(scalar(above), below) if name == "over" else FunctionCall("binom", (scalar(above), below))

    def braces(self) -> Answer:
        """A set: listed, or built by a condition."""
        if self.accept("close", r"\}"):
            return FiniteSet(())
        bars, self.bars = self.bars, 1
        colons, self.colons_end = self.colons_end, True
        items, _ = self.items()
        condition: Answer | None = None
        if len(items) == 1 and self.sign() in ("|", ":"):
            self.at += 1
            self.bars = 0
            condition = self.answer()
        self.bars, self.colons_end = bars, colons
        if not self.accept("close", r"\}"):
            raise Unreadable("a set is not closed")
        return FiniteSet(items) if condition is None else Builder(items[0], condition)

    def environment(self, name: str) -> Answer:
        if name in _SYSTEMS:
            return self.system(name)
        if name not in _MATRICES:
            raise Unreadable(f"the environment {name!r} is not understood")
        if name == "array" and self.accept("open", "{"):
            while self.next().kind not in ("close", END.kind):
                pass
        rows: list[tuple[Answer, ...]] = []
        row: list[Answer] = []
        while not self.accept("end", name):
            if self.accept("operator", "row"):
                rows.append(tuple(row))
                row = []
            elif not self.accept("operator", "&"):
                row.append(self.side())
            if len(rows) * max(1, len(row)) > MAX_ITEMS:
                raise Beyond(f"the matrix has more than {MAX_ITEMS} entries")
        rows = [*rows, tuple(row)] if row else rows
        if not rows or len({len(each) for each in rows}) != 1 or not rows[0]:
            raise Unreadable("the rows of a matrix are equally long")
        return Matrix(tuple(rows))

    def system(self, name: str) -> Answer:
        """Relations one under another; anything else in such an environment is a function by cases."""
        # The signs that align the relations are in their middle.
        self.tokens[self.at :] = [token for token in self.tokens[self.at :] if token.value != "&"]
        members: list[Answer] = []
        while not self.accept("end", name):
            if not self.accept("operator", "row", ","):
                members.append(self.member())
        if not members or not all(isinstance(member, Relation) for member in members):
            raise Unreadable("a function by cases is not compared")
        return Listing(tuple(members), "and")
