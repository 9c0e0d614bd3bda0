"""`NLILabelMatch` in its dialects."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.dialects.dicts import trial_of
from ringtrue.evaluators.nli_label_match import NLILabelMatch


@pytest.mark.parametrize(
    ("answer", "response", "value"),
    [
        ("Entailment", "Yes, this is true.", 1.0),
        ("Contradiction", "It is entailment, not a contradiction.", 0.0),
        ("Entailment", "It is entailment, not a contradiction.", 1.0),
        ("Entailment", "This is not true", 0.0),
        ("Contradiction", "This is not true", 1.0),
        ("Entailment", "Yes. No further comments.", 1.0),
        ("SUPPORTS", "True", 1.0),
        ("SUPPORTS", "The claim is supported.", 1.0),
        ("CONTRADICT", "REFUTES", 1.0),
        ("NotMentioned", "The contract does not mention this.", 1.0),
        ("maybe", "maybe", 1.0),
        ("maybe", "The answer is maybe.", 1.0),
        ("maybe", "yes", 0.0),
        ("not_entailment", "neutral", 1.0),
        ("Entailment", "", 0.0),
        ("Entailment", "banana", 0.0),
        (["maybe", "yes"], "yes", 1.0),
        (["maybe", "yes"], "maybe", 1.0),
    ],
)
def test_score(answer: Any, response: str, value: float) -> None:
    assert NLILabelMatch().score({"answer": answer}, {"response": response}) == {"nli_accuracy": value}


@pytest.mark.parametrize("original", [{}, {"answer": ""}, {"answer": "  "}], ids=["missing", "empty", "blank"])
def test_without_a_label_it_is_skipped(original: dict[str, Any]) -> None:
    assert NLILabelMatch().measure(trial_of(original, {"response": "yes"})).status == "skipped"


def test_the_score_says_what_was_read_and_why() -> None:
    score = NLILabelMatch().measure(trial_of({"answer": "SUPPORTS"}, {"response": "Verdict: refuted"}))
    assert score.metadata == {"label": "contradiction", "rule": "announced"}
    assert score.reason == "the response says contradiction; SUPPORTS was expected"
    assert score.passed is False
