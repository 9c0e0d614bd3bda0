"""What a verdict depends on, as far as it is recorded: how checks are set, what their authors declare, the engine."""

from __future__ import annotations

import platform
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

import jsonschema_rs
from ringtrue.api.declared import declaration_of, declare_dependencies
from ringtrue.api.engine import engine, sources
from ringtrue.reports.canonical import canonical_json, digest

from multivon_eval.settings import settings_of

if TYPE_CHECKING:
    from multivon_eval.lockfile import SuiteLock

__all__ = ["comparison_issues", "declare_dependencies", "engine_dependencies", "evaluator_dependencies", "lock_issues"]

SCHEMA = "multivon.dependencies/v1"
FINGERPRINT = "3"
"""The version of what is told about a check."""

_LIMITS = "what an author declares is taken at their word; a name of a remote model may mean other weights tomorrow"
_KNOWN = ("multivon_eval.evaluators.", "ringtrue.evaluators.")
"""Checks of these packages are told whole by their settings."""
_SAME_ENGINE = ("source_digest", "python", "implementation", "system", "machine", "packages")
"""What may not differ between two runs that are compared; a newer kernel changes no score."""


def evaluator_dependencies(evaluator: Any) -> dict[str, Any]:
    """How a check is set, what is declared about it, and what nobody knows."""
    found = settings_of(evaluator)
    declaration, issues = declaration_of(evaluator)
    if declaration is None:
        kind = type(evaluator)
        if not kind.__module__.startswith(_KNOWN):
            issues.append("a check of one's own needs a declared dependency contract: declare_dependencies(...)")
        if found.opaque:
            names = ", ".join(found.opaque)
            issues.append(f"Opaque settings need a declared dependency contract: {names}")
    about = {
        "schema": SCHEMA,
        "declaration": declaration,
        "opaque_fields": found.opaque,
        "issues": issues,
        "limits": _LIMITS,
    }
    return {"config": found.config, "config_types": found.types, "dependencies": about}


def engine_dependencies() -> dict[str, Any]:
    """What measures: a hash of the code, Python, the machine, and the packages that ringtrue is made with."""
    found = engine()
    own = digest([sources(Path(__file__).parent), found["source_digest"]])
    return {"schema": SCHEMA, **found, "source_digest": own, "release": platform.release()}


def seal_lock(lock: SuiteLock) -> SuiteLock:
    """The lock, its hash that of all else it says."""
    lock.suite_hash = _hash(lock)
    return lock


def lock_issues(lock: SuiteLock | None) -> list[str]:
    """Why a lock does not say all that its verdicts depend on."""
    if lock is None:
        return ["Missing suite lock: nobody knows how the checks were set"]
    if not isinstance(lock.extra, dict):
        return ["the suite lock has no record of the engine"]
    told = lock.extra.get("issues", [])
    readable = isinstance(told, list) and all(isinstance(issue, str) for issue in told)
    issues = list(told) if readable else ["the suite lock's issues cannot be read"]
    if not _ENGINE.is_valid(lock.extra.get("engine")):
        issues.append("the suite lock has no readable record of the engine")
    try:
        if _hash(lock) != lock.suite_hash:
            issues.append("the suite lock's digest does not match what it says")
    except (TypeError, ValueError):
        issues.append("the suite lock is no JSON")
    for row in lock.evaluators:
        about: Any = row.extra.get("dependencies") if isinstance(row.extra, dict) else None
        if row.version != FINGERPRINT or not _CHECK.is_valid(about):
            issues.append(f"{row.name}: the suite lock has no readable record of this check")
        else:
            issues += [f"{row.name}: {issue}" for issue in about["issues"]]
    return issues


def comparison_issues(before: SuiteLock | None, after: SuiteLock | None) -> list[str]:
    """Why the verdicts of two locked suites cannot be held against each other."""
    sides = (("baseline", before), ("proposal", after))
    issues = [f"{side}: {issue}" for side, lock in sides for issue in lock_issues(lock)]
    if before is None or after is None:
        return issues
    if _rows(before) != _rows(after):
        issues.append("the evaluator configuration changed")
    if before.library_version != after.library_version:
        issues.append(f"multivon_eval changed from {before.library_version} to {after.library_version}")
    if _engine(before) != _engine(after):
        issues.append("the engine's source or environment changed")
    if before.calibration_version != after.calibration_version:
        issues.append("the calibration version changed")
    return issues


def finished(before: SuiteLock | None, after: SuiteLock | None) -> SuiteLock | None:
    """The lock made before a run; where the one made after it differs, both, and that it does."""
    if before is None:
        return None
    issues = list(before.extra.get("issues", []))
    if after is None:
        issues.append("the suite could not be locked again after the run")
    elif after.suite_hash != before.suite_hash:
        issues.append("the checks, or what they depend on, changed during execution")
        before.extra["post_run_lock"] = after.to_dict()
    before.extra["issues"] = issues
    return seal_lock(before)


def _hash(lock: SuiteLock) -> str:
    return digest({name: value for name, value in lock.to_dict().items() if name != "suite_hash"})


def _rows(lock: SuiteLock) -> list[str]:
    try:
        return sorted(canonical_json(asdict(row)) for row in lock.evaluators)
    except (TypeError, ValueError):
        return [repr(lock.evaluators)]


def _engine(lock: SuiteLock) -> list[Any]:
    engine = lock.extra.get("engine") if isinstance(lock.extra, dict) else None
    return [engine.get(name) for name in _SAME_ENGINE] if isinstance(engine, dict) else []


_NAME = {"type": "string", "minLength": 1}
_SHA = {"type": "string", "pattern": "^[0-9a-f]{64}$"}
_NAMES = {"type": "array", "items": _NAME}


def _closed(properties: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": list(properties), "additionalProperties": False}


def _named(values: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "propertyNames": _NAME, "additionalProperties": values}


_ENGINE = jsonschema_rs.Draft202012Validator(
    _closed(
        {
            "schema": {"const": SCHEMA},
            "source_digest": _SHA,
            **dict.fromkeys(("python", "implementation", "system", "release", "machine"), _NAME),
            "packages": {"type": "array", "minItems": 1, "items": {**_NAMES, "minItems": 2, "maxItems": 2}},
        }
    )
)
_DECLARATION = _closed({"version": _NAME, "dependencies": _named(_NAME), "files": _named(_SHA)})
_CHECK = jsonschema_rs.Draft202012Validator(
    _closed(
        {
            "schema": {"const": SCHEMA},
            "declaration": {"anyOf": [{"type": "null"}, _DECLARATION]},
            "opaque_fields": _NAMES,
            "issues": _NAMES,
            "limits": _NAME,
        }
    )
)
