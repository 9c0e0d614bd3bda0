"""Files of rows: written whole or not at all as JSONL, CSV or Parquet, and read again as runs (JSONL, Parquet)."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import islice
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO, Self

from ringtrue.atomic_file import check_place, explain_failure, whole_file
from ringtrue.datasets.files.shards import is_remote
from ringtrue.dialects.coercion import case_id
from ringtrue.dialects.own_rows import NESTED, NUMBER_ID, cell_of_answers
from ringtrue.dialects.run_record import AMOUNTS, RUN, made_record, row_record
from ringtrue.errors import ConfigurationError, MissingExtra
from ringtrue.jsontext import json_bytes, json_lines, json_text, parse_json
from ringtrue.records import Json, Made, Row
from ringtrue.reports.csv_text import csv_lines
from ringtrue.stats.summarise import part_keys

FORMATS = (".jsonl", ".csv", ".parquet")
ROWS_AT_ONCE = 1_000
VERDICT = ("passed", "threshold", "status", "reason")


def format_of(path: str | os.PathLike[str]) -> str:
    """The format an output file's name asks for."""
    suffix = Path(path).suffix.lower()
    if suffix not in FORMATS:
        words = f"cannot tell the format of {os.fspath(path)!r}; end its name in {', '.join(FORMATS)}"
        raise ConfigurationError(words, parameter="output", value=path)
    return suffix


def write_rows(path: str | os.PathLike[str], rows: Iterable[Row], made: Made, format: str | None = None) -> None:
    """Write rows to a file, which appears whole or not at all; its name says the format unless one is given."""
    remaining = iter(rows)
    with RowFile(path, format) as file:
        while part := list(islice(remaining, ROWS_AT_ONCE)):
            file.write(json_lines(map(row_record, part)))
        file.made = made


class RowFile:
    """A file being written from JSON lines; it takes its name only when the block ends without an exception.

    Tables wait as lines beside the file until their columns are known. `made` is what the file says of its run.
    """

    def __init__(self, path: str | os.PathLike[str], format: str | None = None) -> None:
        self.format = format or format_of(path)
        if is_remote(os.fspath(path)):
            words = f"cannot write {os.fspath(path)!r} from here; --executor ray writes to object storage"
            raise ConfigurationError(words, parameter="output", value=path)
        self.path = Path(path).absolute()
        check_place(self.path, "output")
        if self.format == ".parquet":
            arrow()
        self.made = Made()
        with explain_failure(self.path):
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.lines: Any = tempfile.TemporaryFile(dir=self.path.parent)  # noqa: SIM115 (closed in __exit__)

    def __enter__(self) -> Self:
        return self

    def write(self, lines: bytes) -> None:
        """Take JSON lines in."""
        with explain_failure(self.path):
            self.lines.write(lines)

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        with suppress(OSError), self.lines:  # a full disk is reported once
            if kind is None:
                with whole_file(self.path) as file:
                    self._finish(file)

    def _finish(self, file: BinaryIO) -> None:
        if self.format == ".jsonl":
            self._write_lines(file)
        elif self.format == ".csv":
            columns = _Columns.of(self._records(), self.made)
            file.write(csv_lines([columns.names]))
            for part in self._parts():
                file.write(csv_lines([columns.cells(record) for record in part]))
        else:
            _write_parquet(file, self._parts, _Columns.of(self._records(), self.made, nested=True), self.made)

    def _write_lines(self, file: BinaryIO) -> None:
        self.lines.seek(0)
        first = self.lines.readline()
        if first:  # a reader that knows nothing of runs sees one more field of one row
            file.write(json_bytes({**parse_json(first), RUN: made_record(self.made)}) + b"\n")
        shutil.copyfileobj(self.lines, file, length=1 << 20)

    def _records(self) -> Iterator[dict[str, Json]]:
        self.lines.seek(0)
        return map(parse_json, self.lines)

    def _parts(self) -> Iterator[list[dict[str, Json]]]:
        records = self._records()
        while part := list(islice(records, ROWS_AT_ONCE)):
            yield part


