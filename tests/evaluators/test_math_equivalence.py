"""`MathEquivalence` in the dict and the suite dialect."""

from __future__ import annotations

import pytest

from ringtrue import EvalCase
from ringtrue.evaluators import MathEquivalence
from ringtrue.records import Case, Output, Trial


def test_the_documented_examples() -> None:
    evaluator = MathEquivalence()
    assert evaluator.name == "math_equivalence"
    assert evaluator.score({"answer": r"\frac{1}{2}"}, {"response": "0.5"}) == {"math_equiv": 1.0}
    assert evaluator.score({"answer": "42"}, {"response": r"The answer is $\boxed{42}$."}) == {"math_equiv": 1.0}


def test_a_wrong_answer_is_zero_and_shown() -> None:
    result = MathEquivalence().evaluate(EvalCase("6 * 7?", "42"), "It is 41.")
    assert (result.score, result.passed) == (0.0, False)
    assert "41" in result.reason
    assert result.metadata["extracted"] == "41"


@pytest.mark.parametrize(
    ("expected", "text", "value"),
    [
        (("3", "x = 5"), "5", 1.0),
        (("3", "5"), "4", 0.0),
        (("", "5"), "5", 1.0),
        (("5",), "", 0.0),
        (("9" * 1_500_000,), "5", 0.0),
    ],
)
def test_the_best_of_several_answers_counts(expected: tuple[str, ...], text: str, value: float) -> None:
    score = MathEquivalence().measure(Trial(Case(expected=expected), Output(text)))
    assert score.value == value
    assert value == 1.0 or score.reason


@pytest.mark.parametrize("expected", [None, (), ("",), (" ",)])
def test_without_an_answer_there_is_nothing_to_measure(expected: tuple[str, ...] | None) -> None:
    assert MathEquivalence().measure(Trial(Case(expected=expected), Output("5"))).status == "skipped"


def test_a_long_answer_is_cut_in_the_record() -> None:
    score = MathEquivalence().measure(Trial(Case(expected=("5",)), Output(r"\boxed{" + "1+" * 5_000 + "1}")))
    assert score.value == 0.0
    assert "10,001 characters; 8,000" in score.reason
    assert len(score.metadata["extracted"]) == 200
