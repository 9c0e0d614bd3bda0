"""BM25 against its formula, and what it is for: the passage that is meant comes first."""

from __future__ import annotations

from math import isclose, log

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.prose.bm25 import BM25, K1, B, terms

TEXTS = [
    "The bridge was opened in 1931.",
    "The company makes wooden clocks and more clocks.",
    "Nothing of that is known.",
    "巴黎是法国的首都。",
    "",
]


def by_hand(texts: list[str], query: str, number: int) -> float:
    words = [terms(text) for text in texts]
    average = sum(map(len, words)) / len(words)
    total = 0.0
    for term in set(terms(query)):
        containing = sum(term in one for one in words)
        idf = log(1 + (len(words) - containing + 0.5) / (containing + 0.5))
        count = words[number].count(term)
        total += idf * count * (K1 + 1) / (count + K1 * (1 - B + B * len(words[number]) / average)) if count else 0.0
    return total


WORDS = st.lists(st.sampled_from(["red", "green", "blue", "the"]), max_size=6).map(" ".join)


@given(st.lists(WORDS, min_size=1, max_size=6))
def test_formula(texts: list[str]) -> None:
    if not any(texts):
        return
    scores = BM25(texts).scores("red blue red")
    for number in range(len(texts)):
        assert isclose(scores.get(number, 0.0), by_hand(texts, "red blue red", number), abs_tol=1e-12)


@pytest.mark.parametrize(
    ("query", "best"),
    [("when did the bridge open", 0), ("a clock", 1), ("法国首都", 3)],
    ids=["other-ending", "plural", "chinese"],
)
def test_ranking(query: str, best: int) -> None:
    assert BM25(TEXTS).rank(query)[0] == best


def test_among_and_ties() -> None:
    index = BM25(["same words", "same words", "other"])
    assert index.rank("words") == [0, 1]
    assert index.rank("words", among=[1, 2]) == [1]
    assert index.rank("absent") == []
    assert BM25([]).rank("x") == []
