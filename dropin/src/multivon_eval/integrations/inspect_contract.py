"""Inspect: what a task is made of, written into its log, so that a retry of another task is seen to be one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ringtrue.api.declared import contract, declared
from ringtrue.reports.canonical import digest, is_sealed, sealed

from multivon_eval.execution_evidence import policy_record
from multivon_eval.lockfile import fingerprint_evaluator

__all__ = ["GRADING_KEY", "SAMPLE_KEY", "TASK_KEY", "bind_inspect_task", "grader_snapshot"]

TASK_KEY = "multivon_task_contract_v1"
SAMPLE_KEY = "multivon_task_contract_digest_v1"
GRADING_KEY = "multivon_grading_contracts_v1"
SCHEMA = "multivon.inspect-contract/v1"
_NO_SETTINGS = {"dataset", "scorer", "metadata", "_name", "_display_name", "description", "tags", "viewer"}
_OF_THE_RUN = ("model", "model_args", "model_base_url", "model_generate_config", "model_roles", "task_args", "solver")
_NO_POLICY = ("max_", "log_", "limit", "sample_id", "score_display", "acp_server", "notification")
"""How much is done at once and what is shown of it changes no sample; nor does which samples were wanted."""


def grader_snapshot(evaluator: Any) -> dict[str, Any]:
    """How a check is set now."""
    return asdict(fingerprint_evaluator(evaluator))


def bind_inspect_task(
    task: Any,
    *,
    version: str,
    dependencies: Mapping[str, str],
    files: Mapping[str, str | Path] | None = None,
    configuration: Mapping[str, Any] | None = None,
    previous_log: Any = None,
) -> Any:
    """Write what a task is made of into it and its samples, and return it.

    With the log of an earlier attempt, a task that is not what that one was is refused before anybody is asked.
    """
    given, issues = declared(contract(version, dependencies, files))
    graders = [grader_snapshot(check) for check in map(_evaluator, task.scorer or ()) if check is not None]
    for grader in graders:
        issues += [f"{grader['name']}: {issue}" for issue in grader["extra"]["dependencies"]["issues"]]
    settings = {name: _setting(value) for name, value in vars(task).items() if name not in _NO_SETTINGS}
    record = sealed(
        {
            "schema": SCHEMA,
            "declaration": {**given, "configuration": policy_record(dict(configuration or {}))},
            "task_settings": policy_record(settings),
            "components": [_setting(scorer) for scorer in task.scorer or ()],
            "graders": graders,
            "samples": [_sample(sample) for sample in task.dataset],
            "issues": issues,
        }
    )
    if previous_log is not None:
        earlier = (previous_log.eval.metadata or {}).get(TASK_KEY)
        if not isinstance(earlier, dict) or earlier.get("digest") != record["digest"]:
            changed = [name for name in record if isinstance(earlier, dict) and earlier.get(name) != record[name]]
            told = ", ".join(name for name in changed if name != "digest") or "it has no contract"
            raise ValueError(f"the task is incompatible with the log of the earlier attempt: {told}")
    task.metadata = {**(task.metadata or {}), TASK_KEY: record}
    for sample in task.dataset:
        sample.metadata = {**(sample.metadata or {}), SAMPLE_KEY: record["digest"]}
    return task


def log_contract_issues(log: Any) -> list[str]:
    """Why the samples of a log are not those of the task that it declares; a log that declares none has none."""
    record = (log.eval.metadata or {}).get(TASK_KEY)
    bound = any(SAMPLE_KEY in (sample.metadata or {}) for sample in log.samples or ())
    if record is None and not bound:
        return []
    known = {"samples", "graders", "issues", "digest"}
    if not isinstance(record, dict) or record.get("schema") != SCHEMA or not known <= record.keys():
        return ["the task's contract is missing, though its samples were bound to one"]
    if not is_sealed(record):
        return ["the digest of the task's contract is not that of what it says"]
    return sorted({*record["issues"], *_sample_issues(log, record)})


def retry_contract_issues(logs: Sequence[Any]) -> list[str]:
    """Why the logs of several attempts, the oldest first, are not of one task."""
    digests = [((log.eval.metadata or {}).get(TASK_KEY) or {}) for log in logs]
    told = {record.get("digest") if isinstance(record, dict) else None for record in digests}
    issues = []
    if None in told:
        issues.append("Missing declared contract of an attempt: bind_inspect_task(...) makes one")
    elif len(told) > 1:
        issues.append("the task's contract changed between attempts")
    if len({digest(_execution(log)) for log in logs}) > 1:
        issues.append("the execution settings changed between attempts")
    return issues


def _sample_issues(log: Any, record: Mapping[str, Any]) -> Iterator[str]:
    samples = {row["id"]: row for row in record["samples"]}
    graders = sorted(digest(grader) for grader in record["graders"])
    for sample in log.samples or ():
        told = sample.metadata or {}
        if told.get(SAMPLE_KEY) != record["digest"]:
            yield f"the sample {sample.id!r} is bound to another contract"
        if samples.get(sample.id) != _sample(sample):
            yield f"the input or the target of the sample {sample.id!r} is not that of the task"
        graded = [row for row in told.get(GRADING_KEY) or () if isinstance(row, dict)]
        if any(row.get("before") != row.get("after") for row in graded):
            yield f"a check changed during scoring of the sample {sample.id!r}"
        if sample.error is None and sorted(digest(row.get("before")) for row in graded) != graders:
            yield f"the sample {sample.id!r} was not graded by the checks of the task"


def _sample(sample: Any) -> dict[str, Any]:
    given = sample.input
    messages = given if isinstance(given, str) else [_message(message) for message in given]
    return {"id": sample.id, "input_digest": digest(messages), "target_digest": digest(sample.target)}


def _message(message: Any) -> Any:
    # Inspect gives each message an id, another one whenever it is made.
    return message.model_dump(mode="json", exclude_none=True, exclude={"id"})


def _execution(log: Any) -> dict[str, Any]:
    policy = _setting(log.eval.config)
    kept = {name: value for name, value in policy.items() if not name.startswith(_NO_POLICY)}
    run = {name: _setting(getattr(log.eval, name, None)) for name in _OF_THE_RUN}
    return policy_record({"policy": kept, "run": run, "plan": _setting(log.plan)})


def _evaluator(scorer: Any) -> Any:
    return getattr(scorer, "_multivon_evaluator", None)


def _setting(value: Any) -> Any:
    """A part of a task in plain values: its settings, or who it is and what it was made with."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if hasattr(value, "model_dump"):
        return value.model_dump(mode="json", exclude_none=True)
    if isinstance(value, Mapping):
        return {str(name): _setting(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_setting(item) for item in value]
    made = getattr(value, "__registry_params__", None)
    kind = value if hasattr(value, "__qualname__") else type(value)
    parts = {"type": f"{kind.__module__}.{kind.__qualname__}"}
    return {**parts, "params": _setting(made)} if made else parts
