"""Equality of JSON values."""

from __future__ import annotations

from collections.abc import Set

from ringtrue.records import Json


def same_json(left: Json, right: Json, ignored_keys: Set[str] = frozenset()) -> bool:
    """Whether two values are equal as JSON: numbers by value, `true` is not a number, keys have no order."""
    waiting = [(left, right)]
    while waiting:
        one, other = waiting.pop()
        if isinstance(one, dict) and isinstance(other, dict):
            keys = one.keys() - ignored_keys
            if keys != other.keys() - ignored_keys:
                return False
            waiting.extend((one[key], other[key]) for key in keys)
        elif isinstance(one, list) and isinstance(other, list):
            if len(one) != len(other):
                return False
            waiting.extend(zip(one, other, strict=True))
        elif isinstance(one, bool) != isinstance(other, bool) or one != other:
            return False
    return True
