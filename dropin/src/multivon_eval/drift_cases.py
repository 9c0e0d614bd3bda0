"""`CaseVerdict`: whether the prompts that a case was made for are still as they were."""

from __future__ import annotations

import json
import os
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

from multivon_eval.attribution import PromptRecord
from multivon_eval.attribution.ast_extractor import files_under
from multivon_eval.drift import match_target
from multivon_eval.stamps import ProvenanceError, read_provenance
from ringtrue.reports.whole_file import Where
from ringtrue.scoring.strict_json import read_json

UNPARSEABLE = object()
"""Stands for the metadata of a line that is no case."""

NO_EVIDENCE = "stamped again, and no run is named that speaks for it"

_WORST = ("unchanged", "unverifiable", "unknown", "changed", "removed")
_CASES = "seed_cases.jsonl"
_REASONS = {
    "unreadable": "its stamp cannot be read",
    "unreadable_newer": "its stamp was written by a newer multivon-eval",
}

Source = tuple[str, Sequence[tuple[int, Any]]]
"""Where cases are from, and the place and metadata of each."""


@dataclass
class CaseVerdict:
    """A case is `unstamped`, `unreadable`, `stamped` for no prompt, or `bound` to prompts.

    `rollup` is the worst that became of these: `unchanged`, `unverifiable`, `unknown`, `changed` or `removed`.
    """

    file: str
    index: int
    case_uid: str | None
    status: str
    rollup: str | None
    targets: list[dict[str, Any]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)
    git_sha: str | None = None
    authored_by: str | None = None


def evaluate_cases(
    case_sources: Iterable[Source],
    live_records: Sequence[PromptRecord],
    unscannable_files: Collection[str] | None = None,
) -> list[CaseVerdict]:
    """A verdict for every case."""
    known: dict[str, str] = {}

    def status(target: dict[str, Any]) -> str:
        key = json.dumps(target, sort_keys=True, default=repr)
        if key not in known:  # many cases are for one prompt
            known[key] = match_target(target, live_records, unscannable_files)[0]
        return known[key]

    verdicts = []
    for label, cases in case_sources:
        for index, metadata in cases:
            verdict = _verdict(label, index, metadata)
            if verdict.targets:
                verdict.status = "bound"
                verdict.rollup = max((status(target) for target in verdict.targets), key=_WORST.index)
            verdicts.append(verdict)
    return verdicts


def _verdict(label: str, index: int, metadata: Any) -> CaseVerdict:
    if metadata is UNPARSEABLE:
        return CaseVerdict(label, index, None, "unreadable", None, notes=["the line is no JSON object"])
    read, stamp = read_provenance(metadata)
    if read != "ok" or stamp is None:
        uid = _text((stamp or {}).get("case_uid"))
        notes = [_REASONS[read]] if read in _REASONS else []
        return CaseVerdict(label, index, uid, "unreadable" if notes else "unstamped", None, notes=notes)
    again = stamp.get("stamped_at") != stamp.get("authored_at") and not stamp.get("evidence")
    git = stamp.get("git")
    return CaseVerdict(
        label,
        index,
        _text(stamp.get("case_uid")),
        "stamped",
        None,
        [target for target in stamp.get("targets", []) if isinstance(target, dict)],
        [NO_EVIDENCE] if again else [],
        _text(git.get("sha")) if isinstance(git, dict) else None,
        _text(stamp.get("authored_by")),
    )


def _text(value: Any) -> str | None:
    return value if isinstance(value, str) else None


def discover_case_files(repo_root: Where) -> list[Path]:
    """The files `seed_cases.jsonl` under a folder."""
    return sorted(map(Path, files_under(repo_root, f"{os.sep}{_CASES}")))


def cases_of_file(path: Where) -> Source:
    """The metadata of a file's cases."""
    try:
        lines = Path(path).read_text("utf-8-sig", "replace").split("\n")
    except OSError as error:
        raise ProvenanceError(f"cannot read the cases {path}: {error}") from error
    rows = [read_json(line).value for line in lines if line.strip()]
    return str(path), [
        (at, row.get("metadata") if isinstance(row, dict) else UNPARSEABLE) for at, row in enumerate(rows)
    ]


def cases_of_suite(spec: str) -> Source:
    """The metadata of the cases of the suite that `module:name` means; whoever names a module wants it imported."""
    module, _, name = spec.partition(":")
    if not module or not name:
        raise ValueError(f"a suite is named as module:name; got {spec!r}")
    try:
        found = getattr(import_module(module), name)
    except (ImportError, AttributeError) as error:
        raise ValueError(f"no suite at {spec!r}: {error}") from error
    suite = found() if callable(found) and not hasattr(found, "cases") else found
    cases = getattr(suite, "cases", suite)
    return f"<suite {spec}>", [(at, getattr(case, "metadata", None)) for at, case in enumerate(cases)]
