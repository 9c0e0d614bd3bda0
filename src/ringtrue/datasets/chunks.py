"""`Chunk`: a piece of a source, small enough to hold, with the place it came from."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass

import orjson

from ringtrue.records import Json, Problem

# orjson reads an integer of 64 bits or more as a float; such a piece goes to the exact reader.
_LONG_INTEGER = re.compile(rb"\d{19}")


@dataclass(frozen=True, slots=True)
class Chunk:
    """Consecutive rows: either raw JSON lines, or rows already read with the line of each.

    `position` is the index of the first row (of the first line, for raw lines), `size` its weight in bytes.
    """

    source: str
    position: int
    size: int
    lines: bytes = b""
    rows: tuple[tuple[int, Json], ...] = ()
    problems: tuple[Problem, ...] = ()

    def read(self) -> Iterator[tuple[int, dict[str, Json]] | Problem]:
        """The rows with their positions, and a Problem in the place of each row that cannot be read."""
        yield from self.problems
        exact = bool(self.lines) and _LONG_INTEGER.search(self.lines) is not None
        for position, row in self.rows or self._parsed(exact):
            if isinstance(row, dict):
                yield position, row
            elif isinstance(row, Problem):
                yield row
            else:
                yield Problem(f"{self.source}:{position + 1}", f"not an object but {_kind(row)}")

    def _parsed(self, exact: bool) -> Iterator[tuple[int, Json]]:
        loads = orjson.loads
        for position, line in enumerate(self.lines.split(b"\n"), self.position):
            if not line or line.isspace():
                continue
            if not exact:
                try:
                    yield position, loads(line)
                    continue
                except ValueError:
                    pass  # the standard reader accepts more (lone surrogates, NaN) and explains better
            yield position, _parse_exactly(line, f"{self.source}:{position + 1}")


def _parse_exactly(line: bytes, where: str) -> Json:
    try:
        return json.loads(line.removeprefix(b"\xef\xbb\xbf"))
    except UnicodeDecodeError as error:
        return Problem(where, f"not UTF-8 at byte {error.start}")
    except json.JSONDecodeError as error:
        return Problem(where, f"not JSON: {error.msg} at column {error.colno}")
    except RecursionError:
        return Problem(where, "not read: nested too deeply")
    except ValueError:
        return Problem(where, "not read: an integer with more than 4,300 digits")


def _kind(value: Json) -> str:
    return {list: "a list", str: "a string", type(None): "null", bool: "a boolean"}.get(type(value), "a number")
