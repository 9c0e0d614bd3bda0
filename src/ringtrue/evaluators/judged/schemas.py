"""The JSON schemas of verdicts, in the subset that strict decoding knows everywhere."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ringtrue.records import Json

TEXT: dict[str, Json] = {"type": "string"}
NUMBER_0_1: dict[str, Json] = {"type": "number", "minimum": 0, "maximum": 1}
PERCENT: dict[str, Json] = {"type": "number", "minimum": 0, "maximum": 100}
WHOLE_PERCENT: dict[str, Json] = {"type": "integer", "minimum": 0, "maximum": 100}
LINE: dict[str, Json] = {"type": "integer", "minimum": 0}


def fraction_in(name: str, percentages: Iterable[float]) -> str:
    """Return the fault of percentages of which one is a part of 1 and none is above 1: they are on another scale."""
    values = list(percentages)
    found = next((value for value in values if 0 < value < 1), None)
    if found is None or max(values) > 1:
        return ""
    return f"{name!r} is {found:g}, a part of 1; it is a percentage from 0 to 100"


def choice(*values: Json) -> dict[str, Json]:
    """One of these values, all of one type."""
    return {"type": "integer" if isinstance(values[0], int) else "string", "enum": list(values)}


def several(item: dict[str, Json], count: int | None = None) -> dict[str, Json]:
    """A list of such items; of exactly `count`, if one is given."""
    exact = {} if count is None else {"minItems": count, "maxItems": count}
    return {"type": "array", "items": item, **exact}


def record(**properties: Any) -> dict[str, Json]:
    """An object that has all of these properties and no other."""
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }
