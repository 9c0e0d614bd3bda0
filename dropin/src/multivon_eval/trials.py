"""`TrialRecord`: one answer with all that was said of it, under a digest; `regrade`: other checks of such answers."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from ringtrue.reports.canonical import canonical_json, digest, sealed
from ringtrue.reports.sealed_record import SealedRecord

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import case_from_dict, case_to_dict, trace_from_data, trace_to_data
from multivon_eval.case_result import CaseResult
from multivon_eval.execution_evidence import validate_execution
from multivon_eval.upstream import execution_issues

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport
    from multivon_eval.suite import EvalSuite

__all__ = ["CaseSnapshot", "TrialRecord", "attach_trial", "capture_case", "regrade", "trial_integrity_issues"]

TRIAL_SCHEMA = "multivon.trial/v1"
_GAPS = ["of requests to providers, those are known that judges, adapters and hooked clients made"]
_UNOBSERVED = {"state": "closed", "events": []}


class TrialRecord(SealedRecord):
    """One run of one case, which does not change."""

    schema = TRIAL_SCHEMA

    def require(self, data: dict[str, Any]) -> None:
        """Raise ValueError unless these values are of one run of the case."""
        for name in ("attempt", "run_index"):
            if not isinstance(data.get(name), int) or data[name] < 1:
                raise ValueError(f"{name} of a trial counts from 1; got {data.get(name)!r}")
        if case_from_dict(data["case"]).identity() != (data["case_id"], data["case_digest"]):
            raise ValueError("the identity of a trial's case is not that of the case")
        validate_execution(data.get("execution"))
        for parent in data.get("inherited_execution", ()):
            validate_execution(parent.get("execution"))

    @classmethod
    def sealed(cls, data: Mapping[str, Any]) -> TrialRecord:
        """The record of what was just seen, under the digest of it: nothing is there to be doubted."""
        record = object.__new__(cls)
        object.__setattr__(record, "text", canonical_json(sealed(dict(data))))
        return record

    def with_position(self, *, attempt: int, run_index: int) -> TrialRecord:
        """The same trial as another run of another attempt."""
        return self.changed(attempt=attempt, run_index=run_index)

    def changed(self, **values: Any) -> TrialRecord:
        """The same trial with other values, under the digest of them."""
        data = {**self.data, **values}
        del data["digest"]
        return TrialRecord.from_dict(sealed(data))


@dataclass(frozen=True)
class CaseSnapshot:
    """A case as it was: its identity and its JSON, or why it has none."""

    case_id: str | None
    case_digest: str | None
    payload: str | None
    error: str | None = None


def capture_case(case: EvalCase) -> CaseSnapshot:
    """A case as it is now; what JSON cannot hold has no identity."""
    try:
        content = case_to_dict(case, include_reference=False)
        found = digest({name: value for name, value in content.items() if name != "case_id"})
        return CaseSnapshot(content["case_id"] or f"sha256:{found}", found, canonical_json(content))
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        return CaseSnapshot(case.case_id, None, None, f"{type(error).__name__}: {error}")


def attach_trial(
    result: CaseResult,
    snapshot: CaseSnapshot,
    *,
    origin: str = "execution",
    evaluation_snapshot: CaseSnapshot | None = None,
    latency_known: bool = True,
    execution: Mapping[str, Any] | None = None,
    provider_evidence: Mapping[str, Any] | None = None,
    attempt: int = 1,
    run_index: int = 1,
    upstream: Mapping[str, Any] | None = None,
    gaps: Iterable[str] = (),
) -> CaseResult:
    """The result with the identity of its case and one trial; where something cannot be kept, why not.

    `upstream` is what another program recorded of the same trial, `gaps` is what that leaves open.
    """
    seen = evaluation_snapshot or snapshot
    result.case_id, result.case_digest = snapshot.case_id, snapshot.case_digest
    result.evidence_error = snapshot.error or seen.error
    if snapshot.payload is None or seen.payload is None:
        return result
    case = json.loads(snapshot.payload)
    result.case_input, result.tags = case["input"], case["tags"]
    data = {
        "schema": TRIAL_SCHEMA,
        "case_id": snapshot.case_id,
        "case_digest": snapshot.case_digest,
        "case": case,
        "evaluation_case": json.loads(seen.payload),
        "attempt": attempt,
        "run_index": run_index,
        "origin": origin,
        "recorded_at": datetime.now(UTC).isoformat(),
        "output": result.actual_output,
        "status": result.status.value,
        **{name: getattr(result, name) for name in ("model_error", "judge_error", "evaluator_error")},
        "latency_ms": result.latency_ms if latency_known else None,
        "agent_trace": trace_to_data(result.agent_trace),
        "evaluators": [check.record() for check in result.results],
        "provider_requests": None,
        "execution": execution,
        "provider_evidence": provider_evidence or _UNOBSERVED,
        "evidence_gaps": [*_GAPS, *sorted(set(gaps))],
        **({} if upstream is None else {"upstream": dict(upstream)}),
    }
    try:
        result.trials = (TrialRecord.sealed(data),)
    except (TypeError, ValueError, AttributeError, RecursionError) as error:
        result.evidence_error = f"{type(error).__name__}: {error}"
    return result


def trial_integrity_issues(result: CaseResult) -> list[str]:
    """Why the trials of a result cannot be those it was made of: none are missing, none are twice, all are its own."""
    trials = [trial.data for trial in result.trials]
    if not trials:
        return []
    issues = []
    header = (result.case_id, result.case_digest, result.case_input, result.tags)
    if any((t["case_id"], t["case_digest"], t["case"]["input"], t["case"]["tags"]) != header for t in trials):
        issues.append("the trials are not of the case they stand with")
    if result.actual_output != trials[-1]["output"]:
        issues.append("the output is not that of the last trial")
    if all(trial["origin"] == "regrade" for trial in trials):
        return issues
    runs = Counter(trial["attempt"] for trial in trials)
    places = Counter((trial["attempt"], trial["run_index"]) for trial in trials)
    if sorted(runs) != list(range(1, result.retry_attempts + 2)):
        issues.append("trials are missing: their number is not that of the attempts")
    if all(trial["origin"] == "inspect" for trial in trials):  # it repeats the runs that failed, and keeps the others
        if {run for _, run in places} != set(range(1, result.runs + 1)) or max(places.values()) > 1:
            issues.append("trials are missing or there twice")
        return issues
    if runs[max(runs)] != result.runs:
        issues.append("trials are missing: their number is not that of the runs")
    if places != Counter((attempt, run) for attempt in runs for run in range(1, runs[attempt] + 1)):
        issues.append("trials are missing or there twice")
    return issues


def regrade(report: EvalReport, suite: EvalSuite) -> EvalReport:
    """Every trial of a report under the checks of a suite, without asking the function under test again.

    There is one result per trial, failed attempts included; a trial without an output stays an error.
    """
    if any(not case.trials or case.evidence_error for case in report.case_results):
        raise ValueError("regrading needs complete saved trials of every case")
    trials = [trial for case in report.case_results for trial in case.trials]
    answered = [trial for trial in trials if trial.data["model_error"] is None]
    pairs, latencies = [], []
    for data in (trial.data for trial in answered):
        case = replace(case_from_dict(data["evaluation_case"]), agent_trace=trace_from_data(data["agent_trace"]))
        pairs.append((case, data["output"]))
        latencies.append(data["latency_ms"])
    found = suite.run_on_cases(pairs, verbose=False, latencies_ms=latencies)
    results = iter(found.case_results)
    found.case_results = [
        _again(trial, next(results) if trial.data["model_error"] is None else _broken(trial.data)) for trial in trials
    ]
    found.model_id, found.purpose = report.model_id, report.purpose
    found.evidence_issues = list(report.evidence_issues)
    return found


def _again(trial: TrialRecord, result: CaseResult) -> CaseResult:
    """A new result of an old trial, which it names as its parent."""
    data = trial.data
    made = result.trials[0].data if result.trials else {}
    known = data["latency_ms"] is not None
    before, seen = (capture_case(case_from_dict(data[name])) for name in ("case", "evaluation_case"))
    execution = made.get("execution")
    stopped = execution_issues(data.get("upstream"))
    if stopped:  # what ended another program's run is not mended by other checks
        result.evaluator_error = "; ".join([*([result.evaluator_error] if result.evaluator_error else []), *stopped])
    attach_trial(result, before, origin="regrade", evaluation_snapshot=seen, latency_known=known, execution=execution)
    own = [{"trial_digest": trial.digest, "execution": data["execution"]}] if data.get("execution") else []
    asked = data.get("provider_evidence")
    seen_then = [{"trial_digest": trial.digest, "evidence": asked}] if asked else []
    more = {
        "parent_trial": trial.digest,
        "attempt": data["attempt"],
        "run_index": data["run_index"],
        "inherited_execution": [*data.get("inherited_execution", ()), *own],
        "inherited_provider_evidence": [*data.get("inherited_provider_evidence", ()), *seen_then],
        "evidence_gaps": list(dict.fromkeys([*_GAPS, *data.get("evidence_gaps", ())])),
        **{name: data[name] for name in ("upstream",) if name in data},
    }
    result.trials = tuple(each.changed(**more) for each in result.trials)
    return result


def _broken(data: Mapping[str, Any]) -> CaseResult:
    trace = trace_from_data(data["agent_trace"])
    return CaseResult(data["case"]["input"], data["output"], [], model_error=data["model_error"], agent_trace=trace)
