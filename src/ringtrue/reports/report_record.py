"""A suite's report as plain JSON values, and back."""

from __future__ import annotations

from collections.abc import Mapping
from math import isfinite
from typing import Any

from ringtrue.dialects.suite import CheckResult
from ringtrue.errors import RecordError
from ringtrue.records import Json
from ringtrue.reports.case_result import CaseResult

_STATED = ("status", "passed", "score")
"""What a stored case says of itself although it follows from its checks; reading compares it."""


_KINDS: Mapping[str, tuple[type, ...]] = {
    "evaluators": (list, tuple),
    "input": (str,),
    "output": (str,),
    "case_id": (str, int),
    "tags": (list, tuple),
    "timed_out": (bool,),
    "skipped": (bool,),
    "model_error": (str, type(None)),
    "source_id": (str, type(None)),
    "expected": (list, tuple, type(None)),
    "latency_ms": (int, float, type(None)),
    "input_tokens": (int, type(None)),
    "output_tokens": (int, type(None)),
    "cost": (int, float, type(None)),
    "score": (int, float, type(None)),
}
_CHECK_KINDS: Mapping[str, tuple[type, ...]] = {
    "name": (str,),
    "score": (int, float, type(None)),
    "passed": (bool,),
    "reason": (str,),
    "metadata": (dict,),
    "weight": (int, float),
}


def case_record(case: CaseResult) -> dict[str, Json]:
    """A case as a JSON object; runs are inside it where there are several."""
    record: dict[str, Json] = {
        "case_id": case.case_id,
        "input": case.case_input,
        "expected": case.expected,
        "output": case.actual_output,
        "status": str(case.status),
        "passed": case.passed,
        "score": case.score,
        "error": case.error,
        "model_error": case.model_error,
        "judge_error": case.judge_error,
        "evaluator_error": case.evaluator_error,
        "timed_out": case.timed_out,
        "skipped": case.skipped,
        "latency_ms": case.latency_ms,
        "tags": case.tags,
        "source_id": case.source_id,
        "input_tokens": case.input_tokens,
        "output_tokens": case.output_tokens,
        "cost": case.cost,
        "evaluators": [
            {
                "name": result.evaluator,
                "score": result.score,
                "passed": result.passed,
                "status": result.status,
                "reason": result.reason,
                "metadata": result.metadata,
                "weight": case.weights.get(result.evaluator, 1.0),
            }
            for result in case.results
        ],
        "runs": case.runs,
    }
    if case.trials:
        record["pass_count"], record["run_pass_rate"] = case.pass_count, case.run_pass_rate
        record["is_flaky"], record["all_scores"], record["score_std"] = case.is_flaky, case.all_scores, case.score_std
        record["trials"] = [case_record(trial) for trial in case.trials]
    return record


def case_from(record: Mapping[str, Any]) -> CaseResult:
    """The case a JSON object describes; one whose verdict does not follow from its checks is refused."""
    try:
        _require_kinds(record, _KINDS)
        for name in ("tags", "expected"):
            if not all(isinstance(text, str) for text in record[name] or ()):
                raise ValueError(f"{name} are texts; got {record[name]!r}")
        checks = record["evaluators"]
        case = CaseResult(
            record["input"],
            record["output"],
            tuple(_check(item) for item in checks),
            record["latency_ms"],
            tuple(record["tags"]),
            record["model_error"],
            record["timed_out"],
            record["skipped"],
            record["case_id"],
            record["source_id"],
            None if record["expected"] is None else tuple(record["expected"]),
            {item["name"]: float(item["weight"]) for item in checks},
            record["input_tokens"],
            record["output_tokens"],
            record["cost"],
            tuple(case_from(trial) for trial in record.get("trials", ())),
        )
        stated = {name: (record[name], getattr(case, name)) for name in _STATED}
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise RecordError(
            f"not a case of a report: {type(error).__name__}: {error}", field="cases", value=None
        ) from error
    for name, (value, by_checks) in stated.items():
        if value != by_checks and not (name == "score" and by_checks and value and abs(value - by_checks) < 1e-9):
            raise RecordError(
                f"the case {case.case_id!r} says {name} {value!r}; by its checks it is {by_checks!r}",
                field=name,
                value=value,
            )
    return case


def _require_kinds(record: Mapping[str, Any], kinds: Mapping[str, tuple[type, ...]]) -> None:
    for name, kind in kinds.items():
        value = record[name]
        wrong = not isinstance(value, kind) or (isinstance(value, bool) and bool not in kind)
        if wrong or (isinstance(value, float) and not isfinite(value)):
            raise ValueError(f"{name} cannot be {value!r}")


def _check(item: Mapping[str, Any]) -> CheckResult:
    _require_kinds(item, _CHECK_KINDS)
    score = item["score"]
    if item["status"] not in ("scored", "skipped", "error") or (score is None) == (item["status"] == "scored"):
        raise ValueError(f"a check with the status {item['status']!r} and the score {score!r}")
    if score is not None and not 0 <= score <= 1:
        raise ValueError(f"a score of {score!r}")
    return CheckResult(item["name"], score, bool(item["passed"]), item["reason"], item["metadata"], item["status"])
