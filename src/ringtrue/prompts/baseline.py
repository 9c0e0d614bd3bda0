"""`Baseline`: the prompts of a repository as somebody approved them, in a file."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.errors import InputError
from ringtrue.prompts.commit import git_info
from ringtrue.prompts.matching import SiteVerdict, match_records
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.source import SCANNER_VERSION, scan_with_skips
from ringtrue.prompts.stamps import utc_now
from ringtrue.reports.whole_file import Where, write_whole
from ringtrue.scoring.strict_json import read_json

SCHEMA_VERSION = 1
DEFAULT_BASELINE_NAME = "prompt_baseline.json"
DEFAULT_STALENESS_IGNORES = ("examples", "tests", "third_party", "vendor")

_TEXTS = ("file_path", "sdk", "call_site", "role", "qualname", "fingerprint")
_NUMBERS = ("line", "role_position")
_SETTLED: tuple[tuple[str, list[str]], ...] = (("unchanged", []), ("unknown", ["dynamic"]))


class BaselineError(InputError):
    """A baseline cannot be read."""


@dataclass
class Baseline:
    """The prompts that a scan found, and, apart from them, what was seen while the program ran."""

    schema_version: int
    scanner_version: int
    created_at: str
    git: dict[str, Any]
    scan_root: str
    ignore_dirs: list[str]
    records: list[PromptRecord]
    runtime_records: list[dict[str, Any]] = field(default_factory=list)


def staleness_ignores(ignore_dirs: Iterable[str] | None = None, include_tests: bool = False) -> frozenset[str]:
    """The folders that are passed over besides those of every scan."""
    return frozenset(ignore_dirs or ()).union(() if include_tests else DEFAULT_STALENESS_IGNORES)


def scan_repo(
    repo_root: Where, ignore_dirs: Iterable[str] | None = None, include_tests: bool = False
) -> tuple[list[PromptRecord], list[str], list[tuple[str, str]]]:
    """The prompts of a repository, the folders that were passed over, and the files that could not be read."""
    ignored = staleness_ignores(ignore_dirs, include_tests)
    records, skipped = scan_with_skips(repo_root, ignored)
    return records, sorted(ignored), skipped


def record_dict(record: PromptRecord) -> dict[str, Any]:
    """A prompt as a baseline tells it: everything but its text."""
    return {name: value for name, value in asdict(record).items() if name != "text"}


def load_payload(path: Where) -> dict[str, Any]:
    """A baseline's file as plain values, of a version that is known here."""
    try:
        reading = read_json(Path(path).read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise BaselineError(f"cannot read the baseline {path}: {error}") from error
    if reading.problem or not isinstance(reading.value, dict):
        raise BaselineError(f"{path} is no baseline: it is {reading.problem or 'no JSON object'}")
    version = reading.value.get("schema_version")
    if isinstance(version, bool) or not isinstance(version, int):
        raise BaselineError(f"{path} is no baseline: schema_version must be an integer; got {version!r}")
    if version > SCHEMA_VERSION:
        raise BaselineError(f"{path} was written by a newer multivon-eval or ringtrue: its schema_version is {version}")
    return reading.value


def load_baseline(path: Where) -> Baseline:
    """A baseline from its file, or a BaselineError."""
    data = load_payload(path)
    try:
        return Baseline(
            data["schema_version"],
            int(data.get("scanner_version", 1)),
            str(data.get("created_at", "")),
            dict(data.get("git") or {"sha": None, "dirty": None}),
            str(data.get("scan_root", ".")),
            [str(name) for name in data.get("ignore_dirs") or ()],
            [_record(record) for record in data.get("records") or ()],
            [_runtime_record(record) for record in data.get("runtime_records") or ()],
        )
    except (TypeError, ValueError, AttributeError, KeyError) as error:
        raise BaselineError(f"{path} is no baseline: {type(error).__name__}: {error}") from error


def write_payload(path: Where, payload: Mapping[str, Any]) -> None:
    """Write a baseline's file, whole or not at all."""
    write_whole(path, f"{json.dumps(payload, indent=2)}\n".encode())


def write_baseline(
    repo_root: Where,
    out: Where | None = None,
    *,
    ignore_dirs: Iterable[str] | None = None,
    include_tests: bool = False,
    dry_run: bool = False,
) -> tuple[Baseline, list[str]]:
    """Scan a repository and keep what was found; lines tell what was not read, and what differs from before."""
    place = Path(out) if out else Path(repo_root) / DEFAULT_BASELINE_NAME
    records, ignored, skipped = scan_repo(repo_root, ignore_dirs, include_tests)
    made = Baseline(SCHEMA_VERSION, SCANNER_VERSION, utc_now(), git_info(repo_root), ".", ignored, records)
    lines = [f"not scanned: {path}: {reason}" for path, reason in skipped]
    if place.exists():
        try:
            old = load_baseline(place)
        except BaselineError as error:
            lines.append(f"the baseline before is replaced unread: {error}")
        else:
            made.runtime_records = old.runtime_records
            lines += _changes(*match_records(old.records, records, unscannable_files={path for path, _ in skipped}))
    if not dry_run:
        payload = {**vars(made), "records": [record_dict(record) for record in records]}
        if not made.runtime_records:
            del payload["runtime_records"]
        write_payload(place, payload)
    return made, lines


def _changes(verdicts: Sequence[SiteVerdict], added: Sequence[PromptRecord]) -> list[str]:
    lines = [
        f"{verdict.status}{labelled(verdict.labels)}: {verdict.baseline.call_site_id}"
        for verdict in verdicts
        if verdict.baseline is not None and (verdict.status, verdict.labels) not in _SETTLED
    ]
    return lines + [f"added: {record.call_site_id}" for record in added]


def labelled(labels: Sequence[str]) -> str:
    """Labels in brackets, after a blank; nothing where there are none."""
    return f" [{', '.join(labels)}]" if labels else ""


def _record(data: Mapping[str, Any]) -> PromptRecord:
    texts = {name: data[name] for name in _TEXTS} | {"loose_fingerprint": data.get("loose_fingerprint", "")}
    numbers = {name: data[name] for name in _NUMBERS}
    if not all(isinstance(value, str) for value in texts.values()):
        raise TypeError(f"{', '.join(texts)} of a record are text")
    if not all(isinstance(value, int) for value in numbers.values()):
        raise TypeError(f"{' and '.join(numbers)} of a record are integers")
    return PromptRecord(**texts, **numbers, text="", is_dynamic=bool(data.get("is_dynamic")))


def _runtime_record(data: Mapping[str, Any]) -> dict[str, Any]:
    lists = [data.get(name, []) for name in ("fingerprints", "loose_fingerprints", "case_uids")]
    texts = all(isinstance(found, list) and all(isinstance(text, str) for text in found) for found in lists)
    if not isinstance(data["anchor"], dict) or not texts:
        raise TypeError("a runtime record has an anchor, and lists of fingerprints and case_uids")
    return dict(data)
