"""`MultipleChoiceAccuracy` in its dialects."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.dialects.dicts import trial_of
from ringtrue.evaluators.multiple_choice import MultipleChoiceAccuracy


@pytest.mark.parametrize(
    ("original", "response", "value"),
    [
        ({"correct_letter": "B"}, "The answer is B.", 1.0),
        ({"correct_letter": "b "}, "(B)", 1.0),
        ({"correct_letter": "B"}, "The answer is A.", 0.0),
        ({"correct_letter": "B"}, "", 0.0),
        ({"correct_letter": "B"}, "A or B", 0.0),
        ({"correct_letter": "I"}, "I think it's B", 0.0),
        ({"correct_letter": "L"}, "L", 1.0),
        ({"answer": "C"}, "C", 1.0),
        ({"answer": "(C)"}, "C", 1.0),
        ({"answer": "Rome", "choices": ["Paris", "Rome"]}, "B", 1.0),
        ({"answer": "Rome", "options": ["Paris", "Rome"]}, "Rome", 1.0),
        ({"answer": ["A", "B"]}, "B", 1.0),
        ({"correct_letter": "B", "choices": {"A": "Paris", "B": "Rome"}}, "It is Rome.", 1.0),
        ({"correct_letter": "B", "choices": {"text": ["Paris", "Rome"], "label": ["A", "B"]}}, "Rome", 1.0),
        ({"answer": "2", "choices": {"text": ["Paris", "Rome"], "label": ["1", "2"]}}, "The answer is 2.", 1.0),
        ({"correct_letter": "B", "choices": '["Paris", "Rome"]'}, "Rome", 1.0),
        ({"correct_letter": "B", "choices": "not json"}, "B", 1.0),
        ({"correct_letter": "C", "choices": ["Paris", "Rome"]}, "The answer is C.", 0.0),
        ({"correct_letter": "B", "choices": [1, None]}, "B", 1.0),
        ({"correct_letter": "B", "choices": []}, "B", 1.0),
        ({"correct_letter": "", "answer": "B"}, "B", 1.0),
    ],
)
def test_score(original: dict[str, Any], response: str, value: float) -> None:
    assert MultipleChoiceAccuracy().score(original, {"response": response}) == {"mc_accuracy": value}


@pytest.mark.parametrize(
    "original", [{}, {"answer": "Rome"}, {"answer": ""}, {"answer": "Rome", "choices": ["Rome", "Rome"]}]
)
def test_without_a_correct_letter_it_is_skipped(original: dict[str, Any]) -> None:
    score = MultipleChoiceAccuracy().measure(trial_of(original, {"response": "B"}))
    assert (score.status, score.reason) == ("skipped", "there is no correct letter to compare with")


def test_the_score_says_what_was_read_and_why() -> None:
    check = MultipleChoiceAccuracy()
    wrong = check.measure(trial_of({"correct_letter": "B"}, {"response": "I choose C."}))
    assert wrong.metadata == {"letter": "C", "correct": "B", "rule": "choice"}
    assert wrong.reason == "the response chooses C; B is correct"
    assert wrong.passed is False
    none = check.measure(trial_of({"correct_letter": "B"}, {"response": "A or B"}))
    assert none.reason == "the response chooses no single option (several options); B is correct"
    assert none.metadata["letter"] is None
