"""Policies of multivon-eval: what is shown to be bad rejects a report, what is not shown leaves it open."""

from __future__ import annotations

import dataclasses
import json
from collections.abc import Callable
from typing import Any

import pytest
from multivon_eval import (
    AcceptancePolicy,
    CaseResult,
    CheckRequirement,
    EvalCase,
    EvalGateFailure,
    EvalReport,
    EvalResult,
    EvalSuite,
    ExactMatch,
    JudgeRetry,
    JudgeUnavailable,
    NotEmpty,
    SliceRequirement,
    compare_reports,
)
from multivon_eval.evaluators.base import Evaluator


def policy(**settings: Any) -> AcceptancePolicy:
    return AcceptancePolicy([CheckRequirement("exact_match")], **settings)


def report(*cases: EvalCase, said: str | Callable[[str], str] = "a", runs: int = 1, **options: Any) -> EvalReport:
    suite = EvalSuite("s").add_cases(cases or [EvalCase("q", "a")]).add_evaluator(ExactMatch())
    return suite.run(said if callable(said) else lambda question: said, runs=runs, verbose=False, **options)


def codes(found: EvalReport, contract: AcceptancePolicy) -> tuple[str, list[str]]:
    result = contract.evaluate(found)
    return result.decision, sorted({finding.code for finding in result.findings})


def test_a_report_that_shows_all_is_accepted() -> None:
    result = policy(min_source_groups=1).evaluate(report(EvalCase("q", "a", source_id="s")))
    assert (result.decision, result.exit_code, result.findings) == ("accept", 0, ())
    result.assert_accepted()
    assert json.loads(json.dumps(result.to_dict()))["policy_digest"] == policy(min_source_groups=1).digest


def test_a_policy_survives_json_and_every_change_changes_its_digest() -> None:
    contract = policy(slices=[SliceRequirement("edge")])
    assert AcceptancePolicy.from_dict(json.loads(json.dumps(contract.to_dict()))) == contract
    assert dataclasses.replace(contract, min_cases=2).digest != contract.digest
    with pytest.raises(ValueError, match="schema"):
        AcceptancePolicy.from_dict({"checks": []})


TWO_OF_A_SOURCE = (EvalCase("q", "a", source_id="s"), EvalCase("r", "a", source_id="s"))


@pytest.mark.parametrize(
    ("make", "contract", "decision", "reasons"),
    [
        pytest.param(lambda: report(said="b"), policy(), "reject", ["quality_threshold"], id="wrong"),
        pytest.param(
            lambda: report(said="b"),
            policy(min_cases=9),
            "reject",
            ["insufficient_cases", "quality_threshold"],
            id="bad-and-few",
        ),
        pytest.param(
            lambda: report(runs=9), policy(min_cases=2), "indeterminate", ["insufficient_cases"], id="runs-are-no-cases"
        ),
        pytest.param(
            lambda: report(),
            AcceptancePolicy([CheckRequirement("other")]),
            "indeterminate",
            ["check_coverage", "insufficient_measurements"],
            id="no-such-check",
        ),
        pytest.param(
            lambda: report(*TWO_OF_A_SOURCE),
            policy(min_source_groups=2),
            "indeterminate",
            ["insufficient_source_groups"],
            id="one-source",
        ),
        pytest.param(
            lambda: report(),
            policy(min_source_groups=1),
            "indeterminate",
            ["insufficient_source_groups", "missing_source_groups"],
            id="no-source",
        ),
        pytest.param(
            lambda: report(EvalCase("q", "a", tags=["edge"])),
            policy(slices=[SliceRequirement("edge", min_cases=2)]),
            "indeterminate",
            ["insufficient_measurements", "insufficient_slice"],
            id="small-slice",
        ),
        pytest.param(
            lambda: EvalReport("s", []),
            policy(),
            "indeterminate",
            ["check_coverage", "insufficient_cases", "insufficient_measurements"],
            id="nothing",
        ),
    ],
)
def test_decisions(
    make: Callable[[], EvalReport], contract: AcceptancePolicy, decision: str, reasons: list[str]
) -> None:
    found = make()
    assert codes(found, contract) == (decision, reasons)
    with pytest.raises(EvalGateFailure) as failure:
        contract.evaluate(found).assert_accepted()
    assert failure.value.code == {"reject": 1, "indeterminate": 2}[decision]
    assert failure.value.acceptance == contract.evaluate(found)  # type: ignore[attr-defined]


