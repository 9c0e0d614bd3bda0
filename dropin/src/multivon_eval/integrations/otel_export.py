"""OpenTelemetry: the verdicts of a report as log events, in its names for evaluations of generative AI."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from multivon_eval.case_result import EVALUATION_STATUSES
from multivon_eval.integrations.otel import GENAI_CONVENTIONS_REVISION, GENAI_PROFILE, OtelTrace
from multivon_eval.report import EvalReport
from multivon_eval.trials import TrialRecord, trial_integrity_issues
from multivon_eval.values import required
from ringtrue.evaluators.check import is_number

__all__ = ["emit_evaluation_events"]


def emit_evaluation_events(report: EvalReport, logger: Any, *, include_explanations: bool = False) -> int:
    """Hand one event per trial and one per verdict to a logger, and say how many; what was not measured has no score.

    Events of a trace hang below the span they judge, others below nothing. What a check said is told only if it is
    asked for. Whether events arrive is for the logger's owner to see.
    """
    logs = required("opentelemetry._logs", "emit_evaluation_events", "opentelemetry-api")
    context = required("opentelemetry.context", "emit_evaluation_events", "opentelemetry-api")
    if not isinstance(include_explanations, bool):
        raise ValueError(f"include_explanations is True or False; got {include_explanations!r}")
    events = []
    for result in report.case_results:
        if not result.trials or result.evidence_error or trial_integrity_issues(result):
            raise ValueError(f"events need intact saved trials; those of {result.case_input!r} are not")
        for trial in result.trials:
            place = _place(trial.data)
            for name, told in _told(trial, report, include_explanations):
                about = {"event_name": name, "attributes": told, "severity_number": logs.SeverityNumber.INFO}
                events.append(logs.LogRecord(context=context.Context(), **place, **about))
    for event in events:
        logger.emit(event)
    return len(events)


def _told(trial: TrialRecord, report: EvalReport, explained: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """The events of a trial: names and attributes."""
    data = trial.data
    shared = {
        "multivon.case.id": data["case_id"],
        "multivon.case.digest": data["case_digest"],
        "multivon.trial.digest": trial.digest,
        "multivon.trial.status": data["status"],
        "multivon.trial.attempt": data["attempt"],
        "multivon.trial.run_index": data["run_index"],
        "multivon.trial.recorded_at": data["recorded_at"],
        "multivon.report.has_evidence_issues": bool(report.evidence_issues),
        "multivon.report.evidence_issue_count": len(report.evidence_issues),
        "multivon.otel.profile": GENAI_PROFILE,
        "multivon.otel.conventions_revision": GENAI_CONVENTIONS_REVISION,
    }
    yield "multivon.evaluation.trial", shared
    for check in data["evaluators"]:
        told = {**shared, "gen_ai.evaluation.name": check["name"], **_score(check, data["status"])}
        if explained:
            told["gen_ai.evaluation.explanation"] = check["reason"]
        yield "gen_ai.evaluation.result", told


def _score(check: Mapping[str, Any], status: str) -> dict[str, Any]:
    metadata = check.get("metadata") or {}
    if status not in EVALUATION_STATUSES or metadata.get("skipped") or metadata.get("error_kind"):
        kind = {"error.type": str(metadata["error_kind"])} if metadata.get("error_kind") else {}
        label = {"gen_ai.evaluation.score.label": "unmeasured", "multivon.evaluation.measured": False}
        return {**label, **kind}
    score, passed = check["score"], check["passed"]
    if not is_number(score):
        raise ValueError(f"the score of {check['name']!r} is no number: {score!r}")
    return {
        "gen_ai.evaluation.score.value": float(score),
        "gen_ai.evaluation.score.label": "pass" if passed else "fail",
        "multivon.evaluation.measured": True,
    }


def _place(data: Mapping[str, Any]) -> dict[str, int | None]:
    """The span that a trial was made of."""
    upstream = data.get("upstream") or {}
    if not str(upstream.get("format", "")).startswith("otlp/"):
        return {"trace_id": None, "span_id": None}
    trace, name = OtelTrace.from_dict(upstream["evidence"]), upstream["output_span_id"]
    if name not in {seen.span.span_id.hex() for seen in trace.selected()[0]}:
        raise ValueError(f"the trial's span {name} lies outside of its trace")
    return {"trace_id": int(trace.trace_id, 16), "span_id": int(name, 16)}
