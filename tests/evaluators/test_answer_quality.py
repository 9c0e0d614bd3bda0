"""AnswerQuality as `score()` returns it, and as a run counts it."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.answer_quality import AnswerQuality
from ringtrue.records import Case, Output, Trial
from support.golden import golden

PARTS = ("f1", "exact_match", "recall", "contains")


def scored(answer: Any, response: Any) -> tuple[float, ...]:
    found = AnswerQuality().score({"answer": answer}, {"response": response})
    assert tuple(found) == PARTS
    return tuple(found.values())


@pytest.mark.parametrize(
    ("answer", "response", "expected"),
    [
        pytest.param("Paris", "The capital is Paris.", (0.5, 0, 1, 1), id="the_seeds_example"),
        pytest.param("", "anything", (1, 1, 1, 1), id="empty_answer_reads_as_one"),
        pytest.param("", "", (1, 1, 1, 1), id="empty_answer_comes_before_empty_response"),
        pytest.param(None, "anything", (1, 1, 1, 1), id="no_answer"),
        pytest.param([], "anything", (1, 1, 1, 1), id="no_answers"),
        pytest.param(["", ""], "anything", (1, 1, 1, 1), id="only_empty_answers"),
        pytest.param("Paris", "", (0, 0, 0, 0), id="empty_response"),
        pytest.param("Paris", None, (0, 0, 0, 0), id="none_is_not_the_word_none"),
        pytest.param("none", None, (0, 0, 0, 0), id="none_does_not_match_none"),
        pytest.param(["Paris", "Lutetia"], "Lutetia", (1, 1, 1, 1), id="best_of_several_answers"),
        pytest.param(["", "Paris"], "Rome", (0, 0, 0, 0), id="an_empty_answer_among_others_is_left_out"),
        pytest.param({"text": ["Paris"], "answer_start": [3]}, "paris", (1, 1, 1, 1), id="the_shape_of_squad"),
        pytest.param(42, "42", (1, 1, 1, 1), id="a_number"),
        pytest.param("A", "A", (0, 1, 0, 1), id="both_normalise_to_nothing_as_in_v1_1"),
        pytest.param("  ", "x", (0, 0, 0, 0), id="a_blank_answer_is_not_empty"),
    ],
)
def test_score(answer: Any, response: Any, expected: tuple[float, ...]) -> None:
    assert scored(answer, response) == pytest.approx(expected)


@pytest.mark.parametrize("row", golden("qa_squad")[::20], ids=lambda row: row["id"])
def test_the_value_is_f1(row: dict) -> None:
    trial = Trial(Case(expected=tuple(row["input"]["references"])), Output(row["input"]["prediction"]))
    score = AnswerQuality().measure(trial)
    if row["input"]["prediction"]:
        assert score.value == score.parts["f1"] == pytest.approx(row["expected"]["f1"])
        assert score.parts["exact_match"] == row["expected"]["exact_match"]


@pytest.mark.parametrize(
    ("expected", "reason"), [(None, "no answer"), (("",), "the answer is empty"), (("", ""), "the answer is empty")]
)
def test_a_run_skips_what_has_no_answer(expected: tuple[str, ...] | None, reason: str) -> None:
    score = AnswerQuality().measure(Trial(Case(expected=expected), Output("text")))
    assert (score.status, score.value, dict(score.parts)) == ("skipped", None, {})
    assert reason in score.reason


def test_it_passes_at_the_threshold() -> None:
    trial = Trial(Case(expected=("Paris",)), Output("The capital is Paris."))
    assert AnswerQuality().measure(trial).passed
    below = AnswerQuality(threshold=0.51).measure(trial)
    assert not below.passed
    assert "0.500" in below.reason


def test_a_name_of_its_own_goes_before_the_parts() -> None:
    found = AnswerQuality(name="mine").score({"answer": "x"}, {"response": "x"})
    assert list(found) == [f"mine.{part}" for part in PARTS]


def test_a_wrong_threshold_raises() -> None:
    with pytest.raises(ConfigurationError, match="threshold"):
        AnswerQuality(threshold=50)


@given(st.lists(st.tuples(st.text(max_size=20), st.lists(st.text(max_size=20), max_size=3)), max_size=5))
def test_many_trials_are_scored_like_each(pairs: list[tuple[str, list[str]]]) -> None:
    trials = [Trial(Case(expected=tuple(answers) or None), Output(text)) for text, answers in pairs]
    check = AnswerQuality()
    singles = [check.measure(trial) for trial in trials]
    assert check.measure_many(trials) == singles
    assert check.measure_texts([t.output.text for t in trials], [t.case.expected for t in trials]) == singles