class _Columns:
    """The columns of a table: what rows hold, each score's number, and each evaluator's verdict."""

    def __init__(
        self,
        plain: Sequence[str],
        keys: Mapping[str, Mapping[str, str]],
        thresholds: Mapping[str, float],
        *,
        nested: bool,
    ) -> None:
        self.plain, self.keys, self.thresholds, self.nested = plain, keys, thresholds, nested
        self.names = [*plain]
        for name, own in keys.items():
            self.names += [*own.values(), *(f"{name}.{word}" for word in VERDICT)]

    @classmethod
    def of(cls, records: Iterable[Mapping[str, Json]], made: Made, *, nested: bool = False) -> _Columns:
        plain: dict[str, None] = {}
        seen: dict[str, dict[str, None]] = {}
        for record in records:
            plain.update(dict.fromkeys(record))
            for name, score in record["scores"].items():
                seen.setdefault(name, {}).update(dict.fromkeys(score.get("parts") or ()))
        left_out = () if nested else ("scores", "fields", "output_fields")
        names = [name for name in plain if name not in left_out] + ([NUMBER_ID] if nested else [])
        keys = part_keys(made.evaluators, seen, names)
        return cls(names, keys, {one.name: one.threshold for one in made.evaluators}, nested=nested)

    def cells(self, record: Mapping[str, Json]) -> list[Json]:
        marked = {**record, NUMBER_ID: type(record.get("id")) in (int, float)}
        cells = [self._cell(name, marked.get(name)) for name in self.plain]
        for name, own in self.keys.items():
            score: Mapping[str, Json] = record["scores"].get(name) or {}
            parts = score.get("parts") or {}
            alone = score.get("value") if not parts else None
            cells += [parts.get(part, alone if place == 0 else None) for place, part in enumerate(own)]
            cells += [self.thresholds.get(name) if word == "threshold" else score.get(word) for word in VERDICT]
        return cells

    def _cell(self, name: str, value: Json) -> Json:
        if name == "id":
            return str(case_id(value))
        if name == "expected" and value is not None and not self.nested:
            return cell_of_answers(value)
        return json_text(value) if name in NESTED and value is not None else value


def _write_parquet(file: BinaryIO, parts: Any, columns: _Columns, made: Made) -> None:
    pyarrow, parquet = arrow()
    numbers = AMOUNTS | {"row": int, "repeat": int, "answered_at": float}
    kinds = {name: pyarrow.int64() if kind is int else pyarrow.float64() for name, kind in numbers.items()}
    kinds |= dict.fromkeys(("reused", NUMBER_ID), pyarrow.bool_())
    kinds |= {key: pyarrow.float64() for own in columns.keys.values() for key in own.values()}
    kinds |= {f"{name}.passed": pyarrow.bool_() for name in columns.keys}
    kinds |= {f"{name}.threshold": pyarrow.float64() for name in columns.keys}
    about = {RUN.encode(): json_bytes(made_record(made))}
    schema = pyarrow.schema([(name, kinds.get(name, pyarrow.string())) for name in columns.names], about)
    with parquet.ParquetWriter(file, schema, compression="zstd") as table:
        for part in parts():
            cells = [[_encodable(cell) for cell in columns.cells(record)] for record in part]
            arrays = [
                pyarrow.array(column, kind.type) for column, kind in zip(zip(*cells, strict=True), schema, strict=True)
            ]
            table.write_table(pyarrow.Table.from_arrays(arrays, schema=schema))


def arrow() -> tuple[Any, Any]:
    """pyarrow and its Parquet."""
    try:
        import pyarrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise MissingExtra("Parquet", "parquet") from error
    return pyarrow, parquet


def _encodable(cell: Json) -> Json:
    """A cell that UTF-8 can hold: half a surrogate pair is escaped."""
    return cell.encode("utf-8", "backslashreplace").decode() if isinstance(cell, str) and not cell.isascii() else cell
