"""Reading tables whose cells are separated by a comma, a semicolon, a tab or a bar: CSV and TSV."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable, Iterator
from itertools import chain
from typing import BinaryIO, TextIO

from ringtrue.datasets.files.chunks import CHUNK_ROWS, MAX_LINE_BYTES, Chunk
from ringtrue.dialects.fields import is_row_record
from ringtrue.dialects.own_rows import answers_of_cell
from ringtrue.errors import InputError
from ringtrue.records import Json, Problem

SEPARATORS = ",;\t|"
HEADER_LINES, HEADER_CHARS = 100, 100_000
"""Column names with line breaks between quotes are looked at no further than this."""

_QUOTE = rf'(?:^|(?<=[{SEPARATORS}]))"'
_QUOTED = re.compile(rf'{_QUOTE}(?:[^"]|"")*+"')
_OPEN = re.compile(_QUOTE)


def read_separated(stream: BinaryIO, name: str, usual: str = ",") -> Iterator[Chunk]:
    """The chunks of a table; its line of column names shows the separator, the usual one where that is in doubt."""
    csv.field_size_limit(MAX_LINE_BYTES)
    with io.TextIOWrapper(stream, encoding="utf-8-sig", newline="") as text:
        ended: list[bool] = []
        header = _header(text)
        reader = csv.reader(_until_end(chain(header, text), ended), delimiter=separator("".join(header), usual))
        yield from _chunks(reader, name, ended)


def separator(header: str, usual: str = ",") -> str:
    """Return the separator of column names: the usual one, or the only other one that is outside of quotes."""
    names = _QUOTED.sub("", header)
    others = [one for one in SEPARATORS if one in names]
    return others[0] if usual not in others and len(others) == 1 else usual


def _header(text: TextIO) -> list[str]:
    """The lines of the column names: one, or more where a quote is still open at its end."""
    lines = [text.readline()]
    while len(lines) < HEADER_LINES and len(names := "".join(lines)) < HEADER_CHARS:
        if not _OPEN.search(_QUOTED.sub("", names)) or not (line := text.readline()):
            break
        lines.append(line)
    return lines


def _until_end(text: Iterable[str], ended: list[bool]) -> Iterator[str]:
    yield from text
    ended.append(True)


def _chunks(reader: Iterator[list[str]], name: str, ended: list[bool]) -> Iterator[Chunk]:
    header = _columns(reader, name, ended)
    is_own = is_row_record(header)
    rows: list[tuple[int, Json]] = []
    lines: list[int] = []
    size = 0
    for position, line, cells in _lines(reader, name, ended):
        row = cells if isinstance(cells, Problem) else _row(header, cells, f"{name}:{line}")
        if is_own and isinstance(row, dict):
            row["expected"] = answers_of_cell(row.get("expected"))
        rows.append((position, row))
        lines.append(line)
        size += 100 if isinstance(cells, Problem) else sum(map(len, cells))
        if len(rows) == CHUNK_ROWS:
            yield Chunk(name, rows[0][0], size, rows=tuple(rows), line_numbers=tuple(lines))
            rows, lines, size = [], [], 0
    if rows:
        yield Chunk(name, rows[0][0], size, rows=tuple(rows), line_numbers=tuple(lines))


def _columns(reader: Iterator[list[str]], name: str, ended: list[bool]) -> list[str]:
    try:
        columns = [column.strip() for column in next(reader, ())]
    except csv.Error as error:
        raise InputError(f"{name}: the line of column names is not CSV: {error}") from error
    if not columns:
        raise InputError(f"{name} is empty; a CSV file starts with a line of column names")
    if ended:
        raise InputError(f"{name}: a quote opens in the line of column names and the file ends before it closes")
    repeated = next((column for column in columns if columns.count(column) > 1), None)
    if repeated is not None:
        raise InputError(f"{name} has two columns named {repeated!r}; rename one")
    return columns


def _lines(reader: Iterator[list[str]], name: str, ended: list[bool]) -> Iterator[tuple[int, int, list[str] | Problem]]:
    position = 0
    while True:
        start = reader.line_num + 1  # type: ignore[attr-defined]
        try:
            cells: list[str] | Problem = next(reader)
            if ended:  # a record that asks for more than the last line is still between quotes
                cells = Problem(f"{name}:{start}", "not CSV: a quote opens here and the file ends before it closes")
        except StopIteration:
            return
        except csv.Error as error:
            cells = Problem(f"{name}:{start}", f"not CSV: {error}")
        if cells:
            yield position, start, cells
            position += 1


def _row(header: list[str], cells: list[str], where: str) -> Json:
    if len(cells) > len(header):
        return Problem(where, f"{len(cells)} cells for {len(header)} columns")
    return dict(zip(header, cells, strict=False))
