"""Checks that are held against what is right and what is wrong; the function under test is never asked."""

from __future__ import annotations

import json
from typing import Any

import pytest
from multivon_eval import (
    Contains,
    EvalCase,
    EvalResult,
    EvalSuite,
    JudgeUnavailable,
    Latency,
    NotEmpty,
    ValidationReport,
    validate_suite,
)
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.reporters.terminal import print_validation


class Judge(Evaluator):
    """A judge that passes everything, and counts how often it is asked."""

    name = "judge"
    uses_llm_judge = True

    def __init__(self, problem: str = "") -> None:
        super().__init__()
        self.problem, self.asked = problem, 0

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        self.asked += 1
        if self.problem:
            raise JudgeUnavailable(self.problem)
        return self._result(1.0)


class Broken(Evaluator):
    """A check with a mistake."""

    name = "broken"

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        raise RuntimeError("kaboom")


def bad_reference(case: EvalCase) -> str:
    raise ValueError("no reference today")


def suite(*evaluators: Any, cases: list[EvalCase] | None = None) -> EvalSuite:
    return EvalSuite("s").add_cases(cases or [EvalCase("q", "hello world")]).add_evaluators(*evaluators)


@pytest.mark.parametrize(
    ("evaluators", "case", "status", "reason"),
    [
        pytest.param([NotEmpty(), Contains(["hello"])], EvalCase("q", "hello"), "OK", "", id="right"),
        pytest.param(
            [Contains(["no"])], EvalCase("q", "hello"), "BROKEN_TASK_OR_GRADER", "case or a check", id="fails"
        ),
        pytest.param([Broken()], EvalCase("q", "hello"), "BROKEN_TASK_OR_GRADER", "case or a check", id="raises"),
        pytest.param([], EvalCase("q", "hello"), "UNVALIDATABLE", "no evaluators", id="no-checks"),
        pytest.param([NotEmpty()], EvalCase("q"), "UNVALIDATABLE", "add expected_output", id="no-reference"),
        pytest.param(
            [Contains(["good"])], EvalCase("q", "bad", reference_output="good"), "OK", "", id="reference-first"
        ),
        pytest.param([NotEmpty()], EvalCase("q", reference_output=lambda case: case.input), "OK", "", id="function"),
        pytest.param(
            [NotEmpty()],
            EvalCase("q", reference_output=bad_reference),
            "BROKEN_TASK_OR_GRADER",
            "Traceback",
            id="raises-itself",
        ),
        pytest.param([Latency(5)], EvalCase("q", "hello"), "UNVALIDATABLE", "anything to measure", id="skips"),
    ],
)
def test_one_case(evaluators: list[Any], case: EvalCase, status: str, reason: str) -> None:
    (found,) = validate_suite(suite(*evaluators, cases=[case])).results
    assert found.status == status
    assert reason in found.reason


def test_a_failed_check_says_why() -> None:
    found = validate_suite(suite(Contains(["unicorn"]), Broken()))
    assert [check.evaluator for check in found.broken[0].failed_graders] == ["contains", "broken"]
    assert "kaboom" in found.broken[0].failed_graders[1].reason
    assert (found.passed, found.status) == (False, "BROKEN_TASK_OR_GRADER")


def pair(wrong: str) -> list[EvalCase]:
    right = EvalCase("capital?", "Paris is in France", metadata={"pair_id": "p"})
    return [right, EvalCase("capital?", metadata={"pair_id": "p", "unfaithful_answer": wrong})]


def test_a_check_that_passes_right_and_wrong_says_nothing() -> None:
    cases = pair("Paris is in Spain")
    lenient = validate_suite(suite(Contains(["Paris"]), cases=cases))
    assert [result.status for result in lenient.results] == ["NO_DISCRIMINATION", "UNVALIDATABLE"]
    assert (lenient.effective_informative_cases, lenient.passed) == ((0, 1), True)
    assert validate_suite(suite(Contains(["France"]), cases=cases)).results[0].status == "OK"
    assert suite(Contains(["Paris"]), cases=cases).validate(contrast=False).results[0].status == "OK"


def test_judges_are_asked_only_if_they_are_included() -> None:
    judge = Judge()
    offline = validate_suite(suite(Contains(["Paris"]), judge, cases=pair("Paris is in Spain")))
    assert (judge.asked, offline.results[0].skipped_graders) == (0, ["judge"])
    assert offline.to_dict()["skipped_judge_graders"] == ["judge"]
    asked = validate_suite(suite(judge, cases=pair("Paris is in Spain")), include_judges=True)
    assert judge.asked == 2
    assert json.loads(asked.to_json())["costs"]["total_calls"] == 0


def test_where_nothing_was_validated_nothing_passes() -> None:
    found = validate_suite(suite(Judge()))
    assert found.results[0].reason == "all graders are judge-backed; rerun with --judges"
    assert (found.passed, found.nothing_validated, found.status) == (False, True, "NOTHING_VALIDATED")
    assert "zero graders executed" in str(found)
    assert "PASSED" not in str(found)


def test_a_judge_that_is_away_says_nothing_of_the_checks() -> None:
    away = validate_suite(suite(Judge("503")), include_judges=True)
    assert (away.results[0].status, away.broken) == ("UNVALIDATABLE", [])
    assert "not a grader verdict" in away.results[0].reason
    both = validate_suite(suite(Contains(["no"]), Judge("503")), include_judges=True)
    assert [check.evaluator for check in both.broken[0].failed_graders] == ["contains"]


def test_what_is_printed_is_never_markup(capsys: pytest.CaptureFixture[str]) -> None:
    found: ValidationReport = validate_suite(suite(Contains(["no"]), cases=[EvalCase("[/red]\x1b[31m", "hello")]))
    print_validation(found)
    said = capsys.readouterr().out
    assert "Validate: s: FAILED" in said
    assert "BROKEN_TASK_OR_GRADER: '[/red]" in said
    assert "\x1b" not in said
