"""Edit similarity."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.overlap.edits import levenshtein_similarity


def by_the_book(first: str, second: str) -> int:
    row = list(range(len(second) + 1))
    for i, letter in enumerate(first, 1):
        diagonal, row[0] = row[0], i
        for j, other in enumerate(second, 1):
            diagonal, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, diagonal + (letter != other))
    return row[-1]


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [("kitten", "sitting", 4 / 7), ("", "", 1.0), ("", "a", 0.0), ("a\ud800", "a\ud801", 0.5), ("né", "ne", 0.5)],
)
def test_table(first: str, second: str, expected: float) -> None:
    assert levenshtein_similarity(first, second) == pytest.approx(expected)


@given(st.text("abé", max_size=12), st.text("abé", max_size=12))
def test_definition_range_and_symmetry(first: str, second: str) -> None:
    longer = max(len(first), len(second))
    expected = 1 - by_the_book(first, second) / longer if longer else 1.0
    assert levenshtein_similarity(first, second) == pytest.approx(expected)
    assert levenshtein_similarity(second, first) == levenshtein_similarity(first, second)


@given(st.text(), st.text())
def test_range_and_identity_on_any_text(first: str, second: str) -> None:
    assert 0.0 <= levenshtein_similarity(first, second) <= 1.0
    assert levenshtein_similarity(first, first) == 1.0
