"""A report as multivon-eval's JSON and CSV, back from that JSON, and as a run of ringtrue for everything else."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from pydantic import TypeAdapter, ValidationError

from multivon_eval.case_result import CaseResult, EvalResult, EvalStatus
from multivon_eval.passk import PassKResult
from ringtrue.records import Case, DatasetInfo, EvaluatorInfo, Made, Output, Row, Run, Score, SystemInfo, Trial
from ringtrue.runner.run_from_rows import run_of

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

SCHEMA = "multivon.report/v2"
CASE_LEVEL = "(case-level)"
"""In place of a check's name, for what is known of a case as a whole."""
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
        "schema": SCHEMA,
        "suite": report.suite_name,
        "model": report.model_id,
        **{name: getattr(report, name) for name in _KEPT},
        "summary": _summary_record(report),
        "cases": [_case_record(case) for case in report.case_results],
    }


_KEPT = ("evidence_issues", "provider_evidence", "execution", "suite_lock")
_NUMBERS = (
    "total", "evaluated", "passed", "failed", "errors", "errors_by_kind", "skipped", "runs_per_case",
    "flaky_count", "judge_reliability", "purpose", "saturated", "min_detectable_regression", "costs",
)  # fmt: skip


def _summary_record(report: EvalReport) -> dict[str, Any]:
    found: dict[str, Any] = {name: getattr(report, name) for name in _NUMBERS}
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
    trace = case.agent_trace
    return {
        "input": case.case_input,
        "output": case.actual_output,
        "status": case.status.value,
        "passed": case.passed,
        "is_flaky": case.is_flaky,
        "latency_ms": round(case.latency_ms, 1),
        "agent_trace": trace and [step if isinstance(step, dict) else asdict(step) for step in trace],
        "evaluators": [{"name": check.pop("evaluator"), **check} for check in map(asdict, case.results)],
        **{name: round(getattr(case, name), 4) for name in ("score", "score_std", "run_pass_rate")},
        **{name: getattr(case, name) for name in _PLAIN},
    }


@dataclass
class _File:
    """The fields that a report's JSON may hold; further keys are left out."""

    cases: list[CaseResult]
    schema: Literal["multivon.report/v1", "multivon.report/v2"] = "multivon.report/v2"
    suite: str = ""
    model: str = ""
    summary: dict[str, Any] = field(default_factory=dict)
    evidence_issues: list[str] = field(default_factory=list)
    provider_evidence: dict[str, Any] | None = None
    execution: dict[str, Any] | None = None
    suite_lock: dict[str, Any] | None = None


def report_from(data: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the report a JSON object describes; a message says what is wrong, and nothing of what was said."""
    try:
        cases = [_fields(record) for record in data["cases"]] if isinstance(data["cases"], list) else None
        text = json.dumps({**data, "cases": cases}, ensure_ascii=False, allow_nan=False)
        read = TypeAdapter(_File).validate_json(text.encode("utf-8", "replace"), strict=True)
    except ValidationError as error:
        first = error.errors(include_input=False, include_url=False)[0]
        raise ValueError(f"not a report: {'.'.join(map(str, first['loc']))}: {first['msg']}") from None
    except (TypeError, ValueError, KeyError, AttributeError, RecursionError):
        raise ValueError("not a report: it has no cases, or holds what JSON has not, such as NaN") from None
    for case, record in zip(read.cases, data["cases"], strict=True):
        for name, found in (("status", case.status.value), ("passed", case.passed)):
            if name in record and record[name] != found:
                raise ValueError(f"a case says {name} {record[name]!r}; by its checks it is {found!r}")
    return {
        "suite_name": read.suite,
        "case_results": read.cases,
        "model_id": read.model,
        "purpose": read.summary.get("purpose") or "",
        **{name: read.summary.get(name) for name in ("judge_reliability", "costs")},
        **{name: getattr(read, name) for name in _KEPT},
    }


def _fields(record: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of a CaseResult that its record has; what is null there was not given."""
    known = {name: record[name] for name in (*_PLAIN, "latency_ms", "agent_trace") if record.get(name) is not None}
    checks = [{**check, "evaluator": check["name"]} for check in record.get("evaluators", ())]
    return {"case_input": record["input"], "actual_output": record["output"], "results": checks, **known}


def csv_rows(cases: Sequence[CaseResult]) -> Iterator[Sequence[Any]]:
    """A heading, then one line per check; a case without checks has one line, too."""
    yield COLUMNS
    for case in cases:
        start = [str(case.case_input)[:TEXT_CHARS], str(case.actual_output)[:TEXT_CHARS]]
        runs = [round(case.score_std, 4), round(case.run_pass_rate, 4), case.is_flaky]
        end = [round(case.latency_ms, 1), ",".join(case.tags)]
        for result in case.results:
            yield [*start, result.evaluator, result.score, *runs, result.passed, result.reason[:REASON_CHARS], *end]
        if not case.results:
            yield [*start, None, None, *runs, case.passed, (case.error or str(case.status))[:REASON_CHARS], *end]


def run_of_report(report: EvalReport) -> Run:
    """The report as a run of ringtrue, which has a terminal's table, a page and JUnit."""
    rows = [_row(place, case, report) for place, case in enumerate(report.case_results)]
    made = Made(
        job="suite",
        datasets=(DatasetInfo(report.suite_name, cases=len(rows)),),
        systems=(SystemInfo(report.system),),
        evaluators=tuple(map(EvaluatorInfo, dict.fromkeys(name for row in rows for name in row.scores))),
        options={"suite": report.suite_name, "model_id": report.model_id, "purpose": report.purpose},
    )
    return run_of(made, rows)


def _row(place: int, case: CaseResult, report: EvalReport) -> Row:
    """The case as a row; a verdict that none of its checks shows gets a line of its own, before theirs."""
    scores: dict[str, Score] = {}
    for result in case.results:
        again = sum(name.partition(" #")[0] == result.evaluator for name in scores)
        scores[f"{result.evaluator} #{again + 1}" if again else result.evaluator] = _score(case, result)
    found = list(scores.values())
    if case.status is EvalStatus.FAILED_QUALITY and all(one.passed or one.value is None for one in found):
        words = f"{case.pass_count} of {case.runs} runs passed" if case.pass_count >= 0 else "no check measured it"
        scores = {CASE_LEVEL: Score(case.score, "scored", False, words), **scores}
    elif case.model_error is None and case.error and all(one.status != "error" for one in found):
        scores = {CASE_LEVEL: Score.error(case.error, kind=str(case.status)), **scores}
    output = Output(
        "" if case.model_error is not None else str(case.actual_output),
        problem=case.model_error or "",
        error="" if case.model_error is None else "model_error",
        latency_seconds=case.latency_ms / 1_000 or None,
    )
    # Without an id, which JUnit's documented names have not, the source tells one case from another.
    facts = {"dataset": report.suite_name, "source_id": str(place)}
    asked = Case(input=str(case.case_input), tags=tuple(case.tags), fields=facts)
    return Row(Trial(asked, output), scores, place, report.system)


def _score(case: CaseResult, result: EvalResult) -> Score:
    """Return the score of a check; skipped or an error if the case was, had no output, or the check hides its error."""
    if case.skipped:
        return Score.skipped("the case was skipped")
    explained = any(one.status == "error" for one in case.results) or result.passed or result.status != "scored"
    if case.error is not None and (case.model_error is not None or not explained):
        return Score.error(case.error, kind=str(case.status))
    if result.status == "scored" and not 0 <= result.score <= 1:
        return Score.error(f"{result.score!r} is not a score in [0, 1]", kind="evaluator_error")
    return result.as_score()
