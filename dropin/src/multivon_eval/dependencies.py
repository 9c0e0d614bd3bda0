"""What a verdict depends on, as far as it is recorded: how checks are set, what their authors declare, the engine."""

from __future__ import annotations

import hashlib
import platform
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict
from functools import cache
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import jsonschema_rs

import ringtrue
from multivon_eval.canonical import canonical_json, digest
from multivon_eval.settings import settings_of

if TYPE_CHECKING:
    from multivon_eval.lockfile import SuiteLock

SCHEMA = "multivon.dependencies/v1"
FINGERPRINT = "3"
"""The version of what is told about a check."""

_LIMITS = "what an author declares is taken at their word; a name of a remote model may mean other weights tomorrow"
_KNOWN = ("multivon_eval.evaluators.", "ringtrue.evaluators.")
"""Checks of these packages are told whole by their settings."""
_SOURCES = (".py", ".md", ".json")
"""What a verdict may come from: code, prompts, tables."""
_SAME_ENGINE = ("source_digest", "python", "implementation", "system", "machine", "packages")
"""What may not differ between two runs that are compared; a newer kernel changes no score."""

Evaluator = TypeVar("Evaluator")


def declare_dependencies(
    evaluator: Evaluator,
    *,
    version: str,
    dependencies: Mapping[str, str],
    files: Mapping[str, str | Path] | None = None,
) -> Evaluator:
    """Say which version a check of one's own is of, and on which revisions and files it depends; returns the check.

    Files are hashed whenever the suite is locked; their paths are told nowhere.
    """
    object.__setattr__(evaluator, "_dependency_contract", contract(version, dependencies, files))
    return evaluator


def contract(version: str, dependencies: Mapping[str, str], files: Mapping[str, str | Path] | None) -> dict[str, Any]:
    """A declaration that can be held against another one."""
    if not isinstance(version, str) or not version.strip():
        raise ValueError(f"version names what is declared; got {version!r}")
    for name, revision in dependencies.items():
        if not (isinstance(name, str) and name.strip() and isinstance(revision, str) and revision.strip()):
            raise ValueError(f"dependencies are names with revisions as text; got {name!r}: {revision!r}")
    for name, path in (files or {}).items():
        if not (isinstance(name, str) and name.strip() and isinstance(path, (str, Path))):
            raise ValueError(f"files are names with paths; got {name!r}: {path!r}")
    paths = {name: str(Path(path).resolve()) for name, path in (files or {}).items()}
    return {"version": version, "dependencies": dict(dependencies), "files": paths}


def declared(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A declaration with the SHA-256 of its files as they are now, and which of them cannot be read."""
    hashes, issues = {}, []
    for name, path in sorted(given["files"].items()):
        try:
            hashes[name] = hashlib.sha256(Path(path).read_bytes()).hexdigest()
        except OSError as error:
            issues.append(f"the declared file {name!r} is unavailable ({type(error).__name__})")
    return {"version": given["version"], "dependencies": dict(given["dependencies"]), "files": hashes}, issues


def evaluator_dependencies(evaluator: Any) -> dict[str, Any]:
    """How a check is set, what is declared about it, and what nobody knows."""
    found, given = settings_of(evaluator), getattr(evaluator, "_dependency_contract", None)
    declaration, issues = declared(given) if given else (None, [])
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
    return {
        "schema": SCHEMA,
        "source_digest": digest([_sources(Path(__file__).parent), _ringtrue_sources()]),
        "python": platform.python_version(),
        "implementation": platform.python_implementation(),
        "system": platform.system(),
        "release": platform.release(),
        "machine": platform.machine(),
        "packages": [list(pair) for pair in _packages()],
    }


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


def _sources(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.suffix in _SOURCES
    }


@cache
def _ringtrue_sources() -> str:
    return digest(_sources(Path(ringtrue.__file__).parent))


@cache
def _packages() -> tuple[tuple[str, str], ...]:
    """What is installed of all that ringtrue needs: a package that it does not need changes no score."""
    found: dict[str, str] = {}
    open_names = ["ringtrue"]
    while open_names:
        name = open_names.pop()
        if name in found:
            continue
        try:
            package = distribution(name)
        except PackageNotFoundError:
            continue
        found[name] = package.version
        open_names += _required(package.requires or ())
    return tuple(sorted(found.items()))


def _required(requirements: list[str] | tuple[()]) -> Iterator[str]:
    for requirement in requirements:
        named = re.match(r"[A-Za-z0-9._-]+", requirement)
        if named and "extra ==" not in requirement:
            yield re.sub(r"[-_.]+", "-", named.group()).lower()


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