def test_a_tag_is_held_to_more_than_the_whole() -> None:
    found = report(EvalCase("q", "a"), EvalCase("r", "a", tags=["edge"]), said=lambda q: "a" if q == "q" else "b")
    contract = AcceptancePolicy([CheckRequirement("exact_match", min_pass_rate=0.5)], [SliceRequirement("edge")])
    result = contract.evaluate(found)
    assert (result.decision, {finding.scope for finding in result.findings}) == ("reject", {"tag:edge"})


def test_one_failure_of_a_critical_check_rejects_whatever_the_others_say() -> None:
    answers = iter("baa")
    found = report(said=lambda question: next(answers), runs=3, workers=1)
    assert found.case_results[0].results[0].passed
    critical = AcceptancePolicy([CheckRequirement("exact_match", min_pass_rate=0, critical=True)])
    assert codes(found, critical) == ("reject", ["critical_failure"])


class Moody(Evaluator):
    """A judge that cannot be reached the first time."""

    name = "moody"
    times = 0

    def evaluate(self, case: EvalCase, output: str) -> EvalResult:
        self.times += 1
        if self.times == 1:
            raise JudgeUnavailable("busy")
        return self._result(1.0)


def test_a_lucky_retry_hides_nothing_unless_the_policy_says_so() -> None:
    suite = EvalSuite("s").add_case(EvalCase("q", "a")).add_evaluators(ExactMatch(), Moody())
    found = suite.run(lambda question: "a", verbose=False, judge_retry=JudgeRetry(base_backoff=0))
    assert found.passed == 1
    assert codes(found, policy()) == ("indeterminate", ["error_budget"])
    assert codes(found, policy(trial_scope="final_attempt")) == ("accept", [])


def test_a_judge_that_is_away_is_no_failure_of_quality() -> None:
    found = EvalSuite("s").add_evaluator(Moody()).run_on_cases([(EvalCase("q"), "a")], verbose=False)
    result = AcceptancePolicy([CheckRequirement("moody", critical=True)]).evaluate(found)
    assert (result.decision, {finding.kind for finding in result.findings}) == ("indeterminate", {"evidence"})


def test_what_is_skipped_is_not_passed() -> None:
    found = EvalSuite("s").add_case(EvalCase("q")).add_evaluators(NotEmpty(), ExactMatch()).run(
        lambda question: "a", verbose=False
    )  # fmt: skip
    assert found.passed == 1
    assert codes(found, policy())[1] == ["check_coverage", "insufficient_measurements"]


def test_reports_without_trials_are_accepted_only_where_none_are_asked_for() -> None:
    old = EvalReport("old", [CaseResult("q", "a", [EvalResult("exact_match", 1, True)])])
    assert codes(old, policy())[0] == "indeterminate"
    assert codes(old, policy(require_identity=False, require_trials=False))[0] == "accept"


@pytest.mark.parametrize("change", ["case_id", "actual_output", "tags", "fewer", "twice", "none"])
def test_trials_that_are_not_those_of_the_case_are_no_evidence(change: str) -> None:
    found = report(runs=2)
    case = found.case_results[0]
    if change in ("case_id", "actual_output", "tags"):
        setattr(case, change, ["other"] if change == "tags" else "other")
    else:
        case.trials = {"fewer": case.trials[:1], "twice": (case.trials[0],) * 2, "none": ()}[change]
    assert policy().evaluate(found).decision == "indeterminate"
    assert compare_reports(found, found).mcnemar_p is None


def test_what_an_upstream_says_of_its_evidence_counts() -> None:
    found = report()
    found.evidence_issues.append("the run was interrupted")
    assert codes(found, policy()) == ("indeterminate", ["report_evidence"])
    assert compare_reports(found, found).identity_issues == ["the run was interrupted"] * 2


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: policy(min_cases=0), lambda: policy(min_cases=True), lambda: policy(min_source_groups=-1),
        lambda: policy(max_error_rate=float("nan")), lambda: policy(max_error_rate=1.1),
        lambda: policy(trial_scope="random"), lambda: policy(require_trials="yes"),
        lambda: CheckRequirement(""), lambda: CheckRequirement("x", min_pass_rate=-1),
        lambda: CheckRequirement("x", min_coverage=float("inf")), lambda: SliceRequirement(""),
        lambda: SliceRequirement("edge", min_cases=0), lambda: AcceptancePolicy([]),
        lambda: AcceptancePolicy([CheckRequirement("x"), CheckRequirement("x")]),
        lambda: AcceptancePolicy(["x"]),  # type: ignore[list-item]
    ],
    ids=[f"wrong-{number}" for number in range(15)],
)  # fmt: skip
def test_a_policy_that_makes_no_sense_is_refused(wrong: Callable[[], Any]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        wrong()
