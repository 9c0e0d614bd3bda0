"""Who made a case, and for which prompts; what does it is ringtrue's."""

from __future__ import annotations

from ringtrue.prompts.commit import git_info
from ringtrue.prompts.places import (
    AmbiguousSiteError,
    anchor_for_record,
    parse_site_spec,
    resolve_site_spec,
    stamp,
    target_from_record,
)
from ringtrue.prompts.stamped_file import StampResult, stamp_jsonl
from ringtrue.prompts.stamps import (
    PROVENANCE_SCHEMA_VERSION,
    NonConformingProvenanceError,
    ProvenanceError,
    merge_targets,
    new_provenance,
    read_provenance,
    stamp_metadata_inplace,
)
from ringtrue.systems.asked_case import PROVENANCE_KEY

from ringtrue.atomic_file import Where, write_whole

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

stamp_provenance = stamp


def atomic_write_text(path: Where, text: str) -> None:
    """Write a file that appears whole or not at all."""
    write_whole(path, text.encode())
