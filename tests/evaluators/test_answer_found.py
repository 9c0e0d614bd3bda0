"""AnswerFound: words that are in a response, and how far that agrees with people."""

from __future__ import annotations

import pytest

from ringtrue.api.judge_bench_rows import labelled_answers
from ringtrue.evaluators.answer_found import AnswerFound
from ringtrue.evaluators.answer_quality import AnswerQuality
from ringtrue.records import Case, Output, Trial
from ringtrue.stats.ranking_quality import auc_summary

FOUND = [
    ("It was Andy Warhol, I think.", ("Andy Warhol",), 1.0),
    ("It is a five-year plan.", ("five year",), 1.0),
    ("In 1990–1995.", ("1995",), 1.0),
    ("He is a warhorse", ("war",), 0.0),
    ("Paris is the capital of France", ("The Paris of France",), 1.0),
    ("in the heart", ("lungs", "The Heart"), 1.0),
    ("16 November", ("16 November 2001",), 2 / 3),
    ("答案是北京。", ("北京",), 1.0),
    ("The The is a band", ("The The",), 1.0),
    ("no", ("The The",), 0.0),
    ("no", ("...",), 0.0),
]


@pytest.mark.parametrize(("response", "answers", "value"), FOUND)
def test_an_answer_in_a_response(response: str, answers: tuple[str, ...], value: float) -> None:
    score = AnswerFound().measure(Trial(Case(expected=answers), Output(response)))
    assert score.value == pytest.approx(value)
    assert score.passed is (value >= 0.33)


def test_what_cannot_be_compared_is_skipped_and_nothing_said_fails() -> None:
    check = AnswerFound()
    assert check.measure(Trial(Case(), Output("x"))).status == "skipped"
    assert check.measure(Trial(Case(expected=("", " ")), Output("x"))).status == "skipped"
    assert check.measure(Trial(Case(expected=("x",)), Output(" "))).value == 0.0


def test_the_stated_agreement_with_people_holds() -> None:
    rows = labelled_answers()
    labels = [row.correct for row in rows]
    trials = [Trial(Case(input=row.question, expected=row.answers), Output(row.response)) for row in rows]
    found, f1 = ([check.measure(trial) for trial in trials] for check in (AnswerFound(), AnswerQuality()))
    agrees = [sum(one.passed is label for one, label in zip(some, labels, strict=True)) for some in (found, f1)]
    assert [round(count / len(rows), 3) for count in agrees] == [0.914, 0.426]
    assert auc_summary([one.value or 0.0 for one in found], labels).value == pytest.approx(0.9517, abs=1e-4)
    assert len(rows) == 886
