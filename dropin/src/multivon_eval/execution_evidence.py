"""What was run: the function under test as its author declares it, before and after, and how a run was set."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ringtrue.api.declared import contract, declared
from ringtrue.reports.canonical import canonical_json, digest, is_sealed, sealed

from multivon_eval.settings import portable

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

SCHEMA = "multivon.execution/v1"
_LIMITS = "what an author declares is taken at their word; a name of a remote model may mean other weights tomorrow"
_TARGET = ("schema", "origin", "callable", "configuration", "declaration", "client", "issues", "limits", "digest")
_RECORD = ("schema", "target_before", "target_after", "changed_during_execution", "digest")
_ADAPTED = {"model": "model", "system_prompt": "_system_prompt", "temperature": "_temperature",
            "max_tokens": "_max_tokens", "extra": "_extra"}  # fmt: skip
"""What is told of an adapter -> where it keeps it."""
_CLIENT = ("base_url", "max_retries", "timeout", "organization", "project")


class DeclaredTarget:
    """A function under test, called as it is, with what its author says about it."""

    def __init__(
        self,
        target: Callable[..., Any],
        version: str,
        configuration: Mapping[str, Any] | None,
        dependencies: Mapping[str, str],
        files: Mapping[str, str | Path] | None,
    ) -> None:
        if not callable(target):
            raise TypeError(f"a target is a function; got {type(target).__name__}")
        if not isinstance(configuration, (Mapping, type(None))):
            raise TypeError(f"configuration is an object; got {type(configuration).__name__}")
        canonical_json(dict(configuration or {}))
        self.target, self.configuration = target, dict(configuration or {})
        self.contract = contract(version, dependencies, files)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.target(*args, **kwargs)

    def _call_with_case(self, case: Any) -> Any:
        whole = getattr(self.target, "_call_with_case", None)
        return whole(case) if callable(whole) else self.target(case.input)

    async def _acall_with_case(self, case: Any) -> Any:
        whole = getattr(self.target, "_acall_with_case", None)
        return await (whole(case) if callable(whole) else self.target(case.input))


def declare_target(
    target: Callable[..., Any],
    *,
    version: str,
    configuration: Mapping[str, Any] | None = None,
    dependencies: Mapping[str, str],
    files: Mapping[str, str | Path] | None = None,
) -> DeclaredTarget:
    """The function with a declaration of its version, settings, revisions and files; it is called as before.

    Files are hashed before and after each call; their paths are told nowhere.
    """
    return DeclaredTarget(target, version, configuration, dependencies, files)


def target_snapshot(target: Any) -> dict[str, Any]:
    """What is known of a function under test now; None are outputs that were there before."""
    record: dict[str, Any] = {
        "schema": SCHEMA,
        "origin": "saved_outputs" if target is None else "executed",
        **dict.fromkeys(("callable", "configuration", "declaration", "client")),
        "issues": [],
        "limits": _LIMITS,
    }
    try:
        return sealed({**record, **(_known(target) if target is not None else {})})
    except Exception as error:  # a target that cannot be told is run all the same
        return sealed({**record, "issues": [f"Target snapshot unavailable ({type(error).__name__})"]})


def observed(before: Mapping[str, Any], after: Mapping[str, Any], **more: Any) -> dict[str, Any]:
    """Two snapshots of a target, and whether it changed in between."""
    changed = before["digest"] != after["digest"]
    record = {"schema": SCHEMA, "target_before": before, "target_after": after, "changed_during_execution": changed}
    return sealed({**record, **more})


def policy_record(settings: Any) -> dict[str, Any]:
    """Settings as plain values, and where those tell less than Python does."""
    types: list[dict[str, Any]] = []
    return {"value": portable(settings, types, []), "types": types}


def validate_execution(record: Any) -> None:
    """Raise ValueError where a record of an execution contradicts itself; None is no record."""
    if record is None:
        return
    parts = [(record, _RECORD), *((record.get(name), _TARGET) for name in ("target_before", "target_after"))]
    for part, names in parts:
        if not isinstance(part, dict) or not part.keys() >= set(names) or part["schema"] != SCHEMA:
            raise ValueError("the record of an execution is not complete")
        if not is_sealed(part):
            raise ValueError("the digest of a record of an execution is not that of what it says")
    if record["changed_during_execution"] != (record["target_before"]["digest"] != record["target_after"]["digest"]):
        raise ValueError("the drift flag of an execution is not what its records say")


def compare_execution(baseline: EvalReport, proposal: EvalReport) -> tuple[dict[str, Any], list[str], list[str]]:
    """What changed between the targets of two runs, what is not known of them, and what forbids to compare them."""
    notes, issues = [], []
    for side, report in (("baseline", baseline), ("proposal", proposal)):
        record = report.execution
        try:
            validate_execution(record)
        except ValueError as error:
            issues.append(f"{side}: {error}")
            continue
        if record is None:
            notes.append(f"{side}: the target was not recorded")
            continue
        notes += [f"{side}: {issue}" for issue in record["target_before"]["issues"]]
        trials = (trial.data.get("execution") or {} for case in report.case_results for trial in case.trials)
        if record["changed_during_execution"] or any(trial.get("changed_during_execution") for trial in trials):
            issues.append(f"{side}: the target configuration, or what it depends on, changed during execution")
    old, new = baseline.execution, proposal.execution
    known = old is not None and new is not None and not issues
    names = {"target_paths": "target_before", "policy_paths": "policy"}
    changes = {
        name: list(_paths((old or {}).get(part), (new or {}).get(part))) if known else []
        for name, part in names.items()
    }
    return changes, notes, issues


def _known(target: Any) -> dict[str, Any]:
    declaration = target if isinstance(target, DeclaredTarget) else None
    actual = target if declaration is None else declaration.target
    kind = actual if inspect.isroutine(actual) else type(actual)
    found: dict[str, Any] = {"callable": f"{kind.__module__}.{kind.__qualname__}", "issues": []}
    if type(actual).__module__ == "multivon_eval.adapters":
        found |= _adapter(actual)
    elif declaration is None:
        found["issues"] = ["the target is not declared: declare_target(...) says what it is"]
    if declaration is not None:
        given, issues = declared(declaration.contract)
        found["declaration"] = {**given, "configuration": policy_record(declaration.configuration)}
        found["issues"] = issues
    return found


def _adapter(adapter: Any) -> dict[str, Any]:
    client = getattr(adapter, "_client", None)
    settings = {name: getattr(adapter, place, None) for name, place in _ADAPTED.items()}
    settings["extra"] = policy_record(settings["extra"] or {})
    if client is None:
        return {"configuration": settings, "client": {"mode": "sdk_default"}}
    kind, told = type(client), {}
    known = kind.__module__.partition(".")[0] in ("openai", "anthropic")
    for name in _CLIENT if known else ():  # a property of a class that nobody knows may do anything
        value: Any = getattr(client, name, None)
        plain = value.as_dict() if hasattr(value, "as_dict") else str(value) if name == "base_url" else value
        with suppress(TypeError, ValueError):
            told[name] = policy_record(plain)
    record = {"mode": "supplied", "class": f"{kind.__module__}.{kind.__qualname__}", "observed_settings": told}
    issues = ["the target's client was given: declare_target(...) says how it is set"]
    return {"configuration": settings, "client": record, "issues": issues}


def _paths(old: Any, new: Any, prefix: str = "") -> Iterator[str]:
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted((old.keys() | new.keys()) - {"digest"}):
            yield from _paths(old.get(name), new.get(name), f"{prefix}.{name}" if prefix else name)
    elif old != new:
        yield prefix


__all__ = ["DeclaredTarget", "declare_target", "digest", "target_snapshot", "validate_execution"]
