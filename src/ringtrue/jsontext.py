"""JSON text: one writer that takes any value, and one exact parser; what strangers write is for `jsontext_reader`."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from math import isfinite
from typing import Any

import orjson

from ringtrue.errors import ConfigurationError

_SORTED = orjson.OPT_SORT_KEYS
_INDENTED = orjson.OPT_INDENT_2
_LONG_NUMBER = re.compile(r"\d{19}")
_LONG_NUMBER_BYTES = re.compile(rb"\d{19}")
_ADDRESS = re.compile(r" at 0x[0-9a-f]+")
_CONSTANTS = {None: "null", True: "true", False: "false"}
_MAX_BITS = 14_000  # Python writes no integer of more than 4,300 digits


def json_text(value: Any, *, sort_keys: bool = False, indent: bool = False) -> str:
    """`json_bytes` as text."""
    return json_bytes(value, sort_keys=sort_keys, indent=indent).decode()


def json_bytes(value: Any, *, sort_keys: bool = False, indent: bool = False) -> bytes:
    """Any value as JSON that every reader accepts, in UTF-8; indented by two if asked.

    Numbers that JSON does not have are null; a lone surrogate is escaped; a dataclass is an object, a set a list. What
    is not a JSON value is its text without addresses, so equal values give equal text in any process with sorted keys.
    """
    try:
        return orjson.dumps(value, None, (_SORTED if sort_keys else 0) | (_INDENTED if indent else 0))
    except TypeError:
        return _dumps_anything(value, sort_keys, indent)


def json_lines(values: Iterable[Any]) -> bytes:
    """Each value as `json_bytes` on a line of its own."""
    lines = bytearray()  # a list of lines to be joined costs more memory, and more time to get it
    for value in values:
        try:
            lines += orjson.dumps(value, None, orjson.OPT_APPEND_NEWLINE)
        except TypeError:
            lines += json_bytes(value) + b"\n"
    return bytes(lines)


def parse_json(text: str | bytes) -> Any:
    """The value of JSON text; integers are exact. A ValueError if it is none."""
    long = _LONG_NUMBER.search(text) if isinstance(text, str) else _LONG_NUMBER_BYTES.search(text)
    if long:
        return json.loads(text)  # orjson reads integers beyond 64 bits as floats
    try:
        return orjson.loads(text)
    except ValueError:
        return json.loads(text)  # escaped lone surrogates


def _dumps_anything(value: Any, sort_keys: bool, indent: bool) -> bytes:
    between = (",", ": ") if indent else (",", ":")
    try:
        text = json.dumps(
            _plain(value), ensure_ascii=False, sort_keys=sort_keys, indent=2 if indent else None, separators=between
        )
    except RecursionError as error:
        raise ConfigurationError("a value is nested too deeply to be written as JSON") from error
    return text.encode("utf-8", "backslashreplace")


def _plain(value: Any) -> Any:
    """Return the values that orjson would write, and those that it refuses, as values that `json` knows."""
    if value is None or isinstance(value, (str, bool)):
        return value
    if isinstance(value, Enum):
        return _plain(value.value)
    if isinstance(value, int):
        return int(value) if value.bit_length() <= _MAX_BITS else hex(value)
    if isinstance(value, float):
        return float(value) if isfinite(value) else None
    if isinstance(value, Mapping):
        return {_key(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(item) for item in value]
    if isinstance(value, (set, frozenset)):
        return [_plain(item) for item in sorted(value, key=repr)]
    if is_dataclass(value) and not isinstance(value, type):
        return {item.name: _plain(getattr(value, item.name)) for item in fields(value)}
    if callable(moment := getattr(value, "isoformat", None)) and not isinstance(value, type):
        return moment()
    number = getattr(value, "item", None)  # numpy scalars
    if callable(number) and getattr(value, "ndim", None) == 0:
        return _plain(number())
    return _ADDRESS.sub("", str(value))


def _key(key: Any) -> str:
    if isinstance(key, str):
        return str(key)
    if key is None or isinstance(key, bool):
        return _CONSTANTS[key]
    return _ADDRESS.sub("", str(key))
