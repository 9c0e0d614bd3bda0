"""Reading JSONL, JSON, CSV, TSV, Parquet and Arrow from a path or standard input, in constant memory."""

from __future__ import annotations

import gzip
import io
import json
import sys
import zlib
from collections.abc import Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from pathlib import Path
from typing import BinaryIO, cast

import orjson

from ringtrue.datasets.files.arrow_table import is_saved, read_arrow, read_saved
from ringtrue.datasets.files.chunks import CHUNK_ROWS, MAX_LINE_BYTES, Chunk
from ringtrue.datasets.files.csv_table import read_separated
from ringtrue.datasets.files.shards import is_remote, open_remote
from ringtrue.datasets.files.text_encoding import Utf8Stream, as_utf8
from ringtrue.dialects.own_rows import record_of_cells
from ringtrue.dialects.run_record import RUN
from ringtrue.errors import AbsentFile, ConfigurationError, InputError, MissingExtra
from ringtrue.records import Json, Problem

CHUNK_BYTES = 256 * 1024
STDIN = "<stdin>"
FORMATS = ("jsonl", "json", "csv", "tsv", "parquet", "arrow")
_SUFFIXES = {".ndjson": "jsonl", **{f".{kind}": kind for kind in FORMATS}}
_TABLES = {b"PAR1": ("Parquet", "parquet"), b"ARRO": ("Arrow", "arrow")}
"""What files of tables begin with; they are read by name and from any place on, not from a stream."""

_WORKBOOKS = (".xlsx", ".xlsm", ".xls", ".ods")
_WORKBOOK_STARTS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""What workbooks begin with: an archive, or a file of older versions of Excel."""

_LISTS = ("rows", "data", "examples", "cases", "results", "samples", "questions")


def read_chunks(path: str, format: str | None = None, encoding: str | None = None) -> Iterator[Chunk]:
    """The chunks of a file, of a folder `save_to_disk` left, or of standard input for `-`.

    The format follows from the name, or from the first byte. Text is UTF-8, or what its mark or `encoding` says.
    """
    if is_remote(path):
        yield from _remote(path, format, encoding)
        return
    if path != "-" and is_saved(Path(path)):
        yield from read_saved(Path(path))
        return
    if path != "-" and (Path(path).is_dir() or not Path(path).exists()):
        what = "is a folder" if Path(path).is_dir() else "does not exist"
        sample = ", a sample ('ringtrue list samples')" if "@" in path else ""
        raise AbsentFile(f"{path!r} {what}; give a file{sample}, or - for standard input")
    kind = format or named_format(path)
    if kind in ("parquet", "arrow"):
        yield from _table(path, kind)
        return
    if format is None and path.lower().endswith(_WORKBOOKS):
        raise _workbook(path)
    if format is None and path.endswith(".py"):
        raise InputError(f"{path} is a Python file, not a table of rows; of a benchmark in it write {path}:NAME")
    name = STDIN if path == "-" else path
    with open_bytes(path) as stream:
        try:
            yield from read_stream(stream, name, kind, encoding)
        except (OSError, EOFError, zlib.error) as error:
            raise InputError(f"{name}: cannot be read to its end: {error}") from error


def _remote(path: str, format: str | None, encoding: str | None) -> Iterator[Chunk]:
    kind = format or named_format(path)
    with open_remote(path) as stream:
        yield from read_parquet(stream, path) if kind == "parquet" else read_stream(stream, path, kind, encoding)


def named_format(path: str) -> str | None:
    """The format a file's name says, with or without `.gz`; None where it says nothing."""
    suffixes = [suffix.lower() for suffix in Path(path).suffixes]
    if suffixes and suffixes[-1] == ".gz":
        suffixes.pop()
    return _SUFFIXES.get(suffixes[-1]) if suffixes else None


@contextmanager
def open_bytes(path: str) -> Iterator[BinaryIO]:
    """The bytes of a file, or of standard input, unpacked where they begin as gzip does."""
    with _standard_input() if path == "-" else Path(path).open("rb") as stream:
        if stream.peek(2)[:2] == b"\x1f\x8b":
            with gzip.GzipFile(fileobj=stream) as unpacked:
                yield cast(BinaryIO, unpacked)
        else:
            yield cast(BinaryIO, stream)


