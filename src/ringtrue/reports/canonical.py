"""JSON in one form only, and the SHA-256 of it: how records are told apart."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from typing import Any


def canonical_json(value: Any) -> str:
    """The one JSON text of a value; what JSON would change on the way (keys of numbers, NaN, objects) is refused."""
    _require_text_keys(value)
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=False, allow_nan=False)


def canonical_lines(values: Iterable[Any]) -> bytes:
    """The canonical JSON of values as a file holds it, one a line; half a pair of surrogates is escaped."""
    return "".join(f"{canonical_json(value)}\n" for value in values).encode("utf-8", "backslashreplace")


def plain_copy(value: Any) -> Any:
    """A value as JSON holds it, in a new object; ValueError or TypeError where JSON would change it."""
    return json.loads(canonical_json(value))


def digest(value: Any) -> str:
    """The SHA-256 of a value's canonical JSON."""
    return hashlib.sha256(canonical_json(value).encode("utf-8", "surrogatepass")).hexdigest()


def sealed(record: dict[str, Any]) -> dict[str, Any]:
    """A record with the digest of all that it says."""
    return {**record, "digest": digest(record)}


def is_sealed(record: dict[str, Any]) -> bool:
    """Whether a record's digest is that of what it says."""
    return digest({name: value for name, value in record.items() if name != "digest"}) == record.get("digest")


def _require_text_keys(value: Any) -> None:
    if isinstance(value, dict):
        odd = [key for key in value if not isinstance(key, str)]
        if odd:
            raise ValueError(f"a record that has an identity has text as keys; got {odd[0]!r}")
    if isinstance(value, (dict, list, tuple)):
        for item in value.values() if isinstance(value, dict) else value:
            _require_text_keys(item)
