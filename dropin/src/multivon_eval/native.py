"""A result in ringtrue's words, for what ringtrue writes: JUnit, HTML and the terminal."""

from __future__ import annotations

from multivon_eval.case_result import CASE_LEVEL, CaseResult
from ringtrue.api import case_result
from ringtrue.api.case_result import EvalStatus
from ringtrue.dialects.suite import CheckResult


def native_case(case: CaseResult) -> case_result.CaseResult:
    """The case as ringtrue knows it; a verdict that none of its checks shows gets a line of its own."""
    checks = [result.native() for result in case.results]
    if case.model_error is None and case.error and all(check.status != "error" for check in checks):
        checks.append(CheckResult(CASE_LEVEL, None, False, case.error, {"kind": str(case.status)}, "error"))
    failed = case.status is EvalStatus.FAILED_QUALITY
    if failed and all(check.passed or check.status != "scored" for check in checks):
        words = f"{case.pass_count} of {case.runs} runs passed" if case.pass_count >= 0 else "no check measured it"
        checks.append(CheckResult(CASE_LEVEL, case.score, False, words))
    return case_result.CaseResult(
        str(case.case_input),
        str(case.actual_output),
        tuple(checks),
        case.latency_ms,
        tuple(case.tags),
        case.model_error,
        skipped=case.skipped,
    )
