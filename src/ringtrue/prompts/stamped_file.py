"""`stamp_jsonl`: stamps in a file of cases; whatever is not stamped stays byte by byte as it was."""

from __future__ import annotations

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ringtrue.prompts.commit import git_info
from ringtrue.prompts.fingerprint import writable
from ringtrue.prompts.stamps import ProvenanceError, new_provenance, restamped
from ringtrue.reports.whole_file import Where, write_whole
from ringtrue.scoring.strict_json import JsonReading, read_json
from ringtrue.systems.asked_case import PROVENANCE_KEY


@dataclass
class StampResult:
    """How many cases of a file were selected, and how many of them a stamp changed."""

    path: Path
    selected: int
    updated: int
    unchanged: int
    dry_run: bool


class CaseLine:
    """One line of a file of cases; it is read when somebody asks for it."""

    def __init__(self, path: Path, number: int, raw: str) -> None:
        self.where, self.raw = f"{path}:{number}", raw
        self.start = "\ufeff" if raw.startswith("\ufeff") else ""

    def case(self) -> dict[str, Any]:
        """The case as it is written."""
        value = self._reading().value
        if not isinstance(value, dict):
            raise ProvenanceError(f"{self.where}: a case is a JSON object; got {type(value).__name__}")
        return value

    def metadata(self) -> dict[str, Any]:
        """The case's metadata."""
        found = self.case().get("metadata")
        if found is not None and not isinstance(found, dict):
            raise ProvenanceError(f"{self.where}: metadata must be an object; got {type(found).__name__}")
        return found or {}

    def with_stamp(self, stamp: Mapping[str, Any]) -> str:
        """The line with a stamp; refused where writing it anew would lose something else."""
        reading = self._reading()
        if reading.duplicates or reading.wide_numbers:
            what = f"repeats the key {reading.duplicates[0]!r}" if reading.duplicates else "has a number too wide"
            raise ProvenanceError(f"{self.where}: the line {what}; it cannot be written anew as it is")
        case = {**self.case(), "metadata": {**self.metadata(), PROVENANCE_KEY: dict(stamp)}}
        text = json.dumps(case, ensure_ascii=self.raw.isascii())
        return f"{self.start}{writable(text)}" + "\r" * self.raw.endswith("\r")

    def _reading(self) -> JsonReading:
        reading = read_json(self.raw.removeprefix(self.start).strip())
        if reading.problem:
            raise ProvenanceError(f"{self.where}: not valid JSON: it is {reading.problem}")
        return reading


def change_stamps(
    path: Where, stamped: Callable[[int, CaseLine], Mapping[str, Any] | None], *, dry_run: bool = False
) -> int:
    """Give a file's cases the stamps that a function of their place and line has for them; how many that are."""
    place = Path(path)
    try:
        lines = place.read_bytes().decode().split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise ProvenanceError(f"cannot read {str(path)!r}: {error}") from error
    changed = 0
    filled = [number for number, raw in enumerate(lines) if raw.removeprefix("\ufeff").strip()]
    for index, number in enumerate(filled):
        line = CaseLine(place, number + 1, lines[number])
        stamp = stamped(index, line)
        if stamp is not None:
            lines[number] = line.with_stamp(stamp)
            changed += 1
    if changed and not dry_run:
        write_whole(place.resolve(), "\n".join(lines).encode())
    return changed


def stamp_jsonl(
    path: Where,
    targets: Sequence[Mapping[str, Any]],
    *,
    authored_by: str = "human",
    evidence: Mapping[str, Any] | None = None,
    indices: Collection[int] | None = None,
    tag: str | None = None,
    select_all: bool = False,
    repo: Where = ".",
    force: bool = False,
    dry_run: bool = False,
    _now: str | None = None,
) -> StampResult:
    """Stamp the cases of a file that are selected by place or tag; a stamp that says nothing new changes nothing."""
    git = git_info(repo)
    selected = 0

    def stamped(index: int, line: CaseLine) -> dict[str, Any] | None:
        nonlocal selected
        if not (select_all or index in (indices or ()) or (tag is not None and _tagged(line, tag))):
            return None
        selected += 1
        new = new_provenance(authored_by=authored_by, git=git, targets=targets, evidence=evidence, now=_now)
        return restamp(line, new, force=force)

    updated = change_stamps(path, stamped, dry_run=dry_run)
    return StampResult(Path(path), selected, updated, selected - updated, dry_run)


def restamp(line: CaseLine, new: Mapping[str, Any], *, force: bool = False) -> dict[str, Any] | None:
    """The stamp of a line's case with the targets of a new one; an error says which line it is."""
    try:
        return restamped(line.metadata(), new, force=force)
    except ProvenanceError as error:
        where = "" if line.where in str(error) else f"{line.where}: "
        raise type(error)(f"{where}{error}") from error


def _tagged(line: CaseLine, tag: str) -> bool:
    tags = line.case().get("tags")
    return isinstance(tags, list) and tag in tags
