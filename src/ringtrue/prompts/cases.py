"""`CaseVerdict`: whether the prompts that a case was made for are still as they were."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.prompts.matching import Alike, match_target
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.source import files_under
from ringtrue.prompts.stamps import ProvenanceError, read_provenance
from ringtrue.reports.whole_file import Where
from ringtrue.scoring.strict_json import read_json
from ringtrue.systems.asked_case import stamped

UNPARSEABLE = object()
"""Stands for the metadata of a line that is no case."""

NO_EVIDENCE = "stamped again, and no run is named that speaks for it"

_WORST = ("unchanged", "unverifiable", "unknown", "changed", "removed")
_CASES = "cases.jsonl"
_REASONS = {
    "unreadable": "its stamp cannot be read",
    "unreadable_newer": "its stamp was written by a newer multivon-eval or ringtrue",
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
    alike = Alike(live_records)

    def status(target: dict[str, Any]) -> str:
        key = json.dumps(target, sort_keys=True, default=repr)
        if key not in known:  # many cases are for one prompt
            known[key] = match_target(target, alike.of(target), unscannable_files)[0]
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
    """The files under a folder whose names end in `cases.jsonl`; a pipe is none, nor is a link to nothing."""
    return sorted(path for path in map(Path, files_under(repo_root, _CASES)) if path.is_file())


def cases_of_file(path: Where) -> Source:
    """The metadata of a file's cases."""
    try:
        with Path(path).open(encoding="utf-8-sig", errors="replace", newline="\n") as lines:
            found = [_metadata(read_json(line).value) for line in lines if line.strip()]
    except OSError as error:
        raise ProvenanceError(f"cannot read the cases {path}: {error}") from error
    return str(path), list(enumerate(found))


def _metadata(row: Any) -> Any:
    return row.get("metadata") if isinstance(row, dict) else UNPARSEABLE


def cases_of_suite(spec: str) -> Source:
    """The metadata of the cases of a suite: a suite file, or what `module:name` means.

    Whoever names a module wants it imported.
    """
    from ringtrue.api.described import imported
    from ringtrue.api.suite_file import load_suite

    try:
        found = load_suite(spec).suite if Path(spec).is_file() else imported(spec, Path.cwd())
        suite: Any = found() if callable(found) and not hasattr(found, "cases") else found
        cases = list(getattr(suite, "cases", suite))
    except Exception as error:  # a user's module may raise anything; whatever it is, there are no cases
        why = str(error) if isinstance(error, RingtrueError) else f"{type(error).__name__}: {error}"
        words = f"no suite at {spec!r}; name a suite file, or module:name: {why}"
        raise ConfigurationError(words, parameter="suite", value=spec) from error
    return f"<suite {spec}>", [(at, stamped(_fields(case))) for at, case in enumerate(cases)]


def _fields(case: Any) -> Any:
    return case if isinstance(case, Mapping) else getattr(case, "metadata", getattr(case, "fields", None))
