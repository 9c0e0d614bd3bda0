"""Answers are compared as the official SQuAD script compares them."""

from __future__ import annotations

import re
import string

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from ringtrue.scoring.overlap.squad import Overlap, exact_match, f1_score, normalize_answer, overlap, recall_score
from support.golden import golden

PIECES = [*"aAnthe .,’“_-\n\t\x00\x1c\u00a0\u0301\u200béßİΣ中٣1", "the ", " a ", "an "]
TEXTS = st.one_of(st.text(), st.lists(st.sampled_from(PIECES), max_size=30).map("".join))


def by_the_book(text: str) -> str:
    """The normalisation word for word: lower, delete ASCII punctuation, articles to spaces, collapse whitespace."""
    kept = "".join(letter for letter in text.lower() if letter not in string.punctuation)
    return " ".join(re.sub(r"\b(a|an|the)\b", " ", kept).split())


@pytest.mark.parametrize("row", golden("qa_squad"), ids=lambda row: row["id"])
def test_golden(row: dict) -> None:
    prediction, references = row["input"]["prediction"], row["input"]["references"]
    expected = row["expected"]
    found = overlap(prediction, references)
    assert found.f1 == pytest.approx(expected["f1"], abs=1e-12)
    assert found.exact_match == expected["exact_match"]
    assert overlap(prediction, references, both_empty=1.0).f1 == pytest.approx(expected["f1_squad_v2"], abs=1e-12)
    assert normalize_answer(prediction) == expected["normalized_prediction"]
    assert [normalize_answer(reference) for reference in references] == expected["normalized_references"]


@pytest.mark.parametrize(
    ("response", "reference", "expected"),
    [
        pytest.param("The capital is Paris.", "Paris", Overlap(0.5, 0.0, 1.0, 1.0), id="the_seeds_example"),
        pytest.param("U.S.A.", "US", Overlap(0.0, 0.0, 0.0, 0.0), id="punctuation_goes_before_articles"),
        pytest.param("A-Team", "team", Overlap(0.0, 0.0, 0.0, 1.0), id="an_article_inside_a_word_stays"),
        pytest.param("AB testing", "A/B testing", Overlap(1.0, 1.0, 1.0, 0.0), id="slash_joins"),
        pytest.param("A", "the", Overlap(0.0, 1.0, 0.0, 0.0), id="both_normalise_to_nothing"),
        pytest.param("", "", Overlap(0.0, 1.0, 0.0, 1.0), id="both_empty"),
        pytest.param("x", "the", Overlap(0.0, 0.0, 0.0, 0.0), id="only_the_answer_normalises_to_nothing"),
        pytest.param("a “the” man", "man", Overlap(0.5, 0.0, 1.0, 1.0), id="curly_quotes_stay_and_bound_words"),
        pytest.param("so so so", "so so no", Overlap(2 / 3, 0.0, 2 / 3, 0.0), id="tokens_count_with_repetition"),
        pytest.param("cafe\u0301", "café", Overlap(0.0, 0.0, 0.0, 0.0), id="no_unicode_normalisation"),
        pytest.param("I know nothing", "NO", Overlap(0.0, 0.0, 0.0, 1.0), id="contains_has_no_word_boundaries"),
        pytest.param("x " * 50 + "y y", "y y x x x", Overlap(10 / 57, 0.0, 1.0, 0.0), id="long_with_repetition"),
    ],
)
def test_cases(response: str, reference: str, expected: Overlap) -> None:
    assert overlap(response, reference) == pytest.approx(expected)
    assert overlap(response, [reference]) == pytest.approx(expected)
    assert f1_score(response, reference) == pytest.approx(expected.f1)
    assert exact_match(response, reference) == expected.exact_match
    assert recall_score(response, reference) == pytest.approx(expected.recall)


def test_each_part_is_the_best_over_the_references() -> None:
    assert overlap("big red dog", ["red", "big dog house"]) == pytest.approx(Overlap(2 / 3, 0.0, 1.0, 1.0))
    assert overlap("anything", []) == Overlap(0.0, 0.0, 0.0, 0.0)


def test_what_two_empty_sides_score_can_be_chosen() -> None:
    assert overlap("A", "(the)", both_empty=1.0).f1 == 1.0
    assert overlap("A", "(the)", both_empty=1.0).recall == 1.0
    assert overlap("A", "b", both_empty=1.0).f1 == 0.0


@given(TEXTS)
@example("a\ud800 the")
@example("a_b _the_ a\x00")
def test_normalisation_is_the_four_steps(text: str) -> None:
    assert normalize_answer(text) == by_the_book(text)


@given(TEXTS, TEXTS)
def test_range_and_symmetry(first: str, second: str) -> None:
    found = overlap(first, second)
    assert all(0.0 <= part <= 1.0 for part in found)
    turned = overlap(second, first)
    assert found.f1 == turned.f1
    assert found.exact_match == turned.exact_match == (by_the_book(first) == by_the_book(second))


@given(TEXTS)
def test_identity(text: str) -> None:
    same = 1.0 if by_the_book(text) else 0.0
    assert overlap(text, text) == Overlap(same, 1.0, same, 1.0)


@given(TEXTS, st.lists(TEXTS, min_size=1, max_size=4))
def test_many_references_are_the_maximum_of_each(response: str, references: list[str]) -> None:
    singles = [overlap(response, reference) for reference in references]
    assert overlap(response, references) == tuple(map(max, zip(*singles, strict=True)))
