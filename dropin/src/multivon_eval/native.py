"""A result in ringtrue's words, for what ringtrue writes: JUnit, HTML and the terminal."""

from __future__ import annotations

from multivon_eval.case_result import CASE_LEVEL, CaseResult
from ringtrue.dialects.suite import CheckResult
from ringtrue.reports import case_result
from ringtrue.reports.case_result import EvalStatus


def native_case(case: CaseResult) -> case_result.CaseResult:
    """The case as ringtrue knows it; a verdict that none of its checks shows gets a line of its own, before theirs."""
    checks = [_native(case, result.native()) for result in case.results]
    failed = case.status is EvalStatus.FAILED_QUALITY
    if failed and all(check.passed or check.status != "scored" for check in checks):
        words = f"{case.pass_count} of {case.runs} runs passed" if case.pass_count >= 0 else "no check measured it"
        checks.insert(0, CheckResult(CASE_LEVEL, case.score, False, words))
    if case.model_error is None and case.error and all(check.status != "error" for check in checks):
        checks.insert(0, CheckResult(CASE_LEVEL, None, False, case.error, {"kind": str(case.status)}, "error"))
    return case_result.CaseResult(
        str(case.case_input),
        str(case.actual_output),
        tuple(checks),
        case.latency_ms,
        tuple(case.tags),
        case.model_error,
        skipped=case.skipped,
    )


def _native(case: CaseResult, check: CheckResult) -> CheckResult:
    """What a check says of a case without a verdict: nothing, where there was no output or the case was left out.

    Where an error is known of the case alone, it is the error of the checks that did not pass.
    """
    if case.skipped:
        return CheckResult(check.evaluator, None, False, "the case was skipped", {}, "skipped")
    broken = any(result.status == "error" for result in case.results)
    unexplained = case.error is not None and not broken and not check.passed and check.status == "scored"
    if case.model_error is not None or unexplained:
        return CheckResult(check.evaluator, None, False, case.error or "", {"kind": str(case.status)}, "error")
    return check
