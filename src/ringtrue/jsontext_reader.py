"""Reading JSON as RFC 8259 writes it: no NaN or Infinity, numbers exact, repeated keys noticed, nothing raised."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Sequence
from decimal import Decimal, InvalidOperation
from itertools import accumulate
from math import isfinite
from typing import NamedTuple, NoReturn

import orjson

from ringtrue.records import Json

MAX_DEPTH = 500
"""Arrays and objects nested deeper are not read."""

MAX_DIGITS = 10_000
"""Numbers of more digits, or with a larger exponent, are not read."""

_SHOWN_KEYS = 20

# What orjson would round: a long run of digits, or an exponent of three.
_WIDE = re.compile(r"[0-9]{19}|[eE][+-]?[0-9]{3}")

# Every digit becomes 0, all white space a blank, E becomes e, and signs go: then plain substring searches, the fastest
# there are, find what needs care.
_LEVELLED = bytes.maketrans(b"123456789\t\n\rE", b"000000000   e")
_LONG = "0" * 19
_BLANKS = b" \t\n\r"
_INDENTED = orjson.OPT_INDENT_2
_loads, _dumps = orjson.loads, orjson.dumps

NOT_AS_WRITTEN = object()

# Between the texts of a block is a number marked by a tab, which no value is written with: strings escape theirs.
_BETWEEN = ",\t0,"
_BETWEEN_VALUES = orjson.Fragment(b"\t0")
_BLANKS_BUT_TABS = b" \n\r"
_MOST_TEXTS, _FEWEST_TEXTS, _MOST_CHARS = 128, 16, 8_000

_STEPS = {ord("["): 1, ord("{"): 1, ord("]"): -1, ord("}"): -1}
_NOT_BRACKETS = bytes(set(range(256)) - set(_STEPS))
_STRING = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.DOTALL)


class JsonReading(NamedTuple):
    """The value of a text read as JSON, or the problem that leaves it without one (to be read after "it is")."""

    value: Json = None
    problem: str = ""
    duplicates: tuple[str, ...] = ()
    """Keys that an object repeats, the last value of which counts; the first twenty."""
    wide_numbers: int = 0
    """How many numbers are neither a 64-bit integer nor a double, and are held as int or Decimal."""


def read_json(text: str) -> JsonReading:
    """The JSON value a text holds, or why it holds none."""
    value = as_written(text)
    if value is not NOT_AS_WRITTEN:
        # `JsonReading(value)`, without the detour through its defaults.
        return tuple.__new__(JsonReading, (value, "", (), 0))
    return read_carefully(text)


def read_carefully(text: str) -> JsonReading:
    """Return the reading of `read_json` for a text that is not as written."""
    try:
        data = text.encode()
    except UnicodeEncodeError:
        return _unread("it holds a lone surrogate, which is not Unicode text")
    try:
        value = _loads(data)
        if not _needs_care(text, data, value):
            return JsonReading(value)
    except (orjson.JSONDecodeError, TypeError):
        # Wrong, beyond a double, or nested more deeply than orjson writes: the exact reader says which.
        pass
    return _read_exactly(text, data)


def as_written(text: str) -> Json:
    """The value of a text that is that value written out, blanks aside; else NOT_AS_WRITTEN, for others to read.

    A value that is written again as it was read has lost no key and no digit.
    """
    try:
        data = text.encode()
        value = _loads(data)
        written = _dumps(value, None, _INDENTED) if "\n" in text else _dumps(value)
        if data == written or data.translate(None, _BLANKS) == written.translate(None, _BLANKS):
            return value
    except (ValueError, TypeError):
        pass
    return NOT_AS_WRITTEN


def written_blocks(texts: Sequence[str]) -> Iterator[tuple[Sequence[str], list[Json] | None]]:
    """The texts in blocks, in order, each with the value `as_written` has for every text; None where one may have none.

    Blocks of long texts have None too: reading them at once saves nothing. After a block without values the next ones
    are smaller, down to the smallest, after which many texts are left to be read one by one.
    """
    start, most = 0, _MOST_TEXTS
    while start < len(texts):
        block = texts[start : start + most]
        joined = _BETWEEN.join(block)
        if len(joined) > _MOST_CHARS and most > _FEWEST_TEXTS:
            most = max(len(block) * _MOST_CHARS // len(joined), _FEWEST_TEXTS)
            continue
        values = _all_as_written(joined, len(block)) if len(joined) <= _MOST_CHARS else None
        if values is not None:
            most = min(most + 8, _MOST_TEXTS)
        elif most > _FEWEST_TEXTS:
            most = max(most // 2, _FEWEST_TEXTS)
        else:
            block = texts[start : start + _MOST_TEXTS]
        yield block, values
        start += len(block)


def _all_as_written(joined: str, count: int) -> list[Json] | None:
    # Sides that are equal have equally many tabs, and values are written without any: so the tabs between the texts are
    # all there are and part both sides alike, and each text is its value written out, whatever its neighbours say.
    try:
        data = f"[{joined}]".encode()
        read = _loads(data)
        if len(read) != 2 * count - 1:
            return None
        values: list[Json] = read[::2]
        read[1::2] = [_BETWEEN_VALUES] * (count - 1)
        written = _dumps(read)
        if data == written:
            return values
        bare = data.translate(None, _BLANKS_BUT_TABS)
        if bare == written or bare == written.translate(None, _BLANKS_BUT_TABS):
            return values
    except (ValueError, TypeError):
        pass
    return None


def _needs_care(text: str, data: bytes, value: Json) -> bool:
    levelled = data.translate(_LEVELLED, b"+-").decode("latin-1")
    if _LONG in levelled or "e000" in levelled:
        return True
    # A key ends in a quote before its colon, and so may the inside of a string. The text has at least as many of these
    # as the value written out again, and more where a key was dropped; unless a blank or an escape hides some.
    if " :" in levelled or "\\u00" in text:
        return True
    return text.count('":') != _dumps(value).count(b'":')


def _depth(data: bytes) -> int:
    brackets = _STRING.sub(b"", data).translate(None, _NOT_BRACKETS)
    return max(accumulate(map(_STEPS.__getitem__, brackets)), default=0)


class _NotANumber(Exception):
    """NaN or an infinity."""


class _TooLarge(Exception):
    """A number beyond the limit."""


def _read_exactly(text: str, data: bytes) -> JsonReading:
    if not data.strip(_BLANKS):
        return JsonReading(problem="not JSON: it is empty")
    if data.count(b"[") + data.count(b"{") > MAX_DEPTH and _depth(data) > MAX_DEPTH:
        return _unread(f"it is nested more than {MAX_DEPTH} levels deep")
    duplicates: dict[str, None] = {}
    wide: list[Json] = []
    try:
        value = json.loads(
            text,
            parse_int=_integers(wide),
            parse_float=_decimals(wide),
            parse_constant=_refuse_constant,
            object_pairs_hook=_objects(duplicates),
        )
        if "\\u" in text:
            json.dumps([value, list(duplicates)], ensure_ascii=False, default=str).encode()
    except json.JSONDecodeError as trouble:
        what = trouble.msg[:1].lower() + trouble.msg[1:].removesuffix(" at")
        return JsonReading(problem=f"not JSON: {what} at line {trouble.lineno}, column {trouble.colno}")
    except UnicodeEncodeError:
        return _unread("it escapes a lone surrogate, which is not Unicode text")
    except _NotANumber as trouble:
        return JsonReading(problem=f"not JSON: {trouble}")
    except _TooLarge as trouble:
        return _unread(str(trouble))
    except RecursionError:
        return _unread("it is nested too deeply")
    return JsonReading(value, "", tuple(duplicates)[:_SHOWN_KEYS], len(wide))


def _integers(wide: list[Json]) -> Callable[[str], Json]:
    def read(digits: str) -> Json:
        if len(digits) <= 18:
            return int(digits)
        if len(digits) > MAX_DIGITS:
            raise _TooLarge(f"it holds a number of {len(digits):,} digits; at most {MAX_DIGITS:,} are read")
        # Python refuses to read an int of more than 4,300 digits; a Decimal is as exact.
        value = int(digits) if len(digits) <= 4_000 else Decimal(digits)
        if not -(2**63) <= value < 2**64:
            wide.append(value)
        return value

    return read


def _decimals(wide: list[Json]) -> Callable[[str], Json]:
    def read(digits: str) -> Json:
        if not _WIDE.search(digits):
            return float(digits)
        try:
            value = Decimal(digits)
        except InvalidOperation:
            value = None
        if value is None or len(digits) > MAX_DIGITS or abs(value.adjusted()) > MAX_DIGITS:
            raise _TooLarge(f"it holds a number with an exponent or a number of digits beyond {MAX_DIGITS:,}")
        near = float(value)
        if isfinite(near) and Decimal(repr(near)) == value:
            return near
        wide.append(value)
        return value

    return read


def _objects(duplicates: dict[str, None]) -> Callable[[list[tuple[str, Json]]], dict[str, Json]]:
    def build(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
        found = dict(pairs)
        if len(found) < len(pairs):
            seen: set[str] = set()
            for key, _ in pairs:
                if key in seen:
                    duplicates[key] = None
                seen.add(key)
        return found

    return build


def _refuse_constant(name: str) -> NoReturn:
    raise _NotANumber(f"{name} is not a JSON value")


def _unread(why: str) -> JsonReading:
    return JsonReading(problem=f"JSON that is not read: {why}")
