"""Answers in their plainest form."""

from __future__ import annotations

import re

from ringtrue.scoring.maths.numerals import number_words, written_number
from ringtrue.scoring.maths.operands import letter
from ringtrue.scoring.maths.signs import values
from ringtrue.scoring.maths.tree import (
    SCALARS,
    Answer,
    FiniteSet,
    Group,
    Listing,
    Matrix,
    Number,
    Quantity,
    Symbol,
    Words,
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
