"""`IFEval` in its dialects."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.dialects.dicts import trial_of
from ringtrue.errors import EvaluationError
from ringtrue.evaluators.ifeval import IFEval
from support.golden import golden
from support.hostile import SMALL

CASE: dict[str, Any] = {
    "prompt": "Say hello without commas.",
    "instruction_id_list": ["punctuation:no_comma", "keywords:existence"],
    "kwargs": [{}, {"keywords": ["hello"]}],
}


def test_parts_and_verdicts() -> None:
    """Strict and loose, for the prompt and for its instructions, and a verdict on each instruction."""
    score = IFEval().measure(trial_of(CASE, {"response": "Sure,\nhello"}))
    assert score.value == 0.0
    assert score.passed is False
    assert score.parts == {
        "prompt_strict": 0.0,
        "prompt_loose": 1.0,
        "instruction_strict": 0.5,
        "instruction_loose": 1.0,
        "instructions": 2.0,
    }
    assert score.metadata == {"strict": [False, True], "loose": [True, True]}
    assert score.reason == "not followed: punctuation:no_comma"


def test_the_dict_and_the_suite_dialect() -> None:
    numbers = dict.fromkeys(IFEval.parts, 1.0) | {"instructions": 2.0}
    assert IFEval().score(CASE, {"response": "hello"}) == numbers
    result = IFEval().evaluate(CASE, "hello")
    assert (result.evaluator, result.score, result.passed) == ("ifeval", 1.0, True)
    assert result.metadata["strict"] == [True, True]


@pytest.mark.parametrize("ids", [None, [], "[]"])
def test_no_instructions_are_skipped(ids: object) -> None:
    case = {"instruction_id_list": ids, "kwargs": []}
    assert IFEval().measure(trial_of(case, {"response": "x"})).status == "skipped"
    assert IFEval().score(case, {"response": "x"}) == {}


@pytest.mark.parametrize(
    ("ids", "kwargs", "named"),
    [
        (["punctuation:no_dots"], [{}], "punctuation:no_dots"),
        (["keywords:existence"], None, "keywords"),
        (["punctuation:no_comma"], 5, "kwargs"),
        (7, [], "instruction_id_list"),
    ],
)
def test_what_cannot_be_checked_is_an_error(ids: object, kwargs: object, named: str) -> None:
    case = {"instruction_id_list": ids, "kwargs": kwargs}
    score = IFEval().measure(trial_of(case, {"response": "x"}))
    assert score.status == "error"
    assert named in score.reason
    with pytest.raises(EvaluationError, match=named):
        IFEval().score(case, {"response": "x"})


@pytest.mark.parametrize("name", SMALL)
def test_any_output_is_scored(name: str) -> None:
    score = IFEval().measure(trial_of(CASE, {"response": SMALL[name]}))
    assert score.status == "scored"
    assert len(score.metadata["strict"]) == len(score.metadata["loose"]) == 2


def test_no_output_follows_nothing() -> None:
    score = IFEval().measure(trial_of(CASE, {"response": None}))
    assert score.metadata == {"strict": [False, False], "loose": [False, False]}
    assert score.reason == "the output is None"


def test_golden_prompts() -> None:
    """Whether all instructions of a prompt are followed, where no verdict depends on a seed."""
    rows = [row for row in golden("ifeval_perturbed") if None not in row["expected"].values()]
    trials = [trial_of(row["input"], {"response": row["input"]["response"]}) for row in rows]
    found = [score.parts for score in IFEval().measure_many(trials)]
    assert [part["prompt_strict"] for part in found] == [float(row["expected"]["strict_all"]) for row in rows]
    assert [part["prompt_loose"] for part in found] == [float(row["expected"]["loose_all"]) for row in rows]
