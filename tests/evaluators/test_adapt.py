"""Any dialect, or a function, becomes an evaluator."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from ringtrue import CheckResult, EvalCase, Evaluator, Score, Trial, as_evaluator
from ringtrue.dialects.suite import case_of, suite_case
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators import NotEmpty
from ringtrue.records import Case, Output

TRIAL = Trial(
    Case("c1", "Capital of France?", ("Paris",), "Europe", fields={"context": "one two three four"}),
    Output("It is Paris", latency_seconds=0.25),
)


class WordCountDiff:
    """Seed 001's own example: nothing is imported."""

    name = "word-count-diff"

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
        original_words = len(original.get("context", "").split())
        output_words = len(processed.get("response", "").split())
        ratio = output_words / original_words if original_words else 0.0
        return {"word_count_ratio": ratio}


class SuiteStyle:
    name = "fast_enough"

    def evaluate(self, case: EvalCase, output: str, latency_ms: float | None = None) -> CheckResult:
        assert case.expected_output == "Paris"
        return CheckResult(self.name, 1.0, latency_ms == 250.0, "measured")


def test_a_class_of_the_users_own_satisfies_the_protocol() -> None:
    assert isinstance(WordCountDiff(), Evaluator)
    assert isinstance(NotEmpty(), Evaluator)
    assert not isinstance(SimpleNamespace(name="x"), Evaluator)


def test_the_dict_dialect_is_spoken() -> None:
    score = as_evaluator(WordCountDiff()).measure(TRIAL)
    assert score.parts == {"word_count_ratio": 0.75}
    assert score.value == 0.75


def test_a_number_outside_the_range_is_kept_as_a_part_and_clipped_as_a_value() -> None:
    score = as_evaluator(SimpleNamespace(name="n", score=lambda o, p: {"n": 3.0})).measure(TRIAL)
    assert (score.value, score.parts, score.metadata) == (1.0, {"n": 3.0}, {"clipped_from": 3.0})
    assert score.passed


def test_the_suite_dialect_is_spoken_and_gets_the_latency() -> None:
    score = as_evaluator(SuiteStyle()).measure(TRIAL)
    assert (score.value, score.passed, score.reason) == (1.0, True, "measured")


def output_only(output: str) -> bool:
    return "Paris" in output


def with_expected(output: str, expected: str) -> float:
    return 0.25 if expected in output else 0.0


def with_dicts(original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]:
    return {"same": float(original["answer"] in processed["response"])}


def with_case(case: EvalCase, output: str) -> CheckResult:
    return CheckResult("c", float(case.input == "Capital of France?"), True)


def with_trial(trial: Trial) -> Score:
    return Score(1.0 if trial.case.id == "c1" else 0.0, passed=True)


@pytest.mark.parametrize(
    ("function", "value"),
    [(output_only, 1.0), (with_expected, 0.25), (with_dicts, 1.0), (with_case, 1.0), (with_trial, 1.0)],
)
def test_functions_are_called_by_their_parameters(function: Any, value: float) -> None:
    evaluator = as_evaluator(function)
    assert evaluator.name == function.__name__
    assert evaluator.measure(TRIAL).value == value


def test_an_output_without_text_fails_unasked() -> None:
    score = as_evaluator(lambda output: True).measure(Trial(Case(), Output(problem="the output is None")))
    assert (score.value, score.passed, score.reason) == (0.0, False, "the output is None")


def test_a_case_of_a_suite_comes_back_whole() -> None:
    said = [{"role": "user", "content": "x"}]
    case = EvalCase("q", ["a", "b"], "c", said, ["step"], ["tool"], {"k": 1}, ["t"], None, "id", "r", "s")
    assert suite_case(case_of(case)) == case


def test_what_is_already_an_evaluator_stays() -> None:
    check = NotEmpty()
    assert as_evaluator(check) is check


@pytest.mark.parametrize("thing", [NotEmpty, 42, "not_empty", None, lambda: 1.0, lambda a, b, c: 1.0], ids=range(6))
def test_what_is_not_an_evaluator_is_refused(thing: Any) -> None:
    with pytest.raises(ConfigurationError):
        as_evaluator(thing)


def test_a_builtin_is_a_function_like_any_other() -> None:
    assert as_evaluator(len, name="length").signature().startswith("length=builtins.len|")


def test_an_unreadable_result_is_an_error_and_none_is_a_skip() -> None:
    assert as_evaluator(lambda output: "yes").measure(TRIAL).status == "error"
    assert as_evaluator(lambda output: None).measure(TRIAL).status == "skipped"


def test_the_signature_follows_the_code_and_the_settings() -> None:
    first, second = SimpleNamespace(score=lambda o, p: {}, limit=1), SimpleNamespace(score=lambda o, p: {}, limit=2)
    assert as_evaluator(first, name="x").signature() != as_evaluator(second, name="x").signature()
    assert as_evaluator(output_only).signature() == as_evaluator(output_only).signature()
    assert as_evaluator(output_only).signature() != as_evaluator(with_expected).signature()
