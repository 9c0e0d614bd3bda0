"""What another program recorded of a trial stays with it, and is not mended by other checks."""

from __future__ import annotations

from typing import Any

import pytest
from multivon_eval import AcceptancePolicy, CheckRequirement, EvalCase, EvalReport, EvalSuite, ExactMatch, regrade
from multivon_eval.trials import attach_trial, capture_case, trial_integrity_issues
from multivon_eval.upstream import execution_issues

CASE = EvalCase("q", "a", case_id="q1")


def report(execution: dict[str, Any] | None = None, places: tuple[tuple[int, int], ...] = ((1, 1),)) -> EvalReport:
    """A case that passed, as if another program had run it at these attempts and runs."""
    found = EvalSuite("s").add_evaluator(ExactMatch()).run_on_cases([(CASE, "a")], verbose=False)
    (result,) = found.case_results
    trials = []
    for attempt, run in places:
        about: dict[str, Any] = {
            "upstream": {"format": "inspect", "execution": execution or {}},
            "gaps": ["b", "a", "b"],
        }
        attach_trial(result, capture_case(CASE), origin="inspect", attempt=attempt, run_index=run, **about)
        trials += result.trials
    result.trials = tuple(trials)
    result.retry_attempts, result.runs = max(a for a, _ in places) - 1, max(r for _, r in places)
    return found


def decided(found: EvalReport, **policy: Any) -> str:
    return AcceptancePolicy([CheckRequirement("exact_match")], **policy).evaluate(found).decision


@pytest.mark.parametrize(
    ("execution", "words"),
    [
        ({"error": "cable"}, "broke: cable"),
        ({"limit": {"type": "time"}, "accepted_limits": ["token"]}, "limit 'time'"),
        ({"invalidation": {"reason": "wrong file"}}, "wrong file"),
        ({"compatibility_issues": ["another task"]}, "another task"),
    ],
    ids=["error", "limit", "invalidation", "contract"],
)
def test_a_run_that_gives_no_verdict_is_not_accepted(execution: dict[str, Any], words: str) -> None:
    found = report(execution)
    assert [words in issue for issue in execution_issues({"execution": execution})] == [True]
    again = regrade(found, EvalSuite("again").add_evaluator(ExactMatch()))
    for one in (again, regrade(again, EvalSuite("again").add_evaluator(ExactMatch()))):
        assert words in str(one.case_results[0].evaluator_error)
        assert decided(one) == "indeterminate"
    if "error" not in execution:
        assert decided(found, max_error_rate=1.0) == "indeterminate"


def test_a_run_that_ended_well_is_a_trial_like_any_other() -> None:
    found = report({"limit": {"type": "time"}, "accepted_limits": ["time"]})
    assert (execution_issues(None), execution_issues({}), decided(found)) == ([], [], "accept")
    again = regrade(found, EvalSuite("again").add_evaluator(ExactMatch()))
    before, after = (one.case_results[0].trials[0].data for one in (found, again))
    assert (after["upstream"], decided(again)) == (before["upstream"], "accept")
    assert before["evidence_gaps"][-2:] == ["a", "b"]
    assert set(before["evidence_gaps"]) == set(after["evidence_gaps"])


@pytest.mark.parametrize(
    ("places", "whole"),
    [
        (((1, 1), (1, 2), (2, 2)), True),
        (((1, 1), (2, 2)), True),
        (((1, 1), (1, 2), (2, 2), (2, 2)), False),
        (((1, 2), (2, 2)), False),
        (((1, 1), (3, 1)), False),
    ],
    ids=["one again", "later", "twice", "run lost", "attempt lost"],
)
def test_runs_that_were_not_repeated_still_count(places: tuple[tuple[int, int], ...], whole: bool) -> None:
    found = report(places=places)
    assert (trial_integrity_issues(found.case_results[0]) == []) is whole
    assert decided(found, trial_scope="final_attempt") == ("accept" if whole else "indeterminate")
