"""The JSON objects and lists in a model's reply, however it wrapped or misspelled them: pure functions of the text."""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, NoReturn

from ringtrue.records import Json

MAX_CHARS = 400_000
"""Of a longer reply both ends are read: a verdict is at one of them."""

_MAX_FOUND = 1_000
"""The last ones; a verdict is among them."""
_MAX_WORK = 50_000_000
"""How many characters may be read in vain for a reply; a start that is not an object costs about its offset."""
_THOUGHTS = ("</think>", "</thinking>", "</reasoning>", "[/think]", "<|channel|>final<|message|>")
_TOKEN = re.compile(
    # A string that never ends is read to the end once, so that no other start reads it again.
    r'"(?:[^"\\]|\\.|\\\Z)*+(?:"|\Z)'
    r"|'(?:[^'\\]|\\.|\\\Z)*+(?:'|\Z)"
    r"|\u201c[^\u201c\u201d]*+\u201d"
    r"|//[^\n]*+"
    r"|,(?=\s*+[}\]])"
    r"|[A-Za-z_$][\w$]*+",
    re.DOTALL,
)
_CONSTANTS = {"True": "true", "False": "false", "None": "null", "true": "true", "false": "false", "null": "null"}


@dataclass(frozen=True, slots=True)
class FoundValue:
    """A JSON value in a text and where it is there; `start` is -1 for one that had to be repaired."""

    value: Any
    start: int = -1
    end: int = -1


def places_of_objects(text: str) -> Iterator[list[FoundValue]]:
    """The last outermost JSON objects of a text with their places: after a model's thoughts, then in the whole text.

    Where none is JSON, those that are after harmless repairs: single and typographic quotes, bare keys, Python's
    constants, trailing commas, line comments. What is cut off is not completed: half a number is another number. An
    object that gives one name two values says nothing. Half a surrogate pair becomes a question mark.
    """
    moved = 0
    if len(text) > MAX_CHARS:
        half = MAX_CHARS // 2
        moved = len(text) - half - (half + 1)
        text = text[:half] + "\n" + text[-half:]
    spoken = _after_thoughts(text)
    for candidate in (spoken, text) if spoken != text else (text,):
        start = candidate.find("{")
        if start < 0:
            continue
        found = _decode(candidate)
        if found:
            before = len(text) - len(candidate)
            yield [_shift(one, before, moved) for one in found]
        elif mended := _decode(_TOKEN.sub(_mend, candidate[start:])):
            yield [FoundValue(one.value) for one in mended]


def value_places(text: str, start: int) -> dict[str, int]:
    """Return the place of each property's value in the JSON object at `start`; the last of a repeated name counts."""
    places: dict[str, int] = {}
    at = _SPACE.match(text, start + 1).end()  # type: ignore[union-attr]  # it matches the empty string
    while text[at] == '"':
        name, at = _SCAN(text, at + 1, False)
        at = _SPACE.match(text, at).end() + 1  # type: ignore[union-attr]
        places[name] = at = _SPACE.match(text, at).end()  # type: ignore[union-attr]
        at = _SPACE.match(text, _DECODER.raw_decode(text, at)[1]).end()  # type: ignore[union-attr]
        at = _SPACE.match(text, at + 1).end()  # type: ignore[union-attr]
        if at >= len(text):
            break
    return places


def _shift(found: FoundValue, before: int, moved: int) -> FoundValue:
    """Return the place of a value in the whole text; in a shortened text, places beyond the cut move on."""
    start, end = found.start + before, found.end + before
    if moved and start > MAX_CHARS // 2:
        return FoundValue(found.value, start + moved, end + moved)
    return FoundValue(found.value) if moved and end > MAX_CHARS // 2 else FoundValue(found.value, start, end)


def _after_thoughts(text: str) -> str:
    lowered = text.lower() if text.isascii() else text
    return text[max((at + len(tag) for tag in _THOUGHTS if (at := lowered.rfind(tag)) >= 0), default=0) :]


def _decode(text: str) -> list[FoundValue]:
    found: deque[FoundValue] = deque(maxlen=_MAX_FOUND)
    at = text.find("{")
    work = 0
    while at >= 0 and work < _MAX_WORK:
        try:
            value, end = _DECODER.raw_decode(text, at)
            found.append(FoundValue(_printable(value), at, end))
        except (ValueError, RecursionError):
            end = at + 1
            work += len(text)
        at = text.find("{", end)
    return list(found)


def _mend(match: re.Match[str]) -> str:
    token = match[0]
    if token[0] == '"':
        return token
    if token[0] in "'\u201c":
        return json.dumps(token[1:-1].replace("\\'", "'"))
    if token[0] in ",/":
        return ""
    return _CONSTANTS.get(token) or json.dumps(token)


def _printable(value: Json) -> Json:
    written = json.dumps(value, ensure_ascii=False)
    try:
        written.encode()
    except UnicodeEncodeError:
        value = json.loads(written.encode("utf-8", "replace"))
    return value


def _of_one_mind(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found = dict(pairs)
    if len(found) < len(pairs) and any(found[name] != value for name, value in pairs):
        raise ValueError("a name has two values")
    return found


def _refuse(name: str) -> NoReturn:
    raise ValueError(f"{name} is not a JSON value")


# Raw line breaks inside strings are the most frequent slip, and leave no doubt.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_refuse, object_pairs_hook=_of_one_mind)
_SPACE = re.compile(r"[ \t\n\r]*+")
_SCAN = json.decoder.scanstring  # type: ignore[attr-defined]  # the reader of strings in C, where there is one
