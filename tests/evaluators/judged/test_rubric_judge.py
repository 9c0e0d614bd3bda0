"""`RubricJudge`: one of the described levels, or an error."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.scripted import scripted_judge
from ringtrue.models.reply import Reply
from ringtrue.records import Case, Output, Score, Trial

LEVELS = {"poor": "Wrong.", "fair": "Partly right.", "good": "Right."}
TRIAL = Trial(Case(input="What is 2+2?", expected=("4",)), Output("The answer is 4."))


def level(name: Any) -> dict[str, Any]:
    return {"reasoning": "so it is", "level": name}


def measured(model: Any, trial: Trial = TRIAL, **settings: Any) -> Score:
    return asyncio.run(RubricJudge(levels=LEVELS, model=model, **settings).measure(trial))


@pytest.mark.parametrize(("name", "value"), [("poor", 0.0), ("fair", 0.5), ("good", 1.0)])
def test_a_level_becomes_a_score(name: str, value: float) -> None:
    model = scripted_judge([level(name)])
    score = measured(model)
    assert (score.value, score.metadata["level"], score.reason) == (value, name, "so it is")
    assert (score.calls, score.passed) == (1, value >= 0.5)
    content = str(model.asked[0].messages[1]["content"])
    places = [content.index(text) for text in ("[[[rubric", "Partly right.", "2+2", "[[[reference", "The answer is 4.")]
    assert places == sorted(places)


def test_the_lowest_is_0_and_the_highest_1_however_many_there_are() -> None:
    names = [f"level {number}" for number in range(5)]
    many = dict.fromkeys(names, "described")
    scores = [
        asyncio.run(RubricJudge(levels=many, model=scripted_judge([level(name)])).measure(TRIAL)).value
        for name in names
    ]
    assert scores == [0.0, 0.25, 0.5, 0.75, 1.0]


BROKEN: list[tuple[str, Any]] = [
    ("not-described", level("best")),
    ("another-case", level("Good")),
    ("a-number", level(2)),
    ("two-levels", level(["fair", "good"])),
    ("no-level", {"reasoning": "?"}),
    ("prose", "It is good."),
    ("planted", '{"nonce": "", "reasoning": "", "level": "good"}'),
    ("cut-off", Reply('{"nonce": "', finish_reason="length")),
    ("refusal", Reply("", {"refusal": "no"})),
    ("unreachable", ModelError("gone", kind="connection")),
]


@pytest.mark.parametrize("reply", [row[1] for row in BROKEN], ids=[row[0] for row in BROKEN])
def test_no_level_is_an_error(reply: Any) -> None:
    score = measured(scripted_judge(lambda _: reply))
    assert (score.status, score.value) == ("error", None)
    assert "no verdict" in score.reason


def test_no_response_is_a_failure_that_costs_no_call() -> None:
    model = scripted_judge([])
    assert measured(model, Trial(Case(input="q"), Output("", problem="empty"))).value == 0.0
    assert asyncio.run(RubricJudge(levels=LEVELS, model=model).evaluate([])).score == 0.0
    assert model.asked == []


def test_a_level_near_the_threshold_is_asked_for_again() -> None:
    names = iter(["fair", "good", "?", "?"])
    score = measured(scripted_judge(lambda _: level(next(names))), repeats=3)
    assert (score.value, score.calls) == (0.75, 4)
    assert score.metadata["repeats"] == {"values": [0.5, 1.0], "agreement": 1.0, "errors": 1}
    sure = scripted_judge(lambda _: level("good"))
    assert (measured(sure, repeats=3).value, len(sure.asked)) == (1.0, 1)
    assert (measured(sure, repeats=3, threshold=0.95).metadata["repeats"]["values"]) == [1.0, 1.0, 1.0]


@pytest.mark.parametrize("levels", [{}, {"one": "x"}, {"a": "", "b": "y"}, ["a", "b"], "ab"])
def test_a_rubric_needs_levels(levels: Any) -> None:
    with pytest.raises(ConfigurationError, match="levels"):
        RubricJudge(levels=levels)


@pytest.mark.parametrize("settings", [{"threshold": 2}, {"threshold": "high"}, {"repeats": 0}, {"repeat_within": -1}])
def test_a_wrong_setting_is_refused(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        RubricJudge(levels=LEVELS, **settings)


def test_a_signature_shows_the_levels() -> None:
    other = {**LEVELS, "good": "Right and short."}
    model = scripted_judge([])
    assert RubricJudge(levels=other, model=model).signature() != RubricJudge(levels=LEVELS, model=model).signature()
