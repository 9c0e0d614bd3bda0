"""The JSON schemas of verdicts, in the subset that strict decoding knows everywhere."""

from __future__ import annotations

from typing import Any

from ringtrue.records import Json

TEXT: dict[str, Json] = {"type": "string"}
NUMBER_0_1: dict[str, Json] = {"type": "number", "minimum": 0, "maximum": 1}
PERCENT: dict[str, Json] = {"type": "number", "minimum": 0, "maximum": 100}
WHOLE_PERCENT: dict[str, Json] = {"type": "integer", "minimum": 0, "maximum": 100}
LINE: dict[str, Json] = {"type": "integer", "minimum": 0}


def choice(*values: Json) -> dict[str, Json]:
    """One of these values, all of one type."""
    return {"type": "integer" if isinstance(values[0], int) else "string", "enum": list(values)}


def several(item: dict[str, Json], count: int | None = None) -> dict[str, Json]:
    """A list of such items, of exactly so many where a count is given."""
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