def _standard_input() -> AbstractContextManager[io.BufferedReader]:
    """Standard input, or what a caller put in its place.

    The true one is opened again: Python aborts at its end if a thread still waits for `sys.stdin`, as after Ctrl-C.
    """
    if sys.stdin is sys.__stdin__:
        return open(0, "rb", closefd=False)
    return nullcontext(cast(io.BufferedReader, sys.stdin.buffer))


def read_stream(stream: BinaryIO, name: str, kind: str | None = None, encoding: str | None = None) -> Iterator[Chunk]:
    """The chunks of bytes that are JSONL, JSON, CSV or TSV; without a kind, of what they begin like."""
    start_bytes = stream.read(CHUNK_BYTES)
    _refuse_tables(start_bytes, name)
    text = as_utf8(start_bytes, stream, name, encoding)
    first = text.read(CHUNK_BYTES)
    start = first.lstrip()[:1]
    if kind in ("csv", "tsv"):
        yield from read_separated(_join_streams(first, text), name, "\t" if kind == "tsv" else ",")
    elif start == b"[" and kind != "jsonl":
        yield from _json_array(text, first, name)
    elif kind == "json" or (kind is None and first.lstrip().partition(b"\n")[0].rstrip() == b"{"):
        yield from _json_object(first + text.read(), name)  # a line with a brace alone begins an object of many lines
    elif kind == "jsonl" or start in (b"{", b""):
        yield from _jsonl(text, first, name)
    else:
        yield from read_separated(_join_streams(first, text), name)


def _refuse_tables(first: bytes, name: str) -> None:
    """Raise an InputError for what is not text."""
    if first[:4] in _TABLES:
        what, ending = _TABLES[first[:4]]
        raise InputError(
            f"{name} is {what}, which is not read from a stream; give a file whose name ends in .{ending}"
            if name == STDIN
            else f"{name} is {what}; add --format {ending}, or end its name in .{ending}"
        )
    if first.startswith(_WORKBOOK_STARTS):
        raise _workbook(name)


def _workbook(name: str) -> InputError:
    return InputError(
        f"{name} is a workbook (Excel, OpenDocument), which is not read; save its sheet as CSV, or in Python hand over "
        "pandas.read_excel(...)"
    )


def _jsonl(stream: Utf8Stream, first: bytes, name: str) -> Iterator[Chunk]:
    position, rest, block = 0, b"", first
    while block:
        head, newline, tail = block.rpartition(b"\n")
        if newline:
            lines = rest + head
            yield Chunk(name, position, len(lines), lines)
            position, rest = stream.lines, tail
        elif len(rest) + len(block) <= MAX_LINE_BYTES:
            rest += block
        else:
            problem = Problem(f"{name}:{position + 1}", f"the line is longer than {MAX_LINE_BYTES:,} bytes")
            yield Chunk(name, position, len(rest), problems=(problem,))
            position, rest, block = position + 1, b"", _after_newline(stream)
            if block:
                continue
        block = stream.read(CHUNK_BYTES)
    if rest:
        yield Chunk(name, position, len(rest), rest)


def _after_newline(stream: Utf8Stream) -> bytes:
    while block := stream.read(CHUNK_BYTES):
        _, newline, tail = block.partition(b"\n")
        if newline:
            return tail
    return b""


