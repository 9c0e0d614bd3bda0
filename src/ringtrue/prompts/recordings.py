"""Recordings: which prompts a program was seen to send, by place and text, in a file of JSON lines."""

from __future__ import annotations

import fcntl
import json
import os
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.errors import InputError
from ringtrue.prompts.baseline import load_baseline, load_payload, write_payload
from ringtrue.prompts.commit import git_info
from ringtrue.prompts.stamped_file import CaseLine, change_stamps, restamp
from ringtrue.prompts.stamps import ANCHOR, RUNTIME_SOURCE, new_provenance, read_provenance
from ringtrue.reports.whole_file import Where, write_whole
from ringtrue.scoring.strict_json import read_json

RECORDER_VERSION = 1
RECORDINGS_SCHEMA_VERSION = 1
DEFAULT_RECORDINGS_NAME = "prompt_recordings.jsonl"

TRUST_TIERS = (
    "a static scan proves which text stands in the source",
    "runtime recordings prove only the renderings observed, and no others",
    "prompts in templates, files and hubs are unverifiable",
)
"""What each kind of finding is worth."""

_PLACE = tuple(name for name in ANCHOR if name != "role_position")
Recording = dict[str, Any]


class RecorderError(InputError, RuntimeError):
    """Recordings cannot be read, or another recorder is at work."""


@dataclass
class ObservedVerdict:
    """How many of the texts that a place was once seen to send it was seen to send again."""

    anchor: dict[str, Any]
    baseline_renderings: int
    matched: int
    current_renderings: int
    new_renderings: int
    case_uids: list[str] = field(default_factory=list)
    observations: int = 0
    has_current: bool = False


@dataclass(frozen=True)
class BindingProposal:
    """A prompt that was sent while a case was asked."""

    case_uid: str
    anchor: dict[str, Any]
    fingerprint: str
    loose_fingerprint: str
    count: int

    def told(self) -> str:
        """A line for people."""
        place = f"{self.anchor.get('file_path')}::{self.anchor.get('qualname')}.{self.anchor.get('role')}"
        return f"case {self.case_uid} -> {place} (observed {self.count}×, {self.fingerprint[:12]})"


def load_recordings(path: Where) -> list[Recording]:
    """The recordings of a file; lines that cannot be read, or are of a later version, are left out."""
    try:
        lines = Path(path).read_text("utf-8", "replace").split("\n")
    except OSError as error:
        raise RecorderError(f"cannot read the recordings {path}: {error}") from error
    return [found for line in lines if line.strip() and _is_recording(found := read_json(line).value)]


def write_recordings(path: Where, records: Iterable[Mapping[str, Any]]) -> None:
    """Write a file of recordings, whole or not at all."""
    write_whole(path, "".join(f"{json.dumps(record)}\n" for record in records).encode())


def add_recordings(path: Where, new: Sequence[Recording]) -> None:
    """Put recordings to those of a file; no other process comes between."""
    try:
        with _alone(Path(path).absolute().parent):
            old = load_recordings(path) if Path(path).exists() else []
            write_recordings(path, merge_recording_dicts(old, new))
    except OSError as error:
        raise RecorderError(f"cannot write the recordings {path}: {error.strerror or error}") from error


def place_of(recording: Mapping[str, Any]) -> str:
    """Where a prompt is sent: the same for any line of the same function."""
    return json.dumps([recording["anchor"].get(name) for name in _PLACE])


def merge_recording_dicts(existing: Iterable[Recording], new: Iterable[Recording]) -> list[Recording]:
    """The recordings of both, one for each place and text: counts are added, cases united."""
    merged: dict[tuple[str, str], Recording] = {}
    for recording in (*existing, *new):
        put_recording(merged, recording)
    return [merged[key] for key in sorted(merged)]


def put_recording(merged: dict[tuple[str, str], Recording], recording: Recording) -> None:
    """Put a recording among others."""
    key = place_of(recording), str(recording["fingerprint"])
    old = merged.get(key)
    if old is None:
        merged[key] = recording
        return
    merged[key] = {
        **old,
        **recording,
        "case_uids": sorted({*_cases(old), *_cases(recording)}),
        "count": _count(old) + _count(recording),
        **_times([old, recording]),
    }


def runtime_records_from_recordings(recordings: Iterable[Recording]) -> list[dict[str, Any]]:
    """What a baseline keeps of recordings: for each place the fingerprints of all texts it sent."""
    places: defaultdict[str, list[Recording]] = defaultdict(list)
    for recording in recordings:
        places[place_of(recording)].append(recording)
    return [
        {
            "source": RUNTIME_SOURCE,
            "anchor": dict(found[0]["anchor"]),
            "fingerprints": sorted({str(one["fingerprint"]) for one in found}),
            "loose_fingerprints": sorted(
                {str(one["loose_fingerprint"]) for one in found if "loose_fingerprint" in one}
            ),
            "case_uids": sorted({uid for one in found for uid in _cases(one)}),
            "observations": sum(map(_count, found)),
            **_times(found),
            "recorder_version": RECORDER_VERSION,
        }
        for _, found in sorted(places.items())
    ]


