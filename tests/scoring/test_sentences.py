"""Sentences, as NLTK 3.8.1 with the English Punkt parameters splits them."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.scoring.prose.sentences import count_sentences, split_sentences

# Made with nltk 3.8.1: nltk.sent_tokenize(text).
SPLIT = [
    ("", []),
    ("   ", []),
    ("Hello", ["Hello"]),
    ("Hello. World.", ["Hello.", "World."]),
    ("Dr. Smith paid $3.50 to the U.S. office. He left.", ["Dr. Smith paid $3.50 to the U.S. office.", "He left."]),
    ('He said "Stop." Then he left.', ['He said "Stop."', "Then he left."]),
    ("(It works.) Yes.", ["(It works.)", "Yes."]),
    ("Wait... what? Really?! Yes!!! No.", ["Wait... what?", "Really?!", "Yes!!!", "No."]),
    ("One. two. three.", ["One.", "two.", "three."]),
    ("1. First item\n2. Second item", ["1.", "First item\n2.", "Second item"]),
    ("I met J. Bach. He waved.", ["I met J. Bach.", "He waved."]),
    ("See e.g. Fig. 3. It helps.", ["See e.g.", "Fig.", "3.", "It helps."]),
    ("It costs 5 p.m. today. Fine.", ["It costs 5 p.m. today.", "Fine."]),
    ("No space.After the dot. Ok", ["No space.After the dot.", "Ok"]),
    ("A . . . B. C", ["A .", ".", ".", "B.", "C"]),
    ("The end.)\n\nNext.", ["The end.)", "Next."]),
    ("word.\xa0Next one. Last", ["word.", "Next one.", "Last"]),
    ("a! b? c.", ["a!", "b?", "c."]),
    ("He left at 5 p.m. Then we ate.", ["He left at 5 p.m. Then we ate."]),
    ("Mr. and Mrs. Jones live in St. Louis.", ["Mr. and Mrs. Jones live in St. Louis."]),
    ("“Quoted.” Next.", ["“Quoted.” Next."]),
    ("'Tis over.' He left.", ["'Tis over.'", "He left."]),
    ("etc. and so on. Done", ["etc.", "and so on.", "Done"]),
    ("x -- y. -- z", ["x -- y.", "-- z"]),
    ('end."-- he said. Ok', ['end."', "-- he said.", "Ok"]),
    ("Ends with abbr etc.", ["Ends with abbr etc."]),
    ("No. 5 is alive. No. It is not.", ["No.", "5 is alive.", "No.", "It is not."]),
    ("\n. \n.\n a", ["\n.", ".", "a"]),
]

parts = [*".?! \n\"')]}aB1-,;:*éЖ\u00a0", "Mr.", " e.g. ", "..", "p.m. ", "J. ", "12. "]
awkward = st.lists(st.sampled_from(parts), max_size=50).map("".join)


@pytest.mark.parametrize(("text", "sentences"), SPLIT)
def test_splits_as_nltk(text: str, sentences: list[str]) -> None:
    assert split_sentences(text) == sentences


@given(st.text() | awkward)
def test_nothing_but_space_is_lost(text: str) -> None:
    """All characters that are not space are in a sentence, in order."""
    assert "".join("".join(split_sentences(text)).split()) == "".join(text.split())


@given(awkward, st.integers(0, 8))
def test_a_count_stops_at_its_limit(text: str, limit: int) -> None:
    """A limited count is the smaller of the count and the limit."""
    assert count_sentences(text, limit) == min(limit, len(split_sentences(text)))
