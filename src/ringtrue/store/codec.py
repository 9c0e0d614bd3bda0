"""Records as JSON text and back, exactly; any text is storable, lone surrogates and NUL among it."""

from __future__ import annotations

from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

from ringtrue.dialects.coercion import case_id
from ringtrue.jsontext import json_text, parse_json
from ringtrue.records import Case, Output, Score

Record = TypeVar("Record", Case, Output, Score)

_NAMES = {kind: tuple(item.name for item in fields(kind)) for kind in (Case, Output, Score)}
_VALUES = {kind: attrgetter(*names) for kind, names in _NAMES.items()}
_TUPLES = ("expected", "tags", "messages", "tools")


def encode_record(record: Case | Output | Score) -> str:
    """A record as JSON; fields at their defaults are left out. Equal cases give equal text."""
    kind = type(record) if type(record) in _NAMES else Score  # a subclass of Score computes its reason when asked
    pairs = zip(_NAMES[kind], _VALUES[kind](record), strict=True)
    values = {name: value for name, value in pairs if value or value == 0}
    return json_text(values, sort_keys=kind is Case)


def decode_record(kind: type[Record], text: str) -> Record:
    """The record a text holds."""
    values: dict[str, Any] = parse_json(text)
    if kind is Case:
        for name in _TUPLES:
            if isinstance(values.get(name), list):
                values[name] = tuple(values[name])
        values["id"] = case_id(values.get("id", ""))
    if kind is Score:
        values.setdefault("value", None)
    return kind(**values)
