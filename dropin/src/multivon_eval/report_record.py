"""A report in multivon-eval's JSON and CSV, and back from its JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from multivon_eval.case_manifest import trace_from_data, trace_to_data
from multivon_eval.case_result import CaseResult, EvalResult
from multivon_eval.passk import PassKResult
from multivon_eval.trials import TrialRecord

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

COLUMNS = (
    "input", "output", "evaluator", "score", "score_std", "run_pass_rate", "is_flaky", "passed", "reason",
    "latency_ms", "tags",
)  # fmt: skip
TEXT_CHARS, REASON_CHARS = 200, 300

_PLAIN = (
    "case_id", "case_digest", "evidence_error", "model_error", "judge_error", "evaluator_error", "skipped",
    "all_scores", "runs", "pass_count", "retry_attempts", "retry_errors", "tags",
)  # fmt: skip
"""Fields of a case that its record holds under their own names."""


def summary_record(report: EvalReport) -> dict[str, Any]:
    """The numbers of a report."""
    names = ("total", "evaluated", "passed", "failed", "errors", "errors_by_kind", "skipped")
    later = ("judge_reliability", "purpose", "saturated", "min_detectable_regression")
    found: dict[str, Any] = {name: getattr(report, name) for name in names}
    found["pass_rate"], found["pass_rate_ci_95"] = round(report.pass_rate, 4), report.pass_rate_ci()
    found["avg_score"], found["avg_score_ci_95"] = round(report.avg_score, 4), report.avg_score_ci()
    found["score_percentiles"] = report.score_percentiles()
    found |= {name: getattr(report, name) for name in ("runs_per_case", "flaky_count", *later)}
    found["stability_score"] = round(report.stability_score, 4)
    found["by_evaluator"] = {name: round(score, 4) for name, score in report.scores_by_evaluator().items()}
    found["costs"] = None if report.costs is None else report.costs.to_dict()
    if (k := report.runs_per_case) > 1:
        found["pass_at_k"], found["pass_hat_k"] = _estimate(report.pass_at_k(k)), _estimate(report.pass_hat_k(k))
    return found


def case_record(case: CaseResult) -> dict[str, Any]:
    """A case as a JSON object."""
    return {
        "input": case.case_input,
        "output": case.actual_output,
        "status": case.status.value,
        "passed": case.passed,
        "score": round(case.score, 4),
        "score_std": round(case.score_std, 4),
        "run_pass_rate": round(case.run_pass_rate, 4),
        "is_flaky": case.is_flaky,
        "latency_ms": round(case.latency_ms, 1),
        "agent_trace": trace_to_data(case.agent_trace),
        "trials": [trial.data for trial in case.trials],
        **{name: getattr(case, name) for name in _PLAIN},
        "evaluators": [result.record() for result in case.results],
    }


def case_from(record: Mapping[str, Any]) -> CaseResult:
    """The case a JSON object describes; one whose verdict does not follow from its checks is refused.

    A message tells what is wrong, and nothing of what was asked or said.
    """
    try:
        case = CaseResult(
            record["input"],
            record["output"],
            [
                EvalResult(
                    check["name"],
                    check["score"],
                    check["passed"],
                    check.get("reason", ""),
                    dict(check.get("metadata", {})),
                )
                for check in record.get("evaluators", ())
            ],
            record.get("latency_ms") or 0.0,
            agent_trace=trace_from_data(record.get("agent_trace")),
            trials=tuple(map(TrialRecord.from_dict, record.get("trials") or ())),
            **{name: record[name] for name in _PLAIN if record.get(name) is not None},
        )
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"not a case of a report: {type(error).__name__}: {error}") from error
    for name, found in (("status", case.status.value), ("passed", case.passed)):
        if name in record and record[name] != found:
            raise ValueError(f"a case says {name} {record[name]!r}; by its checks it is {found!r}")
    return case


def csv_rows(cases: Sequence[CaseResult]) -> Iterator[list[Any]]:
    """One line per check; a case without checks has one line, too."""
    for case in cases:
        start = [str(case.case_input)[:TEXT_CHARS], str(case.actual_output)[:TEXT_CHARS]]
        runs = [round(case.score_std, 4), round(case.run_pass_rate, 4), case.is_flaky]
        end = [round(case.latency_ms, 1), ",".join(case.tags)]
        for result in case.results:
            yield [*start, result.evaluator, result.score, *runs, result.passed, result.reason[:REASON_CHARS], *end]
        if not case.results:
            yield [*start, None, None, *runs, case.passed, (case.error or str(case.status))[:REASON_CHARS], *end]


def _result(
    name: str, score: float, passed: bool, reason: str = "", metadata: Mapping[str, Any] | None = None, **more: Any
) -> EvalResult:
    return EvalResult(name, score, passed, reason, dict(metadata or {}))


def _estimate(found: PassKResult) -> dict[str, Any]:
    low, high, value = (n if n is None else round(n, 4) for n in (found.ci_low, found.ci_high, found.value))
    interval = None if low is None else (low, high)
    record: dict[str, Any] = {"k": found.k, "value": value, "ci_95": interval, "estimator": found.estimator}
    return record | {"runs": found.runs} | ({"unknown_reason": found.unknown_reason} if found.unknown_reason else {})
