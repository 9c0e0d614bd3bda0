"""Variations of a text: each changes what it says it changes, the same way for the same chance."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.authoring.variants import (
    LOOKALIKES,
    Variation,
    disguise_letters,
    drop_punctuation,
    letter_case,
    lookalikes,
    negate,
    right_to_left,
    slip,
    spacing,
    zero_width,
)

VARIATIONS = {
    "slip": slip, "spacing": spacing, "letter_case": letter_case, "lookalikes": lookalikes,
    "disguised": disguise_letters, "zero_width": zero_width, "right_to_left": right_to_left,
    "unpunctuated": drop_punctuation, "negated": negate,
}  # fmt: skip


@pytest.mark.parametrize("name", VARIATIONS)
@given(text=st.text(), seed=st.integers())
def test_a_variation_changes_the_text_or_does_not_apply(name: str, text: str, seed: int) -> None:
    vary: Variation = VARIATIONS[name]
    found = vary(text, Random(seed))
    assert found is None or found != text
    assert found == vary(text, Random(seed))


@given(st.text(), st.integers())
def test_what_stays(text: str, seed: int) -> None:
    spaced, cased, looked = (vary(text, Random(seed)) for vary in (spacing, letter_case, lookalikes))
    assert spaced is None or "".join(spaced.split()) == "".join(text.split())
    assert cased is None or cased.casefold() == text.casefold()
    back = {other: letter for letter, other in LOOKALIKES.items()}
    if looked is not None and not set(back) & set(text):
        assert "".join(back.get(sign, sign) for sign in looked) == text


@pytest.mark.parametrize(
    ("vary", "text"),
    [
        (disguise_letters, "000 111"),
        (zero_width, "x"),
        (right_to_left, " "),
        (slip, "1234567890 999 is it"),
        (spacing, "  \n"),
        (letter_case, "1 a 2"),
        (lookalikes, "000 111"),
        (drop_punctuation, "no signs here"),
        (negate, "Hello there"),
        (negate, "This is fine and that is not."),
    ],
)
def test_where_a_variation_does_not_apply(vary: Variation, text: str) -> None:
    assert [vary(text, Random(seed)) for seed in range(5)] == [None] * 5


def test_a_slip_is_in_one_word_and_never_in_a_number() -> None:
    for seed in range(50):
        found = slip("Order 1234567890 today", Random(seed))
        assert found is not None
        assert "1234567890" in found
        assert abs(len(found) - 22) <= 1


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("The plan is active.", "The plan is not active."),
        ("The plan is not active.", "The plan is active."),
        ("You cannot do this", "You can do this"),
        ("You can do this", "You cannot do this"),
        ("Do not go", "Do go"),
        ("not at all", " at all"),
    ],
)
def test_negations(text: str, other: str) -> None:
    assert negate(text, Random(0)) == other


def test_signs_at_the_end_or_commas() -> None:
    assert {drop_punctuation("Well, yes?  ", Random(seed)) for seed in range(20)} == {"Well yes?  ", "Well, yes  "}
