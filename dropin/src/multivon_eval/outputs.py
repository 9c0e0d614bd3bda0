"""A report as multivon-eval's JSON and CSV, back from that JSON, and as ringtrue's report for everything else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ringtrue.reports.rows import csv_lines

from multivon_eval.case import AgentStep, ToolCall
from multivon_eval.case_result import CaseResult, EvalResult, EvalStatus
from multivon_eval.passk import PassKResult
from ringtrue import CaseResult as NativeCaseResult
from ringtrue import CheckResult
from ringtrue import EvalReport as NativeReport
from ringtrue.evaluators import JSONSchemaEval

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

SCHEMAS = ("multivon.report/v1", "multivon.report/v2")
CASE_LEVEL = "(case-level)"
"""Stands where a check's name would, for what is known of a case as a whole."""
COLUMNS = (
    "input", "output", "evaluator", "score", "score_std", "run_pass_rate", "is_flaky", "passed", "reason",
    "latency_ms", "tags",
)  # fmt: skip
TEXT_CHARS, REASON_CHARS = 200, 300

_PLAIN = (
    "case_id", "case_digest", "evidence_error", "model_error", "judge_error", "evaluator_error", "skipped",
    "all_scores", "runs", "pass_count", "retry_attempts", "retry_errors", "tags", "trials",
)  # fmt: skip
"""Fields of a case that its record holds under their own names."""


def report_record(report: EvalReport) -> dict[str, Any]:
    """The report as a JSON object."""
    return {
        "schema": SCHEMAS[-1],
        "evidence_issues": report.evidence_issues,
        "provider_evidence": report.provider_evidence,
        "execution": report.execution,
        "suite": report.suite_name,
        "model": report.model_id,
        "suite_lock": report.suite_lock,
        "summary": _summary_record(report),
        "cases": [_case_record(case) for case in report.case_results],
    }


def _summary_record(report: EvalReport) -> dict[str, Any]:
    as_they_are = (
        "total", "evaluated", "passed", "failed", "errors", "errors_by_kind", "skipped", "runs_per_case",
        "flaky_count", "judge_reliability", "purpose", "saturated", "min_detectable_regression", "costs",
    )  # fmt: skip
    found: dict[str, Any] = {name: getattr(report, name) for name in as_they_are}
    found |= {name: round(getattr(report, name), 4) for name in ("pass_rate", "avg_score", "stability_score")}
    found |= {"pass_rate_ci_95": report.pass_rate_ci(), "avg_score_ci_95": report.avg_score_ci()}
    found["score_percentiles"] = report.score_percentiles()
    found["by_evaluator"] = {name: round(score, 4) for name, score in report.scores_by_evaluator().items()}
    if (k := report.runs_per_case) > 1:
        found["pass_at_k"], found["pass_hat_k"] = _estimate(report.pass_at_k(k)), _estimate(report.pass_hat_k(k))
    return found


def _estimate(found: PassKResult) -> dict[str, Any]:
    low, high, value = (n if n is None else round(n, 4) for n in (found.ci_low, found.ci_high, found.value))
    interval = None if low is None else (low, high)
    record: dict[str, Any] = {"k": found.k, "value": value, "ci_95": interval, "estimator": found.estimator}
    return record | {"runs": found.runs} | ({"unknown_reason": found.unknown_reason} if found.unknown_reason else {})


def _case_record(case: CaseResult) -> dict[str, Any]:
    checks = [{"name": check.pop("evaluator"), **check} for check in map(asdict, case.results)]
    trace = case.agent_trace
    return {
        "input": case.case_input,
        "output": case.actual_output,
        "status": case.status.value,
        "passed": case.passed,
        "is_flaky": case.is_flaky,
        "latency_ms": round(case.latency_ms, 1),
        "agent_trace": trace and [step if isinstance(step, dict) else asdict(step) for step in trace],
        "evaluators": checks,
        **{name: round(getattr(case, name), 4) for name in ("score", "score_std", "run_pass_rate")},
        **{name: getattr(case, name) for name in _PLAIN},
    }


