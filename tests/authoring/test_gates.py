"""Gates: what is kept of the cases that were made, and how the others are counted."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue import EvalCase
from ringtrue.authoring.case_gates import (
    SAME,
    AskedQuestions,
    MakingReport,
    Sieve,
    lacking,
    shared_words,
    words_of,
)


@pytest.mark.parametrize(
    ("case", "lacks"),
    [
        (EvalCase("q", "a"), ""),
        (EvalCase("q", ["", "a"]), ""),
        (EvalCase("q", metadata={"expected_behavior": "refusal"}), ""),
        (EvalCase(" \n", "a"), "the input is empty"),
        (EvalCase("q", " "), "nothing is expected"),
        (EvalCase("q", metadata={"expected": 7}), "nothing is expected"),
        (EvalCase("q"), "nothing is expected"),
    ],
)
def test_a_case_asks_something_and_expects_something(case: EvalCase, lacks: str) -> None:
    found = lacking(case)
    assert found.startswith(lacks)
    assert bool(found) is bool(lacks)


def asked_questions(texts: list[str]) -> AskedQuestions:
    found = AskedQuestions()
    for text in texts:
        found.add(text)
    return found


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("When does   the museum open?", "identical"),
        ("when does the MUSEUM open", "Jaccard 1.00"),
        ("When does the tower open?", ""),
        ("", ""),
    ],
)
def test_a_twin_of_what_is_asked_already(text: str, why: str) -> None:
    found = asked_questions(["When does the museum open?"]).twin(text)
    assert why in found
    assert bool(found) is bool(why)


@given(st.text(), st.text())
def test_shared_words_are_a_symmetric_share(one: str, other: str) -> None:
    here, there = words_of(one), words_of(other)
    assert 0 <= shared_words(here, there) == shared_words(there, here) <= 1
    assert shared_words(here, here) == 1
    assert asked_questions([one]).twin(one)


_WORDS = ["a", "bb", "ccc", "what", "is", "the", "long", "museum", "ticket", "opening"]
_QUESTIONS = st.lists(st.sampled_from(_WORDS), max_size=9).map(" ".join)


@given(st.lists(_QUESTIONS, max_size=8), _QUESTIONS)
def test_looking_at_few_finds_what_looking_at_all_finds(asked: list[str], text: str) -> None:
    twin = any(shared_words(words_of(text), words_of(other)) >= SAME for other in asked)
    assert bool(asked_questions(asked).twin(text)) is twin


def test_many_questions_are_not_all_compared() -> None:
    taken = AskedQuestions()
    for number in range(30_000):
        text = f"What does the ticket number{number} cost for group{number}?"
        assert not taken.twin(text)
        taken.add(text)
    assert taken.twin("What does the ticket number7 cost, for group7?")


@given(st.lists(st.tuples(st.text(max_size=8), st.sampled_from([None, "", "a"])), max_size=12))
def test_every_case_is_counted_once(given_cases: list[tuple[str, Any]]) -> None:
    sieve = Sieve(MakingReport(len(given_cases)))
    for text, expected in given_cases:
        sieve.report.generated += 1
        sieve.admit(EvalCase(text, expected))
    report = sieve.report
    assert report.generated == report.accepted + report.dropped_malformed + report.dropped_duplicate
    assert report.accepted == len(sieve.cases)
    assert f"accepted {report.accepted}" in report.summary_line()
