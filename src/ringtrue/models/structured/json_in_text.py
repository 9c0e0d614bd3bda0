"""The JSON objects and lists in a model's reply, however it wrapped or misspelled them: pure functions of the text."""

from __future__ import annotations

import json
import re
from collections import deque
from typing import Any, NoReturn

from ringtrue.records import Json

MAX_CHARS = 400_000
"""Of a longer reply both ends are read: a verdict stands at one of them."""

_MAX_FOUND = 1_000
"""The last ones; a verdict is among them."""
_MAX_WORK = 50_000_000
"""How many characters may be read in vain for a reply; a start that is no object costs about its place in the text."""
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


def found_objects(text: str) -> list[dict[str, Json]]:
    """The last outermost JSON objects in a text, in order; where none is JSON, those that are after harmless repairs.

    Repaired are single and typographic quotes, bare keys, Python's constants, trailing commas and line comments. What
    is cut off is not completed: half a number is another number. An object that gives one name two values says
    nothing. Half a surrogate pair, which nobody could print, becomes a question mark.
    """
    return _found(text, "{")


def found_lists(text: str) -> list[list[Json]]:
    """The last outermost JSON lists in a text, in order, as `found_objects` finds objects."""
    return _found(text, "[")


def _found(text: str, opening: str) -> list[Any]:
    if len(text) > MAX_CHARS:
        text = text[: MAX_CHARS // 2] + "\n" + text[-MAX_CHARS // 2 :]
    spoken = _after_thoughts(text)
    for candidate in (spoken, text) if spoken != text else (text,):
        start = candidate.find(opening)
        if start < 0:
            continue
        found = _decoded(candidate, opening) or _decoded(_TOKEN.sub(_mended, candidate[start:]), opening)
        if found:
            return found
    return []


def _after_thoughts(text: str) -> str:
    lowered = text.lower() if text.isascii() else text
    return text[max((at + len(tag) for tag in _THOUGHTS if (at := lowered.rfind(tag)) >= 0), default=0) :]


def _decoded(text: str, opening: str) -> list[Any]:
    found: deque[Any] = deque(maxlen=_MAX_FOUND)
    at = text.find(opening)
    work = 0
    while at >= 0 and work < _MAX_WORK:
        try:
            value, end = _DECODER.raw_decode(text, at)
            found.append(_printable(value))
        except (ValueError, RecursionError):
            end = at + 1
            work += len(text)
        at = text.find(opening, end)
    return list(found)


def _mended(match: re.Match[str]) -> str:
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


def _refused(name: str) -> NoReturn:
    raise ValueError(f"{name} is no JSON value")


# Raw line breaks inside strings are the most frequent slip, and leave no doubt.
_DECODER = json.JSONDecoder(strict=False, parse_constant=_refused, object_pairs_hook=_of_one_mind)
