"""Who made a case, and for which prompts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from multivon_eval.attribution import scan
from multivon_eval.case_lines import StampResult, stamp_jsonl
from multivon_eval.git_state import git_info
from multivon_eval.site_specs import (
    AmbiguousSiteError,
    anchor_for_record,
    parse_site_spec,
    resolve_site_spec,
    target_from_record,
)
from multivon_eval.stamps import (
    PROVENANCE_KEY,
    PROVENANCE_SCHEMA_VERSION,
    NonConformingProvenanceError,
    ProvenanceError,
    merge_targets,
    new_provenance,
    read_provenance,
    stamp_metadata_inplace,
)
from ringtrue.reports.whole_file import Where, write_whole

__all__ = [
    "PROVENANCE_KEY",
    "PROVENANCE_SCHEMA_VERSION",
    "AmbiguousSiteError",
    "NonConformingProvenanceError",
    "ProvenanceError",
    "StampResult",
    "anchor_for_record",
    "atomic_write_text",
    "git_info",
    "merge_targets",
    "new_provenance",
    "parse_site_spec",
    "read_provenance",
    "resolve_site_spec",
    "stamp",
    "stamp_jsonl",
    "stamp_metadata_inplace",
    "stamp_provenance",
    "target_from_record",
]


def stamp(
    sites: Sequence[str] | None = None,
    repo: Where = ".",
    *,
    authored_by: str = "human",
    evidence: Mapping[str, Any] | None = None,
    case_uid: str | None = None,
) -> dict[str, Any]:
    """The metadata of a case that is for the prompts at these places of a repository."""
    records = scan(repo) if sites else []
    targets = [target_from_record(resolve_site_spec(records, site)) for site in sites or ()]
    about: dict[str, Any] = {"git": git_info(repo), "evidence": evidence, "case_uid": case_uid}
    return {PROVENANCE_KEY: new_provenance(authored_by=authored_by, targets=targets, **about)}


stamp_provenance = stamp


def atomic_write_text(path: Where, text: str) -> None:
    """Write a file that appears whole or not at all."""
    write_whole(path, text.encode())
