"""The stamp of a case: who made it, when, and for which prompts; kept in its metadata."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from ringtrue.errors import AbsentFile, InputError
from ringtrue.systems.asked_case import PROVENANCE_KEY

PROVENANCE_SCHEMA_VERSION = 1

ANCHOR = ("file_path", "qualname", "sdk", "call_site", "role", "role_position")
"""What says where a prompt is; a line may move."""

_TIME = "%Y-%m-%dT%H:%M:%SZ"

RUNTIME_SOURCE = "runtime"
"""The source of what was seen while a program ran."""


class ProvenanceError(InputError):
    """A stamp cannot be read, made or written."""


class NonConformingProvenanceError(ProvenanceError):
    """A case has a stamp that cannot be read, and nobody said that it may be replaced."""


def utc_now() -> str:
    """The time, to the second."""
    return datetime.now(UTC).strftime(_TIME)


def evidence_of(report: str) -> dict[str, Any]:
    """A report that speaks for a stamp, and when it was written."""
    try:
        written = datetime.fromtimestamp(Path(report).stat().st_mtime, UTC)
    except OSError as error:
        raise AbsentFile(f"cannot read the report {report!r}: {error.strerror or error}") from error
    return {"report": report, "run_at": written.strftime(_TIME)}


def new_provenance(
    *,
    authored_by: str,
    git: Mapping[str, Any],
    targets: Sequence[Mapping[str, Any]],
    evidence: Mapping[str, Any] | None = None,
    case_uid: str | None = None,
    now: str | None = None,
) -> dict[str, Any]:
    """A stamp: who made a case, when, and an id of its own."""
    time = now or utc_now()
    return {
        "schema_version": PROVENANCE_SCHEMA_VERSION,
        "case_uid": case_uid or uuid4().hex,
        "authored_at": time,
        "stamped_at": time,
        "authored_by": authored_by,
        "git": dict(git),
        "evidence": None if evidence is None else dict(evidence),
        "targets": [dict(target) for target in targets],
    }


def stamp_metadata_inplace(
    metadata: dict[str, Any],
    *,
    authored_by: str,
    git: Mapping[str, Any],
    targets: Sequence[Mapping[str, Any]] = (),
    evidence: Mapping[str, Any] | None = None,
    now: str | None = None,
) -> None:
    """Put a stamp into a case's metadata."""
    metadata[PROVENANCE_KEY] = new_provenance(
        authored_by=authored_by, git=git, targets=targets, evidence=evidence, now=now
    )


def read_provenance(metadata: Any) -> tuple[str, dict[str, Any] | None]:
    """The stamp in a case's metadata: `ok`, `unstamped`, `unreadable`, or `unreadable_newer` of a later version."""
    if not isinstance(metadata, Mapping) or PROVENANCE_KEY not in metadata:
        return "unstamped", None
    stamp = metadata[PROVENANCE_KEY]
    version = stamp.get("schema_version") if isinstance(stamp, dict) else None
    if isinstance(version, bool) or not isinstance(version, int):
        return "unreadable", None
    if version > PROVENANCE_SCHEMA_VERSION:
        return "unreadable_newer", stamp
    return ("ok", stamp) if isinstance(stamp.get("targets", []), list) else ("unreadable", None)


def restamped(metadata: Mapping[str, Any], new: Mapping[str, Any], *, force: bool = False) -> dict[str, Any] | None:
    """A case's stamp with the targets of a new one, or None where it says all of that; who made the case stays."""
    status, old = read_provenance(metadata)
    if status == "unstamped" or (status != "ok" and force):
        return dict(new)
    if status != "ok" or old is None:
        raise NonConformingProvenanceError(f"its stamp is {status.replace('_', ', ')}; force=True replaces it")
    targets = merge_targets(old.get("targets", []), new["targets"])
    if targets == old.get("targets", []) and new["evidence"] in (None, old.get("evidence")):
        return None
    return {**old, **{name: new[name] for name in ("stamped_at", "git", "evidence")}, "targets": targets}


def merge_targets(existing: Iterable[Any], new: Iterable[Mapping[str, Any]]) -> list[Any]:
    """The targets of both; a new one takes the place of the old one for the same prompt.

    What was seen at runtime differs by its text, too: one place makes many texts.
    """
    merged: dict[Any, Any] = {}
    for number, target in enumerate([*existing, *new]):
        merged[_place(target) if isinstance(target, Mapping) else number] = target
    return list(merged.values())


def _place(target: Mapping[str, Any]) -> str:
    anchor = target.get("anchor")
    parts = [anchor.get(name) for name in ANCHOR] if isinstance(anchor, Mapping) else [repr(anchor)]
    seen = target.get("source") == RUNTIME_SOURCE
    return repr([*parts, seen, target.get("fingerprint") if seen or anchor is None else None])
