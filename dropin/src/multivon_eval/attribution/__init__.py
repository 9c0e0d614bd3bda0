"""Which prompts stand in a repository's source, and which changed between two of its states; nothing of it is run."""

from __future__ import annotations

from multivon_eval.attribution.ast_extractor import (
    SCANNER_VERSION,
    scan,
    scan_file,
    scan_file_with_reason,
    scan_with_skips,
)
from multivon_eval.attribution.diff import diff_records
from multivon_eval.attribution.fingerprint import (
    fingerprint_text,
    loose_fingerprint_text,
    loose_normalize_text,
    normalize_text,
)
from multivon_eval.attribution.render import render_markdown
from multivon_eval.attribution.schema import PromptDiff, PromptRecord

__all__ = [
    "SCANNER_VERSION",
    "PromptDiff",
    "PromptRecord",
    "diff_records",
    "fingerprint_text",
    "loose_fingerprint_text",
    "loose_normalize_text",
    "normalize_text",
    "render_markdown",
    "scan",
    "scan_file",
    "scan_file_with_reason",
    "scan_with_skips",
]
