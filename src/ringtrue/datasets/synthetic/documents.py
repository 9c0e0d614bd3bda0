"""A question about one or a few of many documents (RULER, questions)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from ringtrue.datasets.synthetic.example import Example
from ringtrue.datasets.synthetic.fitting import largest_within

REPLY = 32
"""Tokens that the authors leave for the reply."""


class DocumentQuestion(NamedTuple):
    """A question, its accepted answers, the documents it is about, and those near them, which come before others."""

    text: str
    answers: list[str]
    about: list[str]
    near: list[str]


def question_among(tokens: int, key: str, question: DocumentQuestion, documents: Sequence[str]) -> Example:
    """The question with as many documents as fit into the tokens, reply included, in an order that `key` decides."""
    own = {*question.about, *question.near}
    strangers = [document for document in documents if document not in own]
    random.Random(key).shuffle(strangers)
    near = list(question.near)
    random.Random(f"{key}:near").shuffle(near)
    ranked = [*question.about, *near, *strangers]
    make = partial(_make, key, question, ranked)
    return largest_within(tokens - REPLY, make, lambda example: example.text, least=len(question.about))[0]


def _make(key: str, question: DocumentQuestion, ranked: Sequence[str], units: int) -> Example:
    shown = list(ranked[:units])
    random.Random(f"{key}:order").shuffle(shown)
    context = "\n\n".join(f"Document {place}:\n{document}" for place, document in enumerate(shown, 1))
    asked = f"{question.text}\nAnswer from the documents, with the answer alone."
    return Example(context, asked, question.answers)
