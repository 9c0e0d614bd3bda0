"""A run in parts: Parquet files that workers wrote, and one manifest that says how they were made; here or remote."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

from ringtrue.atomic_file import write_whole
from ringtrue.datasets.files.shards import is_remote, remote_place
from ringtrue.dialects.run_record import (
    facts_from,
    facts_record,
    made_from,
    made_record,
    summaries_from,
    summaries_record,
)
from ringtrue.errors import AbsentFile, InputError
from ringtrue.jsontext import json_bytes, parse_json
from ringtrue.records import Made, Problem, Row, RowFilter, RowOrder, Run
from ringtrue.reports.file_rows import FileRows
from ringtrue.reports.row_file import RowFile, arrow
from ringtrue.stats.row_pages import PagedRows

MANIFEST = "manifest.json"
_VERSION = 1


@dataclass(frozen=True, slots=True)
class Part:
    """One file of a run: which shard its rows are of, how many, and the number of the first where they are numbered on.

    `whole` is False where a limit stopped the work at the shard. `places` is how many places its rows take: a line that
    could not be read has one, too.
    """

    file: str
    shard: str
    rows: int
    first: int = 0
    whole: bool = True
    places: int = 0


class PartFolder:
    """The folder of a run in parts; every file in it appears whole or not at all, by its own name once."""

    def __init__(self, place: str) -> None:
        self.place = place.rstrip("/") if is_remote(place) else str(Path(place).absolute())
        self.remote = is_remote(place)

    def path(self, name: str) -> str:
        """Return the path of a file of the folder."""
        return f"{self.place}/{name}"

    def exists(self, name: str) -> bool:
        """Whether a file is there."""
        if not self.remote:
            return Path(self.path(name)).is_file()
        file_system, path = remote_place(self.path(name))
        return bool(file_system.exists(path))

    def read(self, name: str) -> bytes:
        """A small file."""
        try:
            if not self.remote:
                return Path(self.path(name)).read_bytes()
            file_system, path = remote_place(self.path(name))
            found: bytes = file_system.cat_file(path)
            return found
        except FileNotFoundError as error:
            raise AbsentFile(f"there is no file {self.path(name)!r}") from error

    def write(self, name: str, data: bytes) -> None:
        """Write a small file."""
        if not self.remote:
            write_whole(self.path(name), data)
            return
        with tempfile.TemporaryDirectory() as scratch:
            local = Path(scratch) / name
            local.write_bytes(data)
            self._put(str(local), name)

    @contextmanager
    def part(self, name: str) -> Iterator[RowFile]:
        """A file of rows that appears when the block ends without an exception."""
        if not self.remote:
            Path(self.place).mkdir(parents=True, exist_ok=True)
            with RowFile(self.path(name)) as file:
                yield file
            return
        with tempfile.TemporaryDirectory() as scratch:
            local = Path(scratch) / name
            with RowFile(local) as file:
                yield file
            self._put(str(local), name)

    def _put(self, local: str, name: str) -> None:
        file_system, path = remote_place(self.path(name))
        file_system.makedirs(os.path.dirname(path), exist_ok=True)
        unfinished = f"{path}.{secrets.token_hex(4)}.partial"
        file_system.put_file(local, unfinished)
        file_system.mv(unfinished, path)


class PartRows(FileRows):
    """The rows of one part."""

    def __init__(self, folder: PartFolder, name: str) -> None:
        self.folder, self.path, self._count = folder, Path(name), None

    def _table(self) -> Any:
        pyarrow, parquet = arrow()
        place = self.folder.path(self.path.name)
        try:
            if not self.folder.remote:
                return parquet.ParquetFile(place)
            file_system, path = remote_place(place)
            return parquet.ParquetFile(file_system.open(path, "rb"))
        except (OSError, pyarrow.ArrowException) as error:
            raise InputError(f"{place}: not Parquet: {error}") from error


class ManifestRows(PagedRows):
    """The rows of all parts, in the order of the shards; they are read whenever they are asked for."""

    def __init__(self, folder: PartFolder, parts: Sequence[Part], made: Made) -> None:
        self.folder, self.parts, self.made = folder, parts, made

    def __iter__(self) -> Iterator[Row]:
        for part in self.parts:
            yield from self._rows(part)

    def __len__(self) -> int:
        return sum(part.rows for part in self.parts)

    def page(
        self, wanted: RowFilter | None = None, order: RowOrder = "position", offset: int = 0, limit: int | None = None
    ) -> list[Row]:
        """The rows that match, in an order, from one place on; parts before that place are not read."""
        if wanted is not None or order != "position":
            return super().page(wanted, order, offset, limit)
        for number, part in enumerate(self.parts):
            if offset < part.rows:
                rest = ManifestRows(self.folder, self.parts[number:], self.made)
                return PagedRows.page(rest, None, order, offset, limit)
            offset -= part.rows
        return []

    def _rows(self, part: Part) -> Iterator[Row]:
        rows = iter(PartRows(self.folder, part.file))
        return (_shift_row(row, part.first) for row in rows) if part.first else rows


def _shift_row(row: Row, places: int) -> Row:
    """A row this many places on; a case that is called by its place is called by the new one."""
    position, trial = row.position + places, row.trial
    if trial.case.id == row.position:
        trial = replace(trial, case=replace(trial.case, id=position))
    return replace(row, trial=trial, position=position)


def is_manifest(name: str) -> bool:
    """Whether a name is that of a manifest, or of a folder that has one."""
    if is_remote(name):
        return name.endswith(MANIFEST) or PartFolder(name).exists(MANIFEST)
    # What may not be looked at is not a manifest: whatever reads it says why.
    return (os.path.basename(name) == MANIFEST and os.path.isfile(name)) or os.path.isfile(os.path.join(name, MANIFEST))


def manifest_folder(name: str) -> PartFolder:
    """The folder of a manifest that is named by itself or by its folder."""
    return PartFolder(name.removesuffix(MANIFEST).rstrip("/") or ".")


def write_manifest(folder: PartFolder, run: Run, parts: Sequence[Part], plan: str) -> None:
    """Write down what a run in parts came to, in place of what was known before."""
    record = {
        "ringtrue_manifest": _VERSION,
        "plan": plan,
        "status": run.status,
        "run": made_record(run.made),
        "summaries": summaries_record(run.summaries),
        "stopped_by": run.stopped_by,
        "seconds": dict(run.seconds),
        "spent": dict(run.spent),
        "first_skips": dict(run.first_skips),
        "facts": facts_record(run.facts),
        "problems": run.problems,
        "first_problems": [asdict(one) for one in run.first_problems],
        "parts": [asdict(part) for part in parts],
    }
    folder.write(MANIFEST, json_bytes(record))


def plan_in(folder: PartFolder) -> str | None:
    """The plan of the run whose parts are in a folder; None while there is none."""
    return str(_record(folder).get("plan")) if folder.exists(MANIFEST) else None


def parts_of(name: str) -> list[Part]:
    """The parts that a manifest names."""
    return [Part(**part) for part in _record(manifest_folder(name))["parts"]]


def read_manifest(name: str) -> Run:
    """The run that a manifest describes; its summaries are those that were written, its rows are read when wanted."""
    folder = manifest_folder(name)
    record = _record(folder)
    try:
        made = made_from(record["run"])
        rows = ManifestRows(folder, parts_of(name), made)
        return Run(
            made=made,
            rows=rows,
            summaries=summaries_from(record["summaries"]),
            status=record["status"],
            stopped_by=record["stopped_by"],
            seconds=record["seconds"],
            problems=record["problems"],
            first_problems=tuple(Problem(**one) for one in record["first_problems"]),
            spent=record["spent"],
            first_skips=record["first_skips"],
            facts=facts_from(record.get("facts")),
            unasked_count=made.unasked_count(len(rows)),
        )
    except (KeyError, TypeError) as error:
        raise InputError(f"{folder.path(MANIFEST)} is not a manifest that ringtrue wrote: {error!r}") from error


def _record(folder: PartFolder) -> Mapping[str, Any]:
    try:
        record = parse_json(folder.read(MANIFEST))
    except ValueError as error:
        raise InputError(f"{folder.path(MANIFEST)}: not JSON: {error}") from error
    if not isinstance(record, Mapping) or record.get("ringtrue_manifest") != _VERSION:
        raise InputError(f"{folder.path(MANIFEST)} is not a manifest that this ringtrue can read")
    return record
