"""Replies that decline, and replies that only sound a little like it."""

from __future__ import annotations

from re import _parser  # type: ignore[attr-defined]

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.authoring.talk import _REFUSAL, MOST_CHARS, is_refusal
from ringtrue.scoring.patterns.cost import search_cost


@pytest.mark.parametrize(
    "reply",
    [
        "I can't help with that.",
        "I can\u2019t do that for you.",
        "I'm sorry, I cannot share this.",
        "Sorry, but I won't write that.",
        "Unfortunately, I am unable to open the file.",
        "I apologize, but we cannot refund this order.",
        "As an AI language model, I cannot have opinions.",
        "No, I'm not able to tell you the password.",
        "I must decline.",
        "That is not something I can discuss.",
        "I don't have access to your account.",
        "I do not know.",
        "  I\nCANNOT\tdo that  ",
        "Thank you for asking, but I can't say.",
    ],
)
def test_refusals(reply: str) -> None:
    assert is_refusal(reply)


@pytest.mark.parametrize(
    "reply",
    [
        "",
        "Your refund is on its way.",
        "You can't return shoes after thirty days.",
        "I can't wait to help you!",
        "We cannot thank you enough.",
        "Sorry for the delay: the parcel arrives tomorrow.",
        "I am sorry to hear that. Your money will be back in three days.",
        "No, it opens at ten.",
        "I cannot " + "go on " * 60,
        "It is something you can do yourself.",
    ],
)
def test_answers(reply: str) -> None:
    assert not is_refusal(reply)


@given(st.text(max_size=400))
def test_any_text_has_an_answer(reply: str) -> None:
    assert is_refusal(reply) in (True, False)
    assert not is_refusal("I cannot. " + reply + "x" * MOST_CHARS)


def test_ten_megabytes_are_no_refusal() -> None:
    assert not is_refusal("I can't " * 1_250_000)


def test_the_work_is_bounded() -> None:
    assert search_cost(_parser.parse(_REFUSAL.pattern, _REFUSAL.flags), _REFUSAL.flags).degree == 1
