"""Records as JSON text and back, exactly; any text is storable, lone surrogates and NUL among it."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import fields
from operator import attrgetter
from typing import Any, TypeVar

import orjson

from ringtrue.errors import ConfigurationError
from ringtrue.records import Case, Json, Output, Score

Record = TypeVar("Record", Case, Output, Score)

_NAMES = {kind: tuple(item.name for item in fields(kind)) for kind in (Case, Output, Score)}
_VALUES = {kind: attrgetter(*names) for kind, names in _NAMES.items()}
_TUPLES = ("expected", "tags", "messages", "tools")
_LONG_NUMBER = re.compile(r"\d{19}")


def encode(value: Json, *, sort_keys: bool = True) -> str:
    """JSON text of plain values; equal values give equal text, unless the order of keys is to be kept."""
    try:
        return orjson.dumps(value, option=orjson.OPT_SORT_KEYS if sort_keys else 0).decode()
    except TypeError:
        pass
    try:
        return json.dumps(_plain(value), sort_keys=sort_keys, separators=(",", ":"))
    except RecursionError as error:
        raise ConfigurationError("a value is nested too deeply to be stored") from error


def decode(text: str) -> Json:
    """The value of JSON text."""
    if _LONG_NUMBER.search(text):
        return json.loads(text)  # orjson reads integers beyond 64 bits as floats
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)


def encode_record(record: Case | Output | Score) -> str:
    """A record as JSON; fields at their defaults are left out. Equal cases give equal text."""
    kind = type(record)
    pairs = zip(_NAMES[kind], _VALUES[kind](record), strict=True)
    values = {name: value for name, value in pairs if value or isinstance(value, (int, float))}
    return encode(values, sort_keys=kind is Case)


def decode_record(kind: type[Record], text: str) -> Record:
    """The record a text holds."""
    values: dict[str, Any] = decode(text)
    if kind is Case:
        for name in _TUPLES:
            if isinstance(values.get(name), list):
                values[name] = tuple(values[name])
    if kind is Score:
        values.setdefault("value", None)
    return kind(**values)


def _plain(value: Any) -> Json:
    """A value of any kind as JSON values: what JSON does not have is its representation, without addresses."""
    if value is None or isinstance(value, (str, int, float)):
        return value
    if isinstance(value, Mapping):
        return {key if isinstance(key, str) else _shown(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    return _shown(value)


def _shown(value: object) -> str:
    return re.sub(r" at 0x[0-9a-f]+", "", repr(value))