def merge_runtime_records(existing: Iterable[dict[str, Any]], new: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a baseline kept and what is new: texts and cases are united; how often is what the new one says."""
    merged = {place_of(record): record for record in existing}
    for record in new:
        old = merged.get(place_of(record), {})
        names = ("fingerprints", "loose_fingerprints", "case_uids")
        united = {name: sorted({*old.get(name, ()), *record.get(name, ())}) for name in names}
        merged[place_of(record)] = {**old, **record, **united, **_times([old, record])}
    return [merged[place] for place in sorted(merged)]


def merge_recordings_into_baseline(baseline_path: Where, recordings_path: Where) -> tuple[int, int]:
    """Put recordings into a baseline, beside what the scan found; how many places and texts they have."""
    load_baseline(baseline_path)
    payload, new = load_payload(baseline_path), runtime_records_from_recordings(load_recordings(recordings_path))
    payload["runtime_records"] = merge_runtime_records(payload.get("runtime_records") or (), new)
    write_payload(baseline_path, payload)
    return len(new), sum(len(record["fingerprints"]) for record in new)


def compare_observed(
    runtime_records: Sequence[dict[str, Any]], current_recordings: Sequence[Recording] | None
) -> list[ObservedVerdict]:
    """What recordings have of what a baseline keeps of earlier ones."""
    now = {place_of(one): set(one["fingerprints"]) for one in runtime_records_from_recordings(current_recordings or ())}
    found = []
    for record in runtime_records:
        known, seen = set(record.get("fingerprints", ())), now.get(place_of(record), set())
        counts = (len(known), len(known & seen), len(seen), len(seen - known))
        cases, observations = list(record.get("case_uids", ())), _count(record, "observations")
        found.append(ObservedVerdict(record["anchor"], *counts, cases, observations, current_recordings is not None))
    return found


def unmerged_runtime_sites(
    runtime_records: Sequence[dict[str, Any]], current_recordings: Sequence[Recording] | None
) -> int:
    """How many places of recordings a baseline does not know."""
    return len(set(map(place_of, current_recordings or ())) - set(map(place_of, runtime_records)))


def propose_bindings(recordings: Iterable[Recording]) -> list[BindingProposal]:
    """The prompts that were sent while cases were asked, in the order of the cases."""
    found = [
        BindingProposal(uid, one["anchor"], one["fingerprint"], one.get("loose_fingerprint", ""), _count(one))
        for one in recordings
        for uid in _cases(one)
    ]
    return sorted(found, key=lambda one: (one.case_uid, json.dumps(one.anchor, sort_keys=True), one.fingerprint))


def runtime_target(p: BindingProposal) -> dict[str, Any]:
    """What a case's stamp says of a prompt that was seen."""
    prints = {"fingerprint": p.fingerprint, "loose_fingerprint": p.loose_fingerprint, "is_dynamic": False}
    return {**prints, "anchor": {**p.anchor, "role_position": -1}, "bound": "observed", "source": RUNTIME_SOURCE}


def apply_bindings(
    cases_path: Where, proposals: Iterable[BindingProposal], *, repo: Where = ".", dry_run: bool = False
) -> int:
    """Stamp the cases of a file with the prompts that were seen; how many cases changed."""
    wanted: defaultdict[str, list[dict[str, Any]]] = defaultdict(list)
    for proposal in proposals:
        wanted[proposal.case_uid].append(runtime_target(proposal))
    git = git_info(repo)

    def stamped(index: int, line: CaseLine) -> dict[str, Any] | None:
        _, stamp = read_provenance(line.metadata())
        targets = wanted.get(str((stamp or {}).get("case_uid")))
        return restamp(line, new_provenance(authored_by="", git=git, targets=targets)) if targets else None

    return change_stamps(cases_path, stamped, dry_run=dry_run)


def _is_recording(value: Any) -> bool:
    if not isinstance(value, dict) or not isinstance(value.get("anchor"), dict):
        return False
    version = value.get("schema_version")
    later = isinstance(version, int) and version > RECORDINGS_SCHEMA_VERSION
    return isinstance(value.get("fingerprint"), str) and bool(value["fingerprint"]) and not later


def _cases(recording: Mapping[str, Any]) -> list[str]:
    found = recording.get("case_uids")
    return [uid for uid in found if isinstance(uid, str)] if isinstance(found, list) else []


def _count(recording: Mapping[str, Any], name: str = "count") -> int:
    found = recording.get(name)
    return found if isinstance(found, int) else 0


def _times(recordings: Sequence[Mapping[str, Any]]) -> dict[str, str | None]:
    first, last = ([one[name] for one in recordings if isinstance(one.get(name), str)] for name in _SEEN)
    return dict(zip(_SEEN, (min(first, default=None), max(last, default=None)), strict=True))


_SEEN = ("first_seen", "last_seen")


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    folder.mkdir(parents=True, exist_ok=True)
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)
