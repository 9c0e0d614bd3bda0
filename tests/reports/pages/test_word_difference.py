"""The pieces of both texts join to the texts, and the words that are not marked are the same in both."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.reports.pages.word_difference import NOTHING_IN_COMMON, TOO_LONG, word_difference

TEXTS = st.text(st.sampled_from("ab cé.\n’-1,日𝒳\ud800"), max_size=60)


@given(TEXTS, TEXTS)
def test_the_pieces_join_to_the_texts(first: str, second: str) -> None:
    found = word_difference(first, second)
    assert "".join(piece.text for piece in found.first) == first
    assert "".join(piece.text for piece in found.second) == second
    if first == second:
        assert not any(piece.changed for piece in (*found.first, *found.second))


def marks(first: str, second: str) -> tuple[list[str], list[str], str]:
    found = word_difference(first, second)
    changed = [[piece.text for piece in side if piece.changed] for side in (found.first, found.second)]
    return changed[0], changed[1], found.remark


@pytest.mark.parametrize(
    ("first", "second", "expected"),
    [
        ("It is Paris.", "It is Lyon.", (["Paris"], ["Lyon"], "")),
        ("on 13 May 2005 in Rome", "on 3 June 2005 in Rome", (["13 May"], ["3 June"], "")),
        ("the same", "the same", ([], [], "")),
        ("four words and more", "nothing like it", ([], [], NOTHING_IN_COMMON)),
        ("", "an answer", ([], [], "")),
        ("so so", "so so so", ([], ["so"], "")),
        ("It's 1,000 now", "It's 1,400 now", (["1,000"], ["1,400"], "")),
    ],
)
def test_which_words_are_marked(first: str, second: str, expected: tuple[list[str], list[str], str]) -> None:
    assert marks(first, second) == expected


def test_very_long_texts_say_that_they_are_not_compared() -> None:
    assert marks("a " * 5000, "a " * 5001) == ([], [], TOO_LONG)
