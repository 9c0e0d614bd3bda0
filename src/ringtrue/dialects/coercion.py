"""Reading text, answers and latencies out of values of any type."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from math import isfinite
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.records import CaseId, Json


def is_absent(value: object) -> bool:
    """Whether a value stands for nothing: None, NaN, NaT, pandas' NA."""
    if value is None or isinstance(value, (str, int, list, dict, tuple)):
        return value is None
    if type(value).__name__ == "NAType":  # it is equal to nothing, and not even unequal to itself
        return True
    try:
        return bool(value != value)
    except (TypeError, ValueError):  # an array has no single answer
        return False


def plain_row(row: Mapping[str, Json]) -> Mapping[str, Json]:
    """A row without values that only numpy and pandas know: what is absent is None, arrays are lists."""
    if _PLAIN.issuperset(map(type, row.values())):
        return row
    return {name: plain_value(value) for name, value in row.items()}


def plain_value(value: Any) -> Json:
    """A value without numpy's and pandas' own types; what is absent is None."""
    if is_absent(value):
        return None
    listed = getattr(value, "tolist", None)  # arrays and scalars of numpy
    return plain_value(listed()) if callable(listed) and hasattr(value, "dtype") else value


def case_id(value: Any) -> CaseId:
    """An id as it came; a list is a tuple, and what cannot name anything in a dict is its text."""
    if isinstance(value, (list, tuple)):
        return tuple(map(case_id, value))
    return value if isinstance(value, Hashable) else plain_text(value)


_PLAIN = frozenset((str, int, bool, list, dict, type(None)))


def output_text(value: object) -> tuple[str, str]:
    """The text of an output and, where there is none, the problem that makes it a scored failure."""
    if isinstance(value, str):
        return value, ""
    if is_absent(value):
        return "", "the output is None"
    if isinstance(value, (bool, int, float, list, tuple, dict)):
        return plain_text(value), ""
    return "", f"the output is {type(value).__name__}, not text"


def output_value(value: Json) -> Json:
    """Return the output in a peer's record of it (inspect's `output`, promptfoo's `response`); else the value."""
    if not isinstance(value, dict):
        return value
    choices = value.get("choices")
    if isinstance(choices, list) and isinstance(value.get("completion"), str):
        return value["completion"]
    if "output" in value and ("tokenUsage" in value or "cached" in value):
        return value["output"]
    return value


def only(value: Json) -> Json:
    """The one item of a list in lists (lm-eval's `resps`); else the value itself."""
    while isinstance(value, list) and len(value) == 1:
        value = value[0]
    return value


def plain_text(value: Json) -> str:
    """A JSON value as the text a reader would write: a string as it is, everything else as JSON where it can."""
    if isinstance(value, str):
        return value
    if isinstance(value, (list, tuple, dict)):
        try:
            return json_text(value)
        except ConfigurationError:  # nested too deeply
            return _text_of_any(value)
    try:
        return str(value)
    except ValueError:  # an integer beyond Python's limit for decimal text
        return hex(value)


def _text_of_any(value: object) -> str:
    try:
        return str(value)
    except RecursionError:
        return f"({type(value).__name__} nested too deeply to be shown)"


def answers(value: Json) -> tuple[str, ...] | None:
    """The acceptable answers in a value: None where there is none, several where a list is given."""
    if isinstance(value, str):
        return (value,)
    if is_absent(value):
        return None
    if isinstance(value, (list, tuple)):
        return tuple(plain_text(item) for item in value if not is_absent(item)) or None
    if isinstance(value, Mapping):
        # The SQuAD shape: {"text": [...], "answer_start": [...]}.
        return answers(value["text"]) if "text" in value else (plain_text(value),)
    return (plain_text(value),)


def question_text(value: Json) -> str:
    """A question: a string as it is, nothing as the empty string."""
    return value if isinstance(value, str) else "" if is_absent(value) else plain_text(value)


def context_text(value: Json) -> str:
    """A context: a string as it is, a list joined by blank lines, nothing as the empty string."""
    if isinstance(value, str):
        return value
    if is_absent(value):
        return ""
    if isinstance(value, (list, tuple)):
        return "\n\n".join(plain_text(item) for item in value if not is_absent(item))
    return plain_text(value)


def seconds(value: Json, *, per_second: float = 1.0) -> float | None:
    """A latency in seconds; None where the value, or the text of a CSV cell, is not a finite number >= 0."""
    if isinstance(value, bool) or not isinstance(value, (int, float, str)):
        return None
    try:
        number = float(value)
    except (OverflowError, ValueError):
        return None
    return number / per_second if isfinite(number) and number >= 0 else None
