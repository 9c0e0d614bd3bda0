"""What a reply calls its answer is compared as written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.evaluators.final_answer import FinalAnswer, final_answer
from ringtrue.records import Case, Output, Score, Trial


def measured(reply: str, *expected: str) -> Score:
    return FinalAnswer().measure(Trial(Case(expected=expected or None), Output(reply)))


RIGHT = {
    "alone": ("False", "False"),
    "announced": ("Let's think. So the answer is False.", "False"),
    "the last one counts": ("The answer is True? No, the answer is False.", "False"),
    "bold": ("**The answer is False.**", "False"),
    "quoted": ('The answer is "False".', "False"),
    "after a colon": ("The answer is: 24", "24"),
    "an option": ("So the answer is (B).", "(B)"),
    "an option and its text": ("So the answer is (B) Tuesday.", "(B)"),
    "an option and why no other": ("So the answer is (B) because (A) is wrong.", "(B)"),
    "an option's letter": ("B", "(B)"),
    "the letter a": ("(A)", "(A)"),
    "brackets": ("So the answer is ] ] }.", "] ] }"),
    "a capital that grows in lower case": ("İİİ answer is 7.", "7"),
    "one of several": ("No", "Yes", "No"),
}


@pytest.mark.parametrize("row", RIGHT.values(), ids=RIGHT)
def test_right(row: tuple[str, ...]) -> None:
    assert measured(row[0], *row[1:]).value == 1.0


WRONG = {
    "other brackets": ("So the answer is ) ) ].", "] ] }"),
    "another option": ("So the answer is (B), not (A).", "(A)"),
    "case counts": ("the answer is no", "No"),
    "an article is no option": ("the", "(A)"),
    "one or the other": ("So the answer is (A) or (B).", "(A)"),
    "both": ("So the answer is (A) and (B).", "(A)"),
    "a list": ("So the answer is (A), (C), and (G).", "(A)"),
    "an option in passing": ("If we look at (A), it says that (B) is", "(A)"),
    "empty": ("", "False"),
}


@pytest.mark.parametrize("row", WRONG.values(), ids=WRONG)
def test_wrong(row: tuple[str, ...]) -> None:
    assert measured(row[0], *row[1:]).value == 0.0


def test_without_an_answer_there_is_nothing_to_measure() -> None:
    assert measured("x").status == "skipped"
    assert measured("x", "").status == "skipped"


@given(st.text(min_size=1, max_size=60).filter(lambda text: final_answer(text) == (text.strip(), False)))
def test_every_answer_is_its_own_match(answer: str) -> None:
    assert measured(answer, answer).value in (None, 1.0)
