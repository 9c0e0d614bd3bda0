"""Inspect: the samples of its logs as trials, those of earlier attempts included."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, get_args

from ringtrue.reports.canonical import digest

from multivon_eval.case import EvalCase
from multivon_eval.case_manifest import case_from_dict
from multivon_eval.case_result import CaseResult, EvalResult, aggregated
from multivon_eval.execution_evidence import policy_record
from multivon_eval.integrations.inspect import (
    CASE_KEY,
    RESULT_KEY,
    SEEN_KEY,
    _case_from_metadata,
    _execution_case,
)
from multivon_eval.integrations.inspect_contract import (
    GRADING_KEY,
    SAMPLE_KEY,
    TASK_KEY,
    log_contract_issues,
    retry_contract_issues,
)
from multivon_eval.integrations.inspect_media import verify_media
from multivon_eval.report import EvalReport
from multivon_eval.trials import TrialRecord, attach_trial, capture_case
from multivon_eval.upstream import execution_issues
from multivon_eval.values import required

__all__ = ["execution_issues", "imported"]

_GAPS = (
    "what Inspect's log says is taken at its word",
    "latencies are those of Inspect's log, which include waiting, and are not measured here",
)


def imported(log: Any, previous: Sequence[Any], accepted_limits: Any) -> EvalReport:
    """The report of a log, with the trials of earlier attempts."""
    _require_limits(accepted_limits)
    for one in (*previous, log):
        if one.status == "started":
            raise ValueError("Recover started logs with Inspect first: inspect log recover")
        if one.samples is None:
            raise ValueError("the log was read without its samples: read_eval_log(path), not header_only=True")
        if one.eval.task_id != log.eval.task_id:
            raise ValueError("the logs of several attempts have the same task ID")
    issues = [issue for one in (*previous, log) for issue in log_contract_issues(one)]
    if previous:
        issues += retry_contract_issues([*previous, log])
    attempts = [_samples(one, accepted_limits, issues) for one in (*previous, log)]
    if log.status != "success":
        issues.append(f"Inspect's run ended with the status {log.status!r}")
    wanted = log.results.total_samples if log.results is not None else None
    if wanted is not None and wanted != len(log.samples):
        issues.append(f"Inspect's run has {wanted} samples, the log holds {len(log.samples)}")
    if lost := {name for found in attempts[:-1] for name in found} - attempts[-1].keys():
        issues.append(f"cases of earlier attempts are not in the last: {', '.join(sorted(lost))}")
    results = [_case_result(name, attempts) for name in attempts[-1]]
    report = EvalReport(log.eval.task, results, str(log.eval.model))
    report.evidence_issues = sorted(set(issues))
    return report


def _samples(log: Any, accepted: Sequence[str], issues: Sequence[str]) -> dict[str, dict[int, CaseResult]]:
    """The samples of a log by case and epoch."""
    found: dict[str, dict[int, CaseResult]] = {}
    for sample in log.samples:
        case = _case_from_metadata(sample.metadata, sample.id)
        epochs = found.setdefault(case.identity()[0], {})
        if sample.epoch in epochs:
            raise ValueError(f"the log holds epoch {sample.epoch} of the sample {sample.id!r} twice")
        epochs[sample.epoch] = _single(case, sample, log, accepted, issues)
    return found


def _single(case: EvalCase, sample: Any, log: Any, accepted: Sequence[str], issues: Sequence[str]) -> CaseResult:
    verify_media(case, sample.metadata[CASE_KEY].get("input_message_index"), sample.messages)
    seen = _execution_case(case, sample.messages)
    results = []
    for score in (sample.scores or {}).values():
        told = score.metadata or {}
        if RESULT_KEY in told:
            row = told[RESULT_KEY]
            names = ("name", "score", "passed", "reason", "metadata")
            results.append(EvalResult(*(row[name] for name in names)))
            if case_from_dict(told[SEEN_KEY]) != seen:
                raise ValueError(f"the messages of the sample {sample.id!r} are not those that were graded")
    upstream = _upstream(sample, log, accepted, issues)
    broken = "; ".join(execution_issues(upstream))
    if not broken and not results:
        broken = "no check of this library scored the sample"
    output = sample.output.completion if sample.output is not None else ""
    found = CaseResult(case.input, output, results, 0.0, list(case.tags), agent_trace=seen.agent_trace)
    found.evaluator_error = broken or None
    about: dict[str, Any] = {"upstream": upstream, "gaps": _GAPS, "run_index": sample.epoch}
    about |= {"origin": "inspect", "latency_known": False, "evaluation_snapshot": capture_case(seen)}
    attach_trial(found, capture_case(case), **about)
    if not found.trials:
        raise ValueError(f"the sample {sample.id!r} is no JSON: {found.evidence_error}")
    return found


def _upstream(sample: Any, log: Any, accepted: Sequence[str], issues: Sequence[str]) -> dict[str, Any]:
    """What Inspect recorded of a sample."""
    execution = {
        "error": None if sample.error is None else sample.error.message,
        "limit": None if sample.limit is None else sample.limit.model_dump(mode="json"),
        "invalidation": None if sample.invalidation is None else sample.invalidation.model_dump(mode="json"),
        "accepted_limits": list(accepted),
        "compatibility_issues": list(issues),
        "policy": policy_record(log.eval.config.model_dump(mode="json", exclude_none=True)),
        "generation_policy": policy_record(log.plan.config.model_dump(mode="json", exclude_none=True)),
        "model_usage": {name: usage.model_dump(mode="json") for name, usage in (sample.model_usage or {}).items()},
        "total_time": sample.total_time,
        "working_time": sample.working_time,
    }
    contract = (log.eval.metadata or {}).get(TASK_KEY)
    return {
        "format": "inspect",
        "log_location": log.location,
        "schema_version": log.version,
        "sample_id": sample.id,
        "sample_uuid": sample.uuid,
        "epoch": sample.epoch,
        "sample_digest": digest(sample.model_dump(mode="json", exclude={"events", "events_data", "timelines"})),
        "manifest_digest": sample.metadata[CASE_KEY].get("manifest_digest"),
        "task_contract_digest": contract.get("digest") if isinstance(contract, dict) else None,
        "sample_contract_digest": sample.metadata.get(SAMPLE_KEY),
        "grading_contracts": sample.metadata.get(GRADING_KEY),
        "execution": execution,
    }


def _case_result(name: str, attempts: Sequence[dict[str, dict[int, CaseResult]]]) -> CaseResult:
    """The epochs of the last attempt as one result, with every execution of all attempts once."""
    last = [attempts[-1][name][epoch] for epoch in sorted(attempts[-1][name])]
    known: dict[str, TrialRecord] = {}
    trials, errors = list[TrialRecord](), list[str]()
    attempt = 0
    for found in attempts:
        new = []
        for _, result in sorted(found.get(name, {}).items()):
            (trial,) = result.trials
            uuid = str(trial.data["upstream"]["sample_uuid"])
            if uuid not in known:
                new.append(result)
            elif _content(known[uuid]) != _content(trial):
                raise ValueError(f"two logs tell different things of one execution of {name!r}")
            known[uuid] = trial
        attempt += bool(new)
        trials += [result.trials[0].changed(attempt=attempt) for result in new]
        if found is not attempts[-1]:
            errors += [result.error for result in new if result.error]
    whole = last[0] if len(last) == 1 else aggregated(last)
    return replace(whole, trials=tuple(trials), retry_attempts=attempt - 1, retry_errors=errors)


def _content(trial: TrialRecord) -> Any:
    return trial.data["upstream"]["sample_digest"]


def _require_limits(given: Any) -> None:
    known = get_args(required("inspect_ai.log._log", "from_inspect_log", "inspect_ai").EvalSampleLimitType)
    if not isinstance(given, tuple) or not all(isinstance(one, str) and one in known for one in given):
        raise ValueError(f"accepted_limits is a tuple of {', '.join(known)}; got {given!r}")
