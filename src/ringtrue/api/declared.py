"""What a check, or a system, of one's own depends on, as its author declares it: a version, revisions, files."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, TypeVar

from ringtrue.errors import ConfigurationError

_CONTRACT = "_dependency_contract"

T = TypeVar("T")


def declare_dependencies(
    evaluator: T,
    *,
    version: str,
    dependencies: Mapping[str, str],
    files: Mapping[str, str | Path] | None = None,
) -> T:
    """Say which version a check of one's own is of, and on which revisions and files it depends; returns the check.

    Files are hashed whenever the suite is locked; their paths are told nowhere.
    """
    told = contract(version, dependencies, files)
    try:
        object.__setattr__(evaluator, _CONTRACT, told)
    except (AttributeError, TypeError) as error:
        words = f"nothing can be written on {evaluator!r}; wrap it in a function of your own"
        raise ConfigurationError(words, parameter="evaluator", value=evaluator) from error
    return evaluator


def contract(version: str, dependencies: Mapping[str, str], files: Mapping[str, str | Path] | None) -> dict[str, Any]:
    """A declaration that can be held against another one."""
    if not isinstance(version, str) or not version.strip():
        raise ConfigurationError(f"version names what is declared; got {version!r}", parameter="version")
    for name, revision in dependencies.items():
        if not (isinstance(name, str) and name.strip() and isinstance(revision, str) and revision.strip()):
            words = f"dependencies are names with revisions as text; got {name!r}: {revision!r}"
            raise ConfigurationError(words, parameter="dependencies", value=revision)
    for name, path in (files or {}).items():
        if not (isinstance(name, str) and name.strip() and isinstance(path, (str, Path))):
            raise ConfigurationError(f"files are names with paths; got {name!r}: {path!r}", parameter="files")
    paths = {name: str(Path(path).resolve()) for name, path in (files or {}).items()}
    return {"version": version, "dependencies": dict(dependencies), "files": paths}


def declared(given: Mapping[str, Any]) -> tuple[dict[str, Any], list[str]]:
    """A declaration with the SHA-256 of its files as they are now, and which of them cannot be read."""
    hashes, issues = {}, []
    for name, path in sorted(given["files"].items()):
        try:
            with Path(path).open("rb") as file:
                hashes[name] = hashlib.file_digest(file, "sha256").hexdigest()
        except OSError as error:
            issues.append(f"the declared file {name!r} is unavailable ({type(error).__name__})")
    return {"version": given["version"], "dependencies": dict(given["dependencies"]), "files": hashes}, issues


def declaration_of(obj: object) -> tuple[dict[str, Any] | None, list[str]]:
    """What is declared of an object, if anything, and what of it cannot be read."""
    given = getattr(obj, _CONTRACT, None)
    return declared(given) if given else (None, [])
