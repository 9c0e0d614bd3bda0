"""Who made a case, kept in its metadata."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any
from uuid import uuid4

__all__ = ["PROVENANCE_KEY", "new_provenance", "read_provenance", "stamp_metadata_inplace"]

PROVENANCE_KEY = "_provenance"
VERSION = 1


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
    time = now or datetime.now(UTC).isoformat()
    return {
        "schema_version": VERSION,
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
    if version > VERSION:
        return "unreadable_newer", stamp
    return ("ok", stamp) if isinstance(stamp.get("targets", []), list) else ("unreadable", None)
