"""The judges that benchmarks use: three grades for a short answer, ratings for the replies of a conversation."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from ringtrue import evaluate
from ringtrue.errors import ModelError
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.evaluators.judged.short_answer_judge import ShortAnswerJudge
from ringtrue.evaluators.judged.turn_ratings import TurnRatings
from ringtrue.models.reply import Reply
from ringtrue.records import Case, Output, Score, Trial
from support.judge_endpoint import JudgeEndpoint

FIELDS = {"grading_notes": "Off by one day is fine.", "bare_question": "How many days?"}
TRIAL = Trial(
    Case(input="How many days? Be brief.", context="a long chat", expected=("18",), fields=FIELDS), Output("19")
)


def graded(reply: Any, trial: Trial = TRIAL) -> tuple[Score, Any]:
    model = scripted_judge(
        [{"reasoning": "so", "grade": reply} if isinstance(reply, str) and " " not in reply else reply]
    )
    return asyncio.run(ShortAnswerJudge(model=model).measure(trial)), model


@pytest.mark.parametrize("grade", ["correct", "incorrect", "not_attempted"])
def test_a_grade_is_one_of_three_parts(grade: str) -> None:
    score, model = graded(grade)
    assert {name: value for name, value in score.parts.items() if value} == {grade: 1.0}
    assert score.value == float(grade == "correct")
    assert score.metadata["grade"] == grade
    content = str(model.asked[0].messages[1]["content"])
    assert "Off by one day is fine." in content
    assert "Be brief" not in content, "what is graded is the question, not how it was put"
    assert "a long chat" not in content


BROKEN: dict[str, Any] = {
    "another grade": {"reasoning": "so", "grade": "partly"},
    "no grade": {"reasoning": "so"},
    "prose": "It is correct .",
    "cut off": Reply('{"nonce": "', finish_reason="length"),
    "refusal": Reply("", {"refusal": "no"}),
    "unreachable": ModelError("gone", kind="connection"),
}


@pytest.mark.parametrize("reply", BROKEN.values(), ids=BROKEN)
def test_a_verdict_that_cannot_be_read_is_an_error_and_no_number(reply: Any) -> None:
    model = scripted_judge([reply] * 8)
    score = asyncio.run(ShortAnswerJudge(model=model).measure(TRIAL))
    assert (score.status, score.value) == ("error", None)


def test_an_empty_reply_is_not_attempted() -> None:
    """It counts in SimpleQA's F-score, as the authors' grader counts it."""
    score = asyncio.run(ShortAnswerJudge(model=scripted_judge([])).measure(replace(TRIAL, output=Output(""))))
    assert score.parts == {"correct": 0.0, "incorrect": 0.0, "not_attempted": 1.0}


def test_nothing_to_compare_with_asks_no_one() -> None:
    model = scripted_judge([])
    score = asyncio.run(ShortAnswerJudge(model=model).measure(Trial(Case(input="q"), Output("x"))))
    assert score.status == "skipped"
    assert model.asked == []


TALK = [{"role": "user", "content": "First?"}, {"role": "assistant", "content": "One."},
        {"role": "user", "content": "Second?"}, {"role": "assistant", "content": "Two."}]  # fmt: skip


def test_every_reply_is_rated_with_what_came_before_it() -> None:
    model = scripted_judge([{"reasoning": "so", "rating": 8}, {"reasoning": "so", "rating": 5}])
    case = Case(input="First?", fields={"turn_references": ["Uno", "Due"]})
    score = asyncio.run(TurnRatings(model=model).measure(Trial(case, Output("Two.", messages=TALK))))
    assert score.parts == {"turn_rating": 0.65, "first_turn": 0.8, "last_turn": 0.5}
    first, second = (str(request.messages[1]["content"]) for request in model.asked)
    assert "Uno" in first
    assert "Second?" not in first
    assert "One." in second
    assert "Due" in second


def test_a_single_reply_is_rated_alone_and_a_rating_out_of_range_is_an_error() -> None:
    trial = Trial(Case(input="First?"), Output("One."))
    assert asyncio.run(TurnRatings(model=scripted_judge([{"reasoning": "", "rating": 10}])).measure(trial)).value == 1.0
    wrong = asyncio.run(TurnRatings(model=scripted_judge([{"reasoning": "", "rating": 11}] * 8)).measure(trial))
    assert wrong.status == "error"


def test_a_judge_makes_the_authors_metric_the_headline() -> None:
    rows = [
        {"dataset": "simpleqa", "question": "Who?", "answer": "Ann"},
        {"dataset": "gsm8k", "question": "1+1", "answer": "2"},
    ]
    alone = evaluate(lambda question: "Ann", rows, progress=False, store=None)
    assert [row.main for row in alone.rows] == ["contains", "math_equiv"]
    with JudgeEndpoint(says={"grade": "correct", "rating": 5}) as served:
        judged = evaluate(lambda question: "Ann", rows, progress=False, store=None, judge=served.base_url)
    assert [row.main for row in judged.rows] == ["correct", "math_equiv"]
    assert judged.rows[0].scores["correct"] == 1.0
    assert "correct" not in judged.rows[1].scores
    assert all("judge_score" in row.scores for row in judged.rows), "every dataset gets the documented judge"
