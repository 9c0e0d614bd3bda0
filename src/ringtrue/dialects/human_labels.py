"""Human labels in rows: which field holds them, and what number each is."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from math import isfinite

from ringtrue.dialects.coercion import plain_text
from ringtrue.dialects.field_paths import walk
from ringtrue.errors import ConfigurationError
from ringtrue.records import Json

FIELDS = (
    "human_label",
    "human_score",
    "human_rating",
    "human_verdict",
    "human_says_correct",
    "human",
    "label",
    "gold_label",
    "correct",
    "is_correct",
    "annotation",
    "rating",
)
"""Fields that hold a human's label; the first that any row has wins."""

_WORDS = dict.fromkeys(("true", "yes", "y", "correct", "right", "pass", "passed", "good", "supported", "accept"), 1.0)
_WORDS |= dict.fromkeys(
    ("false", "no", "n", "incorrect", "wrong", "fail", "failed", "bad", "unsupported", "not supported", "reject"), 0.0
)


def label_field(rows: Sequence[Mapping[str, Json]], wanted: str | None = None) -> str:
    """The field that holds the labels: the one that is wanted, else the first known name that a row has."""
    names = (wanted,) if wanted else FIELDS
    found = next((name for name in names if any(field_value(row, name) is not None for row in rows)), None)
    if found is None:
        there = ", ".join(dict.fromkeys(name for row in rows[:100] for name in row)) or "no field"
        raise ConfigurationError(
            f"no row has a human label (looked for {', '.join(names)}; the rows have {there}); "
            "--label FIELD names it, label= in Python",
            parameter="label",
            value=wanted,
        )
    return found


def field_value(row: Mapping[str, Json], name: str) -> Json:
    """The value of a field, or of the place a path leads to; None where there is nothing."""
    at = walk(row, name)
    return at.value if at.arrived else None


def without_field(row: Mapping[str, Json], name: str) -> dict[str, Json]:
    """A row without a field, or without the object or list that holds it."""
    outer = walk(row, name).taken[:1]
    return {key: value for key, value in row.items() if key not in outer}


def numbers(
    values: Sequence[Json],
    *,
    what: str = "label",
    positive: Collection[str] = (),
    ends: tuple[float, float] | None = None,
) -> list[float | None]:
    """Labels or scores as numbers in [0, 1], None where there is none; what cannot be read is a ConfigurationError.

    True and yes are 1, false and no are 0. With `positive`, the values it names are 1 and all others 0. Numbers beyond
    [0, 1] need the `ends` of their scale, which become 0 and 1.
    """
    if ends is not None and not (isfinite(ends[0]) and isfinite(ends[1]) and ends[0] < ends[1]):
        raise ConfigurationError(
            f"--{what}-range is two numbers, the lower first; got {ends!r}", parameter=f"{what}_range", value=ends
        )
    known = {word.strip().casefold() for word in positive}
    return [_number(value, row, what, known, ends) for row, value in enumerate(values, 1)]


def _number(
    value: Json, row: int, what: str, positive: Collection[str], ends: tuple[float, float] | None
) -> float | None:
    if value is None or (isinstance(value, str) and not value.strip()):
        return None
    if positive:
        return float(plain_text(value).strip().casefold() in positive)
    number = _read(value)
    shown = plain_text(value)[:40]
    if number is None:
        raise ConfigurationError(
            f"row {row}: the {what} {shown!r} is neither a number nor yes or no"
            + ("; --positive VALUE names what counts as yes; leave out what is undecided" if what == "label" else ""),
            parameter=what,
            value=value,
        )
    low, high = ends or (0.0, 1.0)
    if not low <= number <= high:
        hint = f"--{what}-range says {low:g} to {high:g}" if ends else f"--{what}-range LOW HIGH gives the scale's ends"
        raise ConfigurationError(
            f"row {row}: the {what} {shown!r} is out of range; {hint}", parameter=f"{what}_range", value=value
        )
    return (number - low) / (high - low)


def _read(value: Json) -> float | None:
    if isinstance(value, str):
        word = value.strip().casefold()
        if word in _WORDS:
            return _WORDS[word]
    elif not isinstance(value, (bool, int, float)):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if isfinite(number) else None
