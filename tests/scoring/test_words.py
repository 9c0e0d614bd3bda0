"""Word tokens, as NLTK 3.8.1's word_tokenize cuts them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.prose.word_tokens import split_words

# Made with nltk 3.8.1: nltk.word_tokenize(text).
TOKENS = [
    (
        "Good muffins cost $3.88 (in New York).",
        ["Good", "muffins", "cost", "$", "3.88", "(", "in", "New", "York", ")", "."],
    ),
    ("I can't, won't and CANNOT go.", ["I", "ca", "n't", ",", "wo", "n't", "and", "CAN", "NOT", "go", "."]),
    ('She said "hi" -- then left...', ["She", "said", "``", "hi", "''", "--", "then", "left", "..."]),
    (
        "'Tis the U.S.A.'s flag; we're DON'T sure.",
        ["'T", "is", "the", "U.S.A.", "'s", "flag", ";", "we", "'re", "DO", "N'T", "sure", "."],
    ),
    (
        "gonna wanna GIMME 3,000 e.g. a:b c@d 50%",
        ["gon", "na", "wan", "na", "GIM", "ME", "3,000", "e.g", ".", "a", ":", "b", "c", "@", "d", "50", "%"],
    ),
    ("«Bonjour» “hello” ‘yes’", ["«", "Bonjour", "»", "“", "hello", "”", "‘", "yes", "’"]),
    (
        "It's John's. They'll go; I'd say so.",
        ["It", "'s", "John", "'s", ".", "They", "'ll", "go", ";", "I", "'d", "say", "so", "."],
    ),
    ("A.B. C.", ["A.B", ".", "C", "."]),
    ("``x'' and ''y''", ["``", "x", "''", "and", "``", "y", "''"]),
    ("end.'", ["end", ".", "'"]),
    ("**Bold** and *it*", ["*", "*", "Bold", "*", "*", "and", "*", "it", "*"]),
    ("[a] {b} <c>", ["[", "a", "]", "{", "b", "}", "<", "c", ">"]),
    ("D'YE know? MORE'N that", ["D", "'YE", "know", "?", "MORE", "'N", "that"]),
]


@pytest.mark.parametrize(("text", "tokens"), TOKENS)
def test_cuts_as_nltk(text: str, tokens: list[str]) -> None:
    assert split_words(text) == tokens


@given(st.text(st.characters(exclude_characters="\"'")))
def test_only_space_is_added(text: str) -> None:
    """Without quotation marks, which have their own signs, tokens hold what the text holds, in order."""
    assert "".join(split_words(text)) == "".join(text.split())
