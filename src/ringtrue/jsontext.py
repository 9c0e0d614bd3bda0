"""JSON that every reader accepts: no Infinity, no NaN, any text."""

from __future__ import annotations

import json
from collections.abc import Mapping
from math import isfinite
from typing import Any


def plain_json(value: Any, *, indent: int | None = 2) -> str:
    """JSON text; numbers that JSON does not have are null, what is no JSON value is its text."""
    return json.dumps(_plain(value), indent=indent, ensure_ascii=False).encode("utf-8", "backslashreplace").decode()


def _plain(value: Any) -> Any:
    if isinstance(value, float):
        return value if isfinite(value) else None
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if isinstance(value, Mapping):
        return {str(key): _plain(item) for key, item in value.items()}
    if isinstance(value, (list, tuple, set, frozenset)):
        return [_plain(item) for item in value]
    number = getattr(value, "item", None)  # numpy scalars
    return _plain(number()) if callable(number) else str(value)
