"""The work of validating with a JSON Schema, read from its shape."""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import unquote

from ringtrue.records import Json

_LOOKAROUNDS = ("(?=", "(?!", "(?<=", "(?<!")
_CHAIN = 50
"""Longer chains of references are taken for endless ones."""


def subvalues(value: Json) -> Iterator[Json]:
    """The value and every value inside it."""
    waiting = [value]
    while waiting:
        item = waiting.pop()
        yield item
        if isinstance(item, dict):
            waiting.extend(item.values())
        elif isinstance(item, (list, tuple)):
            waiting.extend(item)


def is_recursive(schema: Json) -> bool:
    """Whether following references can come back to where it began; assumed where a reference leads elsewhere."""
    return _returns(schema, schema, (), set())


def _returns(part: Json, schema: Json, followed: tuple[str, ...], harmless: set[str]) -> bool:
    for item in subvalues(part):
        if not isinstance(item, dict):
            continue
        if "$dynamicRef" in item or "$recursiveRef" in item:
            return True
        reference = item.get("$ref")
        if not isinstance(reference, str) or reference in harmless:
            continue
        if reference in followed or len(followed) > _CHAIN or not reference.startswith("#/"):
            return True
        if _returns(_follow_pointer(schema, reference), schema, (*followed, reference), harmless):
            return True
        harmless.add(reference)
    return False


def _follow_pointer(schema: Json, pointer: str) -> Json:
    value = schema
    for step in pointer.split("/")[1:]:
        key = unquote(step).replace("~1", "/").replace("~0", "~")
        if isinstance(value, dict):
            value = value.get(key)
        elif isinstance(value, (list, tuple)) and key.isdecimal() and int(key) < len(value):
            value = value[int(key)]
        else:
            return None
    return value


def has_costly_pattern(part: dict[str, Json]) -> bool:
    """Whether this object's own `pattern` or `patternProperties` has steps that may each read the whole text."""
    properties = part.get("patternProperties")
    patterns = [part.get("pattern"), *(properties if isinstance(properties, dict) else ())]
    return any(isinstance(pattern, str) and is_costly(pattern) for pattern in patterns)


def is_costly(pattern: str) -> bool:
    """Whether a regular expression refers back to a group, or repeats something inside a look-around."""
    open_groups: list[bool] = []
    in_class = False
    position = 0
    while position < len(pattern):
        char = pattern[position]
        if char == "\\":
            if not in_class and pattern[position + 1 : position + 2] in tuple("123456789k"):
                return True
            position += 1
        elif in_class:
            in_class = char != "]"
        elif char == "[":
            in_class = True
        elif char == "(":
            open_groups.append(pattern.startswith(_LOOKAROUNDS, position))
        elif char == ")":
            open_groups[-1:] = []
        elif char in "*+{" and any(open_groups):
            return True
        position += 1
    return False


def depth(value: Json, most: int) -> int:
    """Return how deeply arrays and objects are nested in a value, counted no further than `most`."""
    layer = [value]
    for level in range(most):
        layer = [item for item in layer if isinstance(item, (dict, list)) and item]
        if not layer:
            return level
        layer = [inner for outer in layer for inner in (outer.values() if isinstance(outer, dict) else outer)]
    return most
