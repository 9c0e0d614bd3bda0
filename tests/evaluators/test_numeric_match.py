"""`NumericMatch`: exact by default, within an absolute or a relative tolerance on request."""

from __future__ import annotations

from typing import Any

import pytest

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import NumericMatch
from ringtrue.records import Case, Output, Trial


def value(evaluator: NumericMatch, text: str, *expected: str) -> float | None:
    return evaluator.measure(Trial(Case(expected=expected), Output(text))).value


@pytest.mark.parametrize(
    ("settings", "text", "expected", "equal"),
    [
        ({}, "12 kg", ("12",), True),
        ({}, "12.0", ("12",), True),
        ({}, "12.01", ("12",), False),
        ({}, "It costs $1,234.50", ("1234.5",), True),
        ({}, "0.3", ("3/10",), True),
        ({"tolerance": 0.1}, "3.1", ("3.0",), True),
        ({"tolerance": 0.1}, "3.11", ("3.0",), False),
        ({"tolerance": 0.1}, "-3", ("3",), False),
        ({"tolerance": 0.05, "relative": True}, "96", ("100",), True),
        ({"tolerance": 0.05, "relative": True}, "94.9", ("100",), False),
        ({"tolerance": 0.05, "relative": True}, "0.01", ("0",), False),
        ({}, "7", ("5", "7 apples"), True),
        ({}, "7", ("5", "no number"), False),
        ({"tolerance": 0.01}, "3.14", (r"\pi",), True),
        ({}, "nothing at all", ("5",), False),
    ],
)
def test_numbers_match_within_the_tolerance(
    settings: dict[str, Any], text: str, expected: tuple[str, ...], equal: bool
) -> None:
    assert value(NumericMatch(**settings), text, *expected) == float(equal)


def test_a_miss_names_both_numbers_and_the_tolerance() -> None:
    evaluator = NumericMatch(0.5)
    score = evaluator.measure(Trial(Case(expected=("12",)), Output("I count 13 of them")))
    assert score.reason == "'13' is not '12' within 0.5"
    assert evaluator.score({"answer": 12}, {"response": "12.5"}) == {"numeric_match": 1.0}


@pytest.mark.parametrize("expected", [None, (), ("",), ("no number",)])
def test_without_an_expected_number_there_is_nothing_to_measure(expected: tuple[str, ...] | None) -> None:
    assert NumericMatch().measure(Trial(Case(expected=expected), Output("5"))).status == "skipped"


@pytest.mark.parametrize(
    "settings",
    [
        {"tolerance": -1},
        {"tolerance": float("nan")},
        {"tolerance": float("inf")},
        {"tolerance": 10**400},
        {"tolerance": "0.1"},
        {"tolerance": True},
        {"relative": 0.1},
        {"threshold": 2},
    ],
)
def test_a_broken_setting_is_refused_at_once(settings: dict[str, Any]) -> None:
    with pytest.raises(ConfigurationError):
        NumericMatch(**settings)