def report_from(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the report a JSON object describes; a message tells what is wrong, and nothing of what was said."""
    _require_report(data)
    summary = data.get("summary") or {}
    return {
        "suite_name": data.get("suite") or "",
        "case_results": [_case_from(record) for record in data["cases"]],
        "model_id": data.get("model") or "",
        "purpose": summary.get("purpose") or "",
        "evidence_issues": list(data.get("evidence_issues") or ()),
        **{name: summary.get(name) for name in ("judge_reliability", "costs")},
        **{name: data.get(name) for name in ("suite_lock", "provider_evidence", "execution")},
    }


def _case_from(record: Mapping[str, Any]) -> CaseResult:
    case = CaseResult(
        case_input=record["input"],
        actual_output=record["output"],
        results=[_check_from(**check) for check in record.get("evaluators", ())],
        latency_ms=record.get("latency_ms") or 0.0,
        agent_trace=trace_from(record.get("agent_trace")),
        **{name: record[name] for name in _PLAIN if record.get(name) is not None},
    )
    case.trials = tuple(case.trials)
    for name, found in (("status", case.status.value), ("passed", case.passed)):
        if name in record and record[name] != found:
            raise ValueError(f"a case says {name} {record[name]!r}; by its checks it is {found!r}")
    return case


def _check_from(
    name: str, score: float, passed: bool, reason: str = "", metadata: Mapping[str, Any] | None = None, **more: Any
) -> EvalResult:
    return EvalResult(name, score, passed, reason, dict(metadata or {}))


def trace_from(data: Sequence[Mapping[str, Any]] | None) -> list[AgentStep] | None:
    """The steps of an agent that plain values describe; a key that a step does not have is a ValueError."""
    try:
        steps = [(dict(step), step.get("tool_calls") or ()) for step in data or ()]
        found = [AgentStep(**{**step, "tool_calls": [ToolCall(**call) for call in calls]}) for step, calls in steps]
    except (TypeError, AttributeError) as error:
        raise ValueError(f"not a step of agent_trace: {error}") from error
    return None if data is None else found


def csv_text(cases: Sequence[CaseResult]) -> str:
    """One line per check; a case without checks has one line, too."""
    return csv_lines([COLUMNS, *(row for case in cases for row in _csv_rows(case))]).decode()


def _csv_rows(case: CaseResult) -> Iterator[list[Any]]:
    start = [str(case.case_input)[:TEXT_CHARS], str(case.actual_output)[:TEXT_CHARS]]
    runs = [round(case.score_std, 4), round(case.run_pass_rate, 4), case.is_flaky]
    end = [round(case.latency_ms, 1), ",".join(case.tags)]
    for result in case.results:
        yield [*start, result.evaluator, result.score, *runs, result.passed, result.reason[:REASON_CHARS], *end]
    if not case.results:
        yield [*start, None, None, *runs, case.passed, (case.error or str(case.status))[:REASON_CHARS], *end]


def native_report(report: EvalReport) -> NativeReport:
    """The report in ringtrue's shape, which has a terminal's table, a page, JUnit and a gate."""
    cases = [_native_case(case) for case in report.case_results]
    return NativeReport(report.suite_name, cases, report.model_id, report.purpose)


def _native_case(case: CaseResult) -> NativeCaseResult:
    """The case in ringtrue's shape; a verdict that none of its checks shows gets a line of its own, before theirs."""
    checks = [_native_check(case, result) for result in case.results]
    if case.status is EvalStatus.FAILED_QUALITY and all(check.passed or check.score is None for check in checks):
        words = f"{case.pass_count} of {case.runs} runs passed" if case.pass_count >= 0 else "no check measured it"
        checks.insert(0, CheckResult(CASE_LEVEL, case.score, False, words))
    if case.model_error is None and case.error and all(check.status != "error" for check in checks):
        checks.insert(0, CheckResult(CASE_LEVEL, None, False, case.error, {"kind": str(case.status)}, "error"))
    return NativeCaseResult(
        case_input=str(case.case_input),
        actual_output=str(case.actual_output),
        results=tuple(checks),
        latency_ms=case.latency_ms,
        tags=tuple(case.tags),
        model_error=case.model_error,
        skipped=case.skipped,
    )


def _native_check(case: CaseResult, result: EvalResult) -> CheckResult:
    """What a check says; nothing, where the case was left out, had no output, or ended in an error the check hides."""
    if case.skipped:
        return CheckResult(result.evaluator, None, False, "the case was skipped", {}, "skipped")
    explained = any(one.status == "error" for one in case.results) or result.passed or result.status != "scored"
    if case.model_error is not None or (case.error is not None and not explained):
        return CheckResult(result.evaluator, None, False, case.error or "", {"kind": str(case.status)}, "error")
    return result.native()


_TEXT, _FLAG, _OBJECT = {"type": "string"}, {"type": "boolean"}, {"type": "object"}
_TEXTS, _TEXT_OR_NULL = {"type": "array", "items": _TEXT}, {"type": ["string", "null"]}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_CHECK = {
    "type": "object",
    "required": ["name", "score", "passed"],
    "properties": {"name": _TEXT, "score": _SHARE, "passed": _FLAG, "reason": _TEXT, "metadata": _OBJECT},
}
_CASE = {
    "type": "object",
    "required": ["input", "output"],
    "properties": {
        **dict.fromkeys(("input", "output"), _TEXT),
        **dict.fromkeys(("passed", "skipped"), _FLAG),
        **dict.fromkeys(("score", "run_pass_rate"), _SHARE),
        **dict.fromkeys(("tags", "retry_errors"), _TEXTS),
        **dict.fromkeys(("model_error", "judge_error", "evaluator_error", "case_id"), _TEXT_OR_NULL),
        "evaluators": {"type": "array", "items": _CHECK},
        "status": {"enum": [status.value for status in EvalStatus]},
        "all_scores": {"type": "array", "items": _SHARE},
        "runs": {"type": "integer", "minimum": 1},
        "pass_count": {"type": "integer", "minimum": -1},
        "latency_ms": {"type": ["number", "null"], "minimum": 0},
        "agent_trace": {"type": ["array", "null"]},
        "trials": {"type": "array"},
    },
}
_REPORT = {
    "type": "object",
    "required": ["cases"],
    "properties": {
        "schema": {"enum": list(SCHEMAS)},
        **dict.fromkeys(("suite", "model"), _TEXT),
        "cases": {"type": "array", "items": _CASE},
        "summary": _OBJECT,
        "evidence_issues": _TEXTS,
    },
}


def _require_report(data: Mapping[str, Any]) -> None:
    try:
        text = json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise ValueError("not a report: it holds what JSON has not, such as NaN") from None
    errors = JSONSchemaEval(_REPORT).evaluate({}, text)
    if not errors.passed:
        places = [error["path"] for error in errors.metadata.get("errors", ())]
        raise ValueError(f"not a report: {', '.join(places[:3]) or 'the whole'} is not what a report has there")
