"""The shape of a saved report, as JSON Schema: what it must hold; more is allowed."""

from __future__ import annotations

import json
from collections.abc import Mapping
from copy import deepcopy
from typing import Any

import jsonschema_rs

from multivon_eval.case_result import EvalStatus

__all__ = ["SCHEMAS", "report_schema", "validate_report"]

SCHEMAS = ("multivon.report/v1", "multivon.report/v2")

_TEXT: dict[str, Any] = {"type": "string"}
_SHARE = {"type": "number", "minimum": 0, "maximum": 1}
_COUNT = {"type": "integer", "minimum": 0}
_FLAG = {"type": "boolean"}
_OBJECT = {"type": "object"}
_TEXTS = {"type": "array", "items": _TEXT}


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    return {"anyOf": [schema, {"type": "null"}]}


_CHECK = {
    "type": "object",
    "required": ["name", "score", "passed"],
    "properties": {"name": _TEXT, "score": _SHARE, "passed": _FLAG, "reason": _TEXT, "metadata": _OBJECT},
}
_CASE = {
    "type": "object",
    "required": ["input", "output"],
    "properties": {
        "input": _TEXT,
        "output": _TEXT,
        "evaluators": {"type": "array", "items": _CHECK},
        "status": {"enum": [status.value for status in EvalStatus]},
        "passed": _FLAG,
        "skipped": _FLAG,
        "score": _SHARE,
        "run_pass_rate": _SHARE,
        "all_scores": {"type": "array", "items": _SHARE},
        "runs": {"type": "integer", "minimum": 1},
        "pass_count": {"type": "integer", "minimum": -1},
        "retry_attempts": _COUNT,
        "retry_errors": _TEXTS,
        "latency_ms": _or_null({"type": "number", "minimum": 0}),
        "tags": _TEXTS,
        "trials": {"type": "array", "items": _OBJECT},
        "agent_trace": _or_null({"type": "array", "items": _OBJECT}),
        **dict.fromkeys(
            ("case_id", "case_digest", "evidence_error", "model_error", "judge_error", "evaluator_error"),
            _or_null(_TEXT),
        ),
    },
}
_REPORT = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "required": ["cases"],
    "properties": {
        "schema": {"enum": list(SCHEMAS)},
        "suite": _TEXT,
        "model": _TEXT,
        "cases": {"type": "array", "items": _CASE},
        "summary": _OBJECT,
        "evidence_issues": _TEXTS,
        **dict.fromkeys(("suite_lock", "execution", "provider_evidence"), _or_null(_OBJECT)),
    },
}
_VALIDATOR = jsonschema_rs.Draft202012Validator(_REPORT)


def report_schema() -> dict[str, Any]:
    """The schema, in a new object."""
    return deepcopy(_REPORT)


def validate_report(data: Mapping[str, Any]) -> None:
    """Raise ValueError where a report is not of this shape; the message tells where, and nothing of what was said.

    Whether a report contradicts itself is for `EvalReport.from_dict` to say.
    """
    try:
        json.dumps(data, allow_nan=False)
    except (TypeError, ValueError, RecursionError):
        raise ValueError("not a report: it holds what JSON has not, such as NaN") from None
    error = next(_VALIDATOR.iter_errors(data), None)
    if error is not None:
        place = "/".join(str(part) for part in error.instance_path) or "the whole"
        raise ValueError(f"not a report: {place} is not what a report has there") from None
