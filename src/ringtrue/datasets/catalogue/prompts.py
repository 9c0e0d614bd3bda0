"""Instructions for the form of an answer, in the words that the evaluators read best."""

from __future__ import annotations

import random
from collections.abc import Sequence
from string import ascii_uppercase

SHORT = "Answer with a few words alone, without a sentence around them."
SUMMARY_ALONE = "Reply with the summary alone."
OWN_WORDS = "The judge is told the authors' rules in other words than theirs."
"""How a grade by `short_answer_judge` differs from that of a benchmark's authors."""


def asking(question: str, instruction: str) -> str:
    """A question and, after a blank line, the form its answer is to have."""
    return f"{question.strip()}\n\n{instruction}"


def with_options(question: str, options: Sequence[str]) -> str:
    """A question with its options, lettered from A, and the request for a letter."""
    letters = ", ".join(ascii_uppercase[: len(options)])
    return (
        f'{listed_options(question, options)}\n\nEnd your reply with a line "Answer: X", where X is one of {letters}.'
    )


def listed_options(question: str, options: Sequence[str]) -> str:
    """A question with its options, lettered from A."""
    listed = "\n".join(f"{letter(place)}) {option}" for place, option in enumerate(options))
    return f"{question.strip()}\n\n{listed}"


def letter(place: int) -> str:
    """The letter of the option at a place; the first is A."""
    return ascii_uppercase[place]


def shuffled_options(options: Sequence[str], correct: int, key: str) -> tuple[list[str], int]:
    """The options in an order that `key` decides, and where the correct one now is."""
    order = list(range(len(options)))
    random.Random(key).shuffle(order)  # a text seeds the same order in every process, which hash() does not
    return [options[place] for place in order], order.index(correct)


def passages(titles: Sequence[str], texts: Sequence[str]) -> str:
    """Titled passages, a blank line between them."""
    return "\n\n".join(f"{title}: {text}" for title, text in zip(titles, texts, strict=True))
