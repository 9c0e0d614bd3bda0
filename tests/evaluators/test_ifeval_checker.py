"""`IFEvalChecker` as seed 000 documents it."""

from __future__ import annotations

import warnings
from typing import Any

import pytest

from ringtrue.dialects.dicts import trial_of
from ringtrue.errors import ConfigurationError, EvaluationError
from ringtrue.evaluators.ifeval_checker import IFEvalChecker
from support.hostile import SMALL


def case(*instructions: tuple[str, Any]) -> dict[str, Any]:
    return {"instruction_id_list": [name for name, _ in instructions], "kwargs": [kwargs for _, kwargs in instructions]}


def test_the_documented_example() -> None:
    original = case(("punctuation:no_comma", {}), ("keywords:existence", {"keywords": ["hello"]}))
    found = IFEvalChecker().score(original, {"response": "hello world"})
    assert found == {"ifeval_strict": 1.0, "ifeval_loose": 1.0}


def test_strict_is_all_and_loose_is_the_fraction() -> None:
    original = case(("punctuation:no_comma", {}), ("keywords:existence", {"keywords": ["hello"]}))
    score = IFEvalChecker().measure(trial_of(original, {"response": "a, hello"}))
    assert score.parts == {"ifeval_strict": 0.0, "ifeval_loose": 0.5}
    assert score.value == 0.0
    assert score.metadata == {"followed": [False, True]}
    assert score.reason == "not followed: punctuation:no_comma"


@pytest.mark.parametrize("original", [{}, case(), {"instruction_id_list": None}], ids=["missing", "empty", "none"])
def test_no_instructions(original: dict[str, Any]) -> None:
    """Documented as 1.0 in a direct call; skipped in a run."""
    assert IFEvalChecker().score(original, {"response": "x"}) == {"ifeval_strict": 1.0, "ifeval_loose": 1.0}
    assert IFEvalChecker().measure(trial_of(original, {"response": "x"})).status == "skipped"


UNKNOWN = case(("x:unknown", None), ("punctuation:no_comma", {}))


@pytest.mark.filterwarnings("ignore:IFEvalChecker does not know")
@pytest.mark.parametrize(
    ("unknown", "parts"),
    [
        ("pass", {"ifeval_strict": 1.0, "ifeval_loose": 1.0}),
        ("fail", {"ifeval_strict": 0.0, "ifeval_loose": 0.5}),
    ],
)
def test_unknown_instructions_are_named(unknown: Any, parts: dict[str, float]) -> None:
    score = IFEvalChecker(unknown=unknown).measure(trial_of(UNKNOWN, {"response": "x"}))
    assert score.parts == parts
    assert score.metadata["unknown"] == ["x:unknown"]


def test_unknown_instructions_as_an_error() -> None:
    score = IFEvalChecker(unknown="error").measure(trial_of(UNKNOWN, {"response": "x"}))
    assert score.status == "error"
    assert "x:unknown" in score.reason
    assert score.metadata["unknown"] == ["x:unknown"]
    with pytest.raises(EvaluationError, match="x:unknown"):
        IFEvalChecker(unknown="error").score(UNKNOWN, {"response": "x"})


def test_a_warning_comes_once_per_id() -> None:
    original = case(("x:never seen before", {}))
    with pytest.warns(UserWarning, match="'x:never seen before'"):
        IFEvalChecker().score(original, {"response": "x"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        IFEvalChecker().score(original, {"response": "x"})


def test_unknown_must_be_a_known_choice() -> None:
    with pytest.raises(ConfigurationError, match="unknown must be one of 'pass', 'fail', 'error'"):
        IFEvalChecker(unknown="ignore")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "kwargs",
    [None, [], [None], [{"keywords": None}], [{}], "[{}]"],
    ids=["none", "short", "entry", "value", "empty", "json"],
)
def test_absent_arguments_ask_for_nothing(kwargs: object) -> None:
    original = {"instruction_id_list": ["keywords:existence"], "kwargs": kwargs}
    assert IFEvalChecker().score(original, {"response": "x"}) == {"ifeval_strict": 1.0, "ifeval_loose": 1.0}


def test_a_string_is_a_list_of_one() -> None:
    original = case(("keywords:existence", {"keywords": "xyz"}))
    assert IFEvalChecker().score(original, {"response": "zyx"})["ifeval_strict"] == 0.0
    assert IFEvalChecker().score(original, {"response": "XYZ"})["ifeval_strict"] == 1.0


@pytest.mark.parametrize(
    ("kwargs", "named"), [(5, "kwargs"), (["x"], "kwargs"), ([{"keywords": {"a": 1}}], "keywords")]
)
def test_arguments_of_a_wrong_kind_are_an_error(kwargs: object, named: str) -> None:
    score = IFEvalChecker().measure(
        trial_of({"instruction_id_list": ["keywords:existence"], "kwargs": kwargs}, {"response": "x"})
    )
    assert score.status == "error"
    assert named in score.reason


def test_the_prompt_stands_in_for_the_request() -> None:
    original = {**case(("combination:repeat_prompt", {})), "prompt": "Say hi"}
    assert IFEvalChecker().score(original, {"response": "Say hi. Hi"})["ifeval_strict"] == 1.0
    assert IFEvalChecker().score(original, {"response": "Hi"})["ifeval_strict"] == 0.0


@pytest.mark.parametrize("name", SMALL)
def test_any_output_is_scored(name: str) -> None:
    original = case(("length_constraints:number_sentences", {"num_sentences": 1}), ("punctuation:no_comma", None))
    assert IFEvalChecker().measure(trial_of(original, {"response": SMALL[name]})).status == "scored"
