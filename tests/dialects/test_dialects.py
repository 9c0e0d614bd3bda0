"""The dict dialect and the suite dialect, on one check."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

import pytest

from ringtrue import EvalCase
from ringtrue.errors import ConfigurationError, EvaluationError
from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial


@dataclass(frozen=True)
class Echo(Check):
    """Answers with the number the output spells; `skip` and `break` say the rest."""

    default_name: ClassVar[str] = "echo"
    parts: ClassVar[tuple[str, ...]] = ("echo",)
    needs: ClassVar[str] = "nothing"
    formula: ClassVar[str] = "the output"
    max_chars: ClassVar[int] = 10

    threshold: float = 0.5

    def grade(self, trial: Trial) -> Score:
        text = trial.output.text
        if text == "skip":
            return Score.skipped("nothing there")
        if text == "break":
            return Score.error("broken")
        return self.verdict(float(text), f"got {text}", seen=text)


def test_the_dict_dialect_says_numbers_nothing_or_raises() -> None:
    assert Echo().score({}, {"response": "0.25"}) == {"echo": 0.25}
    assert Echo(name="mine").score({}, {"response": "0.25"}) == {"mine.echo": 0.25}
    assert Echo().score({}, {"response": "skip"}) == {}
    with pytest.raises(EvaluationError, match="broken"):
        Echo().score({}, {"response": "break"})


def test_the_suite_dialect_says_absence_without_a_number() -> None:
    done = Echo().evaluate(EvalCase("q"), "0.75")
    assert (done.evaluator, done.score, done.passed, done.reason) == ("echo", 0.75, True, "got 0.75")
    assert done.metadata == {"seen": "0.75"}
    skipped = Echo().evaluate(EvalCase("q"), "skip")
    assert (skipped.score, skipped.passed, skipped.status) == (None, False, "skipped")
    assert skipped.reason == "[skipped] nothing there"
    assert skipped.metadata == {"skipped": True}


@pytest.mark.parametrize("output", [None, b"0.5", object(), "1" * 11], ids=["none", "bytes", "object", "long"])
def test_a_broken_output_is_a_scored_failure(output: object) -> None:
    result = Echo(threshold=0.0).evaluate(EvalCase("q"), output)
    assert (result.score, result.passed, result.status) == (0.0, False, "scored")
    assert result.reason


def test_the_limit_is_named() -> None:
    assert "echo reads 10" in Echo().evaluate(EvalCase("q"), "1" * 11).reason
    assert "echo reads 10" in Echo().evaluate(EvalCase("q", "1" * 11), "1").reason


@pytest.mark.parametrize("threshold", [-0.1, 1.1, float("nan"), "0.5", None, True])
def test_a_wrong_threshold_is_refused(threshold: float) -> None:
    with pytest.raises(ConfigurationError, match="threshold must be a number in"):
        Echo(threshold)


def test_metadata_of_a_case_reaches_the_evaluator_as_fields() -> None:
    seen: list[object] = []

    @dataclass(frozen=True)
    class Spy(Echo):
        def grade(self, trial: Trial) -> Score:
            seen.append((trial.case.fields["correct_letter"], trial.output.latency_seconds))
            return self.verdict(1.0)

    Spy().evaluate(EvalCase("q", metadata={"correct_letter": "B"}), "x", latency_ms=1500)
    assert seen == [("B", 1.5)]


@pytest.mark.parametrize("case", ["q", None, 7, ["q"]], ids=["text", "none", "number", "list"])
def test_what_is_not_a_case_is_named(case: object) -> None:
    with pytest.raises(
        ConfigurationError, match="a case is a dict, a Case or an object with input and expected_output; got"
    ):
        Echo().evaluate(case, "0.5")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("original", "processed", "name"),
    [(None, {"response": "0.5"}, "original"), ("q", {}, "original"), ({}, "0.5", "processed"), ({}, [], "processed")],
    ids=["none", "text", "output_text", "output_list"],
)
def test_what_is_not_a_dict_is_named(original: object, processed: object, name: str) -> None:
    with pytest.raises(ConfigurationError, match=f"takes two dicts; {name} is"):
        Echo().score(original, processed)  # type: ignore[arg-type]


def test_a_system_that_returned_nothing_failed() -> None:
    assert Echo().score({}, None) == {"echo": 0.0}  # type: ignore[arg-type]