def _json_array(stream: Utf8Stream, first: bytes, name: str) -> Iterator[Chunk]:
    """The elements of a top-level array, decoded one by one from a sliding window of text."""
    reader = io.TextIOWrapper(_join_streams(first, stream), encoding="utf-8")
    decode = json.JSONDecoder().raw_decode
    text, at, position, step = reader.read(CHUNK_BYTES).lstrip(), 1, 0, CHUNK_BYTES
    rows: list[tuple[int, Json]] = []
    while True:
        while at < len(text) and text[at] in " \t\r\n,":
            at += 1
        if at < len(text) and text[at] == "]":
            break
        try:
            row, end = decode(text, at) if at < len(text) else (None, len(text))
        except (json.JSONDecodeError, RecursionError, ValueError) as error:
            row, end = error, len(text)
        if end >= len(text):  # the window ends inside or right behind the element: look further before believing it
            more = reader.read(step)
            if more and len(text) - at <= MAX_LINE_BYTES:
                text, at, step = text[at:] + more, 0, step * 2
                continue
            if isinstance(row, (dict, list, str)):
                rows.append((position, row))
                position += 1
            what = f"not JSON: {row}" if isinstance(row, Exception) else "the array is not closed"
            where = f"{name}: element {position + 1}"
            yield Chunk(name, position, 0, rows=tuple(rows), problems=(Problem(where, what),))
            return
        rows.append((position, row))
        at, position, step = end, position + 1, CHUNK_BYTES
        if len(rows) == CHUNK_ROWS:
            yield Chunk(name, position - len(rows), at, rows=tuple(rows))
            text, at, rows = text[at:], 0, []
    problems: tuple[Problem, ...] = ()
    if (text[at + 1 :] + reader.read(CHUNK_BYTES)).strip():
        problems = (Problem(f"{name}: element {position + 1}", "not read: something follows the end of the array"),)
    yield Chunk(name, position - len(rows), at, rows=tuple(rows), problems=problems)


def _json_object(data: bytes, name: str) -> Iterator[Chunk]:
    try:
        value = orjson.loads(data)
    except ValueError as error:
        raise InputError(f"{name} is not JSON: {error}; --format jsonl reads a JSON object per line") from error
    lists = [value[key] for key in _LISTS if isinstance(value.get(key), list)] if isinstance(value, dict) else []
    rows = lists[0] if lists else [value]
    for start in range(0, len(rows), CHUNK_ROWS):
        part = tuple(enumerate(rows[start : start + CHUNK_ROWS], start))
        yield Chunk(name, start, len(data) * len(part) // len(rows), rows=part)


def _join_streams(first: bytes, rest: Utf8Stream) -> BinaryIO:
    return io.BufferedReader(cast(io.FileIO, _JoinedStreams(first, rest)), CHUNK_BYTES)


def _table(path: str, kind: str) -> Iterator[Chunk]:
    if path == "-":
        what = kind.capitalize()
        raise ConfigurationError(f"{what} is not read from standard input; give a file", parameter="path", value=path)
    yield from read_parquet(path, path) if kind == "parquet" else read_arrow(path, path)


def read_parquet(source: str | BinaryIO, name: str) -> Iterator[Chunk]:
    """The chunks of a Parquet file, one row group after the other: the first rows cost no more than their group."""
    try:
        import pyarrow as arrow
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise MissingExtra("reading Parquet", "parquet") from error
    position = 0
    try:
        with parquet.ParquetFile(source, memory_map=isinstance(source, str), pre_buffer=False) as table:
            own = RUN.encode() in (table.schema_arrow.metadata or {})  # rows that ringtrue wrote
            for group in range(table.num_row_groups):
                for batch in table.iter_batches(batch_size=CHUNK_ROWS, row_groups=[group], use_threads=False):
                    read: Iterable[Json] = batch.to_pylist()
                    rows = tuple(enumerate(map(record_of_cells, read) if own else read, position))
                    yield Chunk(name, position, batch.nbytes, rows=rows)
                    position += len(rows)
    except arrow.ArrowException as error:
        raise InputError(f"{name} is not a Parquet file that can be read: {error}") from error


class _JoinedStreams(io.RawIOBase):
    """Bytes already read, followed by the rest of their stream."""

    def __init__(self, first: bytes, rest: Utf8Stream) -> None:
        self._first, self._rest = first, rest

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        data = self._first[: len(buffer)] if self._first else self._rest.read(len(buffer))
        self._first = self._first[len(data) :]
        buffer[: len(data)] = data
        return len(data)
