"""Records as JSON text and back, exactly; any text is storable, lone surrogates and NUL among it."""

from __future__ import annotations

import hashlib
import json
from dataclasses import fields
from typing import Any, TypeVar

import orjson

from ringtrue.records import Case, Json, Output, Score

Record = TypeVar("Record", Case, Output, Score)


def encode(value: Json) -> str:
    """JSON text of plain values; equal values give equal text."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS).decode()
    except TypeError:
        return json.dumps(value, sort_keys=True, separators=(",", ":"), default=repr)


def decode(text: str) -> Json:
    """The value of JSON text."""
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)


def encode_record(record: Case | Output | Score) -> str:
    """A record as JSON; fields at their defaults are left out."""
    values = {item.name: getattr(record, item.name) for item in fields(record)}
    return encode({name: value for name, value in values.items() if value not in ((), {}, "", None, [])})


def decode_record(kind: type[Record], text: str) -> Record:
    """The record a text holds."""
    values: dict[str, Any] = decode(text)
    if kind is Case:
        for name in ("expected", "tags", "messages", "tools"):
            if isinstance(values.get(name), list):
                values[name] = tuple(values[name])
    if kind is Score:
        values.setdefault("value", None)
    return kind(**values)


def digest(*texts: str) -> str:
    """A hash that tells apart every different sequence of texts."""
    whole = hashlib.sha256()
    for text in texts:
        data = text.encode("utf-8", "surrogatepass")
        whole.update(len(data).to_bytes(8, "big"))
        whole.update(data)
    return whole.hexdigest()
