"""The results of cases as plain JSON values, and as lines of CSV."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from ringtrue.dialects.suite import CheckResult
from ringtrue.records import Json
from ringtrue.reports.case_result import CaseResult

HEADING = (
    "case_id", "input", "output", "case_status", "case_score", "evaluator", "score", "passed", "status", "reason",
    "weight", "runs", "pass_count", "latency_ms", "tags",
)  # fmt: skip
_PLAIN = (
    "case_id", "expected", "passed", "score", "error", "model_error", "judge_error", "evaluator_error", "timed_out",
    "skipped", "latency_ms", "tags", "source_id", "input_tokens", "output_tokens", "cost", "runs",
)  # fmt: skip


def case_record(case: CaseResult) -> dict[str, Json]:
    """A case as a JSON object; trials are inside it where there are several."""
    record: dict[str, Json] = {name: getattr(case, name) for name in _PLAIN}
    record |= {"input": case.case_input, "output": case.actual_output, "status": str(case.status)}
    record["evaluators"] = [_check_record(result, case.weights.get(result.evaluator, 1.0)) for result in case.results]
    if case.traceback:
        record["traceback"] = case.traceback
    if case.trials:
        for name in ("pass_count", "run_pass_rate", "is_flaky", "all_scores", "score_std"):
            record[name] = getattr(case, name)
        record["trials"] = [case_record(trial) for trial in case.trials]
    return record


def _check_record(result: CheckResult, weight: float) -> dict[str, Json]:
    return {
        "name": result.evaluator,
        "score": result.score,
        "passed": result.passed,
        "status": result.status,
        "reason": result.reason,
        "metadata": result.metadata,
        "weight": weight,
    }


def csv_rows(cases: Sequence[CaseResult]) -> Iterator[Sequence[Json]]:
    """A heading, then one line per check; a case without checks has one line, too."""
    yield HEADING
    for case in cases:
        start = [case.case_id, case.case_input, case.actual_output, str(case.status), case.score]
        end = [case.runs, case.pass_count, case.latency_ms, ",".join(case.tags)]
        for result in case.results:
            weight = case.weights.get(result.evaluator, 1.0)
            verdict = [result.evaluator, result.score, result.passed, result.status, result.reason, weight]
            yield [*start, *verdict, *end]
        if not case.results:
            yield [*start, None, None, None, None, case.error, None, *end]
