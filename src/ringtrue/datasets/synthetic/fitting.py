"""The largest text of a kind that is within a number of tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ringtrue.errors import ConfigurationError
from ringtrue.models.tokens import count

Made = TypeVar("Made")
_TRIES = 12


def largest_within(
    tokens: int, make: Callable[[int], Made], text: Callable[[Made], str], *, least: int = 1
) -> tuple[Made, int]:
    """The result of `make(units)` for the most units whose `text` fits into the tokens, and its tokens.

    `make` is a function of the number of units alone; more units are more tokens. A length that even the least number
    of units exceeds raises.
    """
    units = least
    made = make(units)
    size = count(text(made)).count
    if size > tokens:
        raise ConfigurationError(
            f"{tokens} tokens are too few: the shortest example has {size}", parameter="dataset", value=tokens
        )
    fits, too_many = (units, made, size), None
    step = max(1, (tokens - size) * units // max(size, 1))
    for _ in range(_TRIES):
        units = fits[0] + step if too_many is None else (fits[0] + too_many) // 2
        if units <= fits[0] or (too_many is not None and too_many - fits[0] <= 1):
            break
        made = make(units)
        size = count(text(made)).count
        if size <= tokens:
            fits = (units, made, size)
            step = max(1, (tokens - size) * units // max(size, 1))
        else:
            too_many = units
    return fits[1], fits[2]
