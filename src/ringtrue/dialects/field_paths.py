"""Dotted paths into a row: `meta.gold.0` leads through objects by name and through lists by index."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from ringtrue.records import Json

_INDEX = re.compile(r"-?[0-9]{1,9}")
_SHOWN = 12


class Walk(NamedTuple):
    """The result of following a path: the steps it took, the value they end at, and whether that is the path's end."""

    taken: tuple[str, ...]
    value: Json
    arrived: bool


def walk(row: Mapping[str, Json], path: str) -> Walk:
    """Follow a path into a row; a field whose own name holds dots wins, the longest such name first.

    A list takes an index, which counts from the end where it is negative.
    """
    value: Json = row
    taken: list[str] = []
    rest = path
    while True:
        name, value, found = _step(value, rest)
        if not found:
            return Walk(tuple(taken), value, False)
        taken.append(name)
        if name == rest:
            return Walk(tuple(taken), value, True)
        rest = rest[len(name) + 1 :]


def _step(value: Json, rest: str) -> tuple[str, Json, bool]:
    """The next name on the way, what it holds, and True; the same value and False where there is none."""
    if isinstance(value, Mapping):
        name = rest
        while name not in value and "." in name:
            name = name.rpartition(".")[0]
        return (name, value[name], True) if name in value else (name, value, False)
    name = rest.partition(".")[0]
    if isinstance(value, (list, tuple)) and _INDEX.fullmatch(name) and -len(value) <= int(name) < len(value):
        return name, value[int(name)], True
    return name, value, False


def there(row: Mapping[str, Json], path: str | None = None) -> str:
    """The fields a row has, and what is found where a path leads no further, for messages."""
    at = walk(row, path) if path else None
    return f"{_names(row)}; {'.'.join(at.taken)!r} is {_contents(at.value)}" if at and at.taken else _names(row)


def _contents(value: Json) -> str:
    if isinstance(value, Mapping):
        return f"an object with {_names(value)}"
    if isinstance(value, (list, tuple)):
        return f"a list of {len(value):,}"
    return "null" if value is None else {str: "text", bool: "a boolean"}.get(type(value), "a number")


def _names(value: Mapping[str, Json]) -> str:
    return ", ".join(map(str, list(value)[:_SHOWN])) or "no field"
