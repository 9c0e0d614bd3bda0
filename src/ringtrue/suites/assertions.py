"""`assert_evaluators`: checks of one output, for tests."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ringtrue.dialects.suite import AnyCase, CheckResult
from ringtrue.reports.case_result import CaseResult
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.junit import trial_detail
from ringtrue.suites.suite import EvalSuite

SHOWN_FAILURES = 5


class EvaluatorFailure(AssertionError):
    """A check did not pass, or no check measured anything; `results` has all results."""

    def __init__(self, message: str, results: list[CheckResult]) -> None:
        super().__init__(message)
        self.results = results


def assert_evaluators(
    case: AnyCase, output: Any, evaluators: Any, latency_ms: float | None = None
) -> list[CheckResult]:
    """Return the results of the checks; raise EvaluatorFailure if one fails or breaks, or if none measured anything.

    `evaluators` is one evaluator or a list.
    """
    __tracebackhide__ = True
    several = evaluators if isinstance(evaluators, Iterable) and not isinstance(evaluators, str) else [evaluators]
    suite = EvalSuite("assert_evaluators").add_evaluators(*several)
    report = suite.run_on_cases([(case, output)], [latency_ms], verbose=False)
    return assert_passed(report.case_results[0])


def assert_passed(found: CaseResult) -> list[CheckResult]:
    """The checks of a case that passed; any other case is an EvaluatorFailure that says why."""
    __tracebackhide__ = True
    results = list(found.results)
    if not found.passed:
        raise EvaluatorFailure(failure_text(found), results)
    return results


def assert_all_passed(report: EvalReport) -> EvalReport:
    """The report of a suite whose cases all passed; else an EvaluatorFailure that shows the first ones that did not."""
    __tracebackhide__ = True
    failed = [found for found in report.case_results if not found.passed]
    if failed or not report.case_results:
        shown = [f"{found.case_id}: {failure_text(found)}" for found in failed[:SHOWN_FAILURES]]
        words = f"{len(failed)} of {len(report.case_results)} cases did not pass" if failed else "there was no case"
        raise EvaluatorFailure("\n\n".join([words, *shown]), [one for found in failed for one in found.results])
    return report


def failure_text(found: CaseResult, only: str | None = None) -> str:
    """Return why a case, or one check of it, did not pass: the checks, then input, expected answer and output."""
    lines = [_line(result) for result in found.results if only in (None, result.evaluator) and not result.passed]
    if found.model_error is not None:
        lines = [f"there is no output: {found.model_error}", *([found.traceback] if found.traceback else [])]
    elif only is None:
        failed = sum(result.status != "skipped" and not result.passed for result in found.results)
        words = f"{failed} of {len(found.results)} checks did not pass" if failed else "no check measured anything"
        lines = [words, *(f"  {line}" for line in lines)]
    return "\n".join([*lines, trial_detail(found.case_input, found.expected, found.actual_output)])


def _line(result: CheckResult) -> str:
    number = "" if result.score is None else f" (score {result.score:.3f})"
    return f"{result.evaluator}: {result.reason or 'did not pass'}{number}"
