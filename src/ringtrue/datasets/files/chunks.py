"""`Chunk`: a piece of a source, small enough to hold, with the place it came from."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

import orjson

from ringtrue.records import Json, Problem

CHUNK_ROWS = 512
"""Rows of a chunk, where rows are counted and not bytes."""

MAX_LINE_BYTES = 64 * 1024 * 1024
"""A longer line, cell or JSON element is reported and left out."""

# orjson reads an integer of 64 bits or more as a float; a piece with that many digits in a row is read exactly.
_DIGITS_AS_ZERO = bytes(ord("0") if chr(byte).isdigit() and byte < 128 else ord(" ") for byte in range(256))
_LONG_INTEGER = b"0" * 19


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive rows: either raw JSON lines, or rows already read with the line of each.

    `position` is the index of the first row (of the first line, for raw lines), `size` its weight in bytes. `first` is
    how many places the sources before this one take: it is counted into the positions of rows that are read.
    """

    source: str
    position: int
    size: int
    lines: bytes = b""
    rows: tuple[tuple[int, Json], ...] = ()
    problems: tuple[Problem, ...] = ()
    line_numbers: tuple[int, ...] = ()
    """Of `rows` that are lines of text, where each begins."""
    first: int = 0

    @property
    def end(self) -> int:
        """The position behind the last row, among those of its source."""
        if self.rows:
            return self.rows[-1][0] + 1
        return self.position + (self.lines.count(b"\n") + 1 if self.lines else len(self.problems))

    def place(self, position: int) -> str:
        """Return the place of a row for people: its line, or its number if a row is not a line."""
        position -= self.first
        if self.line_numbers:
            return f"{self.source}:{self.line_numbers[position - self.rows[0][0]]}"
        return f"{self.source}: row {position + 1}" if self.rows else f"{self.source}:{position + 1}"

    def read(self) -> tuple[list[tuple[int, dict[str, Json]]], list[Problem]]:
        """The rows with their positions, and a Problem for each that cannot be read."""
        whole = self._read_at_once()
        if whole is not None:
            return whole, []
        rows: list[tuple[int, dict[str, Json]]] = []
        problems = list(self.problems)
        for own_position, row in self.rows or self._parse_lines():
            position = self.first + own_position
            if isinstance(row, dict):
                rows.append((position, row))
            elif isinstance(row, Problem):
                problems.append(row)
            else:
                problems.append(Problem(self.place(position), f"not an object but {_kind(row)}"))
        return rows, problems

    def _read_at_once(self) -> list[tuple[int, dict[str, Json]]] | None:
        """The rows of lines without any fault or oddity, None for all others."""
        if not self.lines or self.problems or _LONG_INTEGER in self.lines.translate(_DIGITS_AS_ZERO):
            return None
        try:
            rows = list(map(orjson.loads, self.lines.split(b"\n")))
        except ValueError:
            return None
        return list(enumerate(rows, self.first + self.position)) if {*map(type, rows)} == {dict} else None

    def _parse_lines(self) -> Iterator[tuple[int, Json]]:
        for position, line in enumerate(self.lines.split(b"\n"), self.position):
            if line and not line.isspace():
                yield position, _parse_exactly(line, f"{self.source}:{position + 1}")


def numbered_through(sources: Iterable[Iterable[Chunk]]) -> Iterator[Chunk]:
    """The chunks of several sources, one after the other; the rows of each are numbered on from those before."""
    first = 0
    for chunks in sources:
        last = None
        for last in chunks:
            yield replace(last, first=first) if first else last
        first += last.end if last else 0


def first_rows(chunks: Iterable[Chunk], limit: int) -> Iterator[Chunk]:
    """The chunks up to a number of rows; the last is cut there."""
    left = limit
    for chunk in chunks:
        rows, _ = chunk.read()
        if len(rows) >= left:
            kept = [(position - chunk.first, row) for position, row in rows[:left]]
            numbers = chunk.line_numbers[: kept[-1][0] - kept[0][0] + 1] if kept else ()
            yield replace(chunk, lines=b"", rows=tuple(kept), line_numbers=numbers)
            return
        left -= len(rows)
        yield chunk


def _parse_exactly(line: bytes, where: str) -> Json:
    try:
        return json.loads(line.removeprefix(b"\xef\xbb\xbf").decode())  # json guesses UTF-16 where bytes look like it
    except UnicodeDecodeError as error:
        return Problem(where, f"not UTF-8 at byte {error.start}")
    except json.JSONDecodeError as error:
        return Problem(where, f"not JSON: {error.msg.removesuffix(' at')} at column {error.colno}")
    except RecursionError:
        return Problem(where, "not read: nested too deeply")
    except ValueError:
        return Problem(where, "not read: an integer with more than 4,300 digits")


def _kind(value: Json) -> str:
    return {list: "a list", str: "a string", type(None): "null", bool: "a boolean"}.get(type(value), "a number")
