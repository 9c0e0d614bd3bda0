"""Shared n-grams are counted alike by searching and by counting."""

from __future__ import annotations

from collections import Counter

from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.overlap.ngrams import _by_counting, _by_searching, shared_characters, shared_tokens

TOKENS = st.lists(st.sampled_from(["a", "b", "cat", "\0", "\1"]), max_size=20)


def by_definition(hypothesis: list[str], references: list[list[str]], order: int) -> int:
    def grams(tokens: list[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(tokens[i : i + order]) for i in range(len(tokens) - order + 1))

    allowed: Counter[tuple[str, ...]] = Counter()
    for reference in references:
        allowed |= grams(reference)
    return sum((grams(hypothesis) & allowed).values())


@given(TOKENS, st.lists(TOKENS, min_size=1, max_size=3), st.integers(1, 5))
def test_tokens(hypothesis: list[str], references: list[list[str]], max_order: int) -> None:
    expected = [by_definition(hypothesis, references, order) for order in range(1, max_order + 1)]
    assert shared_tokens(hypothesis, references, max_order) == expected
    assert _by_counting(hypothesis, references, max_order) == expected


@given(st.text("ab\0\1", max_size=20), st.text("ab\0\1", max_size=20), st.integers(1, 6))
def test_characters(hypothesis: str, reference: str, max_order: int) -> None:
    expected = [by_definition(list(hypothesis), [list(reference)], order) for order in range(1, max_order + 1)]
    assert shared_characters(hypothesis, reference, max_order) == expected
    assert _by_searching(hypothesis, [reference], max_order) == expected
    assert _by_counting(hypothesis, [reference], max_order) == expected


def test_long_texts_are_counted() -> None:
    text = "ab" * 300
    assert shared_characters(text, text, 3) == [600, 599, 598]
    assert shared_characters("日本" * 300, "日本" * 200, 2) == [400, 399]
    distinct = "".join(map(chr, range(0x4E00, 0x4E00 + 600)))
    assert shared_characters(distinct + "a", distinct, 3) == [600, 599, 598]
    words = [str(number) for number in range(3_000)]
    assert shared_tokens(words, [words[:2_000], words], 2) == [3_000, 2_999]
