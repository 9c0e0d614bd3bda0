"""The shape a row must have, and the first place where it has another."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from ringtrue.records import Json

Shape: TypeAlias = Any
"""A name of `KINDS`, with `?` after it where null is allowed; `[shape]` for a list; `{field: shape}` for an object."""

KINDS: dict[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
    "any": (object,),
}


def mismatch(value: Json, shape: Shape, where: str = "") -> str:
    """Return where a value does not fit a shape, and what it has instead; empty if it fits. More fields may follow."""
    if isinstance(shape, Mapping):
        if not isinstance(value, Mapping):
            return f"{_at(where)} is {_kind(value)}, not an object"
        for name, inner in shape.items():
            place = f"{where}.{name}" if where else name
            if name not in value and not (isinstance(inner, str) and inner.endswith("?")):
                return f"the field {place!r} is missing; there are {', '.join(map(repr, value)) or 'none'}"
            problem = mismatch(value.get(name), inner, place)
            if problem:
                return problem
        return ""
    if isinstance(shape, list):
        if not isinstance(value, (list, tuple)):
            return f"{_at(where)} is {_kind(value)}, not a list"
        problems = (mismatch(item, shape[0], f"{where}[{place}]") for place, item in enumerate(value))
        return next(filter(None, problems), "")
    name = shape.removesuffix("?")
    if value is None and (name != shape or name == "any"):
        return ""
    fits = isinstance(value, KINDS[name]) and (name in ("boolean", "any") or not isinstance(value, bool))
    return "" if fits else f"{_at(where)} is {_kind(value)}, not {'an' if name[0] in 'aio' else 'a'} {name}"


def _at(where: str) -> str:
    return f"the field {where!r}" if where else "the row"


def _kind(value: Json) -> str:
    named = {list: "a list", tuple: "a list", dict: "an object", str: "a string", bool: "a boolean"}
    return "null" if value is None else named.get(type(value), "a number")
