"""Checks of settings for constructors: each raises a ConfigurationError that says what the setting must be."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from math import isfinite
from typing import TypeGuard

from ringtrue.errors import ConfigurationError
from ringtrue.safetext import short_repr


def require(holds: bool, message: str, *, parameter: str, value: object) -> None:
    """Raise a ConfigurationError with this message unless the condition holds."""
    if not holds:
        raise ConfigurationError(message, parameter=parameter, value=value)


def require_that(holds: bool, name: str, value: object, what: str) -> None:
    """Raise a ConfigurationError unless the condition holds: `name` must be `what`."""
    if not holds:
        raise ConfigurationError(f"{name} must be {what}; got {short_repr(value, 200)}", parameter=name, value=value)


def is_number(value: object) -> TypeGuard[float]:
    """Whether a value is a finite int or float (a bool is not)."""
    if not isinstance(value, (int, float)) or isinstance(value, bool):
        return False
    try:
        return isfinite(value)
    except OverflowError:  # an int beyond every float
        return False


def is_whole(value: object) -> TypeGuard[int]:
    """Whether a value is an int (a bool is not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def require_count(name: str, value: object, *, least: int = 1, most: int | None = None) -> None:
    """The setting is a whole number of at least `least`, and at most `most` if there is a most."""
    holds = is_whole(value) and value >= least and (most is None or value <= most)
    what = f"a whole number of at least {least}" if most is None else f"a whole number from {least} to {most}"
    require_that(holds, name, value, what)


def require_number(name: str, value: object, *, least: float | None = None, above: float | None = None) -> None:
    """The setting is a finite number; of at least `least`, or above `above`."""
    holds = is_number(value) and (least is None or value >= least) and (above is None or value > above)
    rest = f" of at least {least:g}" if least is not None else f" above {above:g}" if above is not None else ""
    require_that(holds, name, value, f"a number{rest}")


def require_within(name: str, value: object, low: float, high: float) -> None:
    """The setting is a number from `low` to `high`, both included."""
    require_that(is_number(value) and low <= value <= high, name, value, f"a number in [{low:g}, {high:g}]")


def require_between(name: str, value: object, low: float, high: float) -> None:
    """The setting is a number between `low` and `high`, neither included."""
    require_that(is_number(value) and low < value < high, name, value, f"a number between {low:g} and {high:g}")


def require_share(name: str, value: object) -> None:
    """The setting is a number in [0, 1]."""
    require_within(name, value, 0, 1)


def require_percent(name: str, value: object) -> None:
    """The setting is a number in [0, 100]."""
    require_within(name, value, 0, 100)


def require_string(name: str, value: object) -> None:
    """The setting is text; it may be empty."""
    require_that(isinstance(value, str), name, value, "text")


def require_text(name: str, value: object) -> None:
    """The setting is text that is not blank."""
    require_that(isinstance(value, str) and bool(value.strip()), name, value, "text that is not empty")


def require_texts(name: str, value: object) -> None:
    """The setting is a list of texts, none of them blank."""
    listed = isinstance(value, Sequence) and not isinstance(value, (str, bytes))
    holds = listed and all(isinstance(item, str) and item.strip() for item in value)  # type: ignore[attr-defined]
    require_that(holds, name, value, "a list of texts, none empty")


def require_choice(name: str, value: object, choices: Collection[str]) -> None:
    """The setting is one of these names."""
    require_that(isinstance(value, str) and value in choices, name, value, f"one of {', '.join(map(repr, choices))}")


def did_you_mean(name: str, known: Iterable[str], otherwise: str | None = None, cutoff: float = 0.6) -> str:
    """`did you mean 'run'?` for the nearest of the known names; else the other words, by default all names."""
    import difflib

    names = list(dict.fromkeys(known))
    near = difflib.get_close_matches(name, names, n=1, cutoff=cutoff)
    if near:
        return f"did you mean {near[0]!r}?"
    return f"there are {', '.join(names)}" if otherwise is None else otherwise
