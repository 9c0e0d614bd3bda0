"""Rows of a grid: every combination of values, or so few that every pair of values is together in one of them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import combinations, product
from random import Random
from typing import Any

from ringtrue.errors import ConfigurationError

_Pair = tuple[tuple[str, int], tuple[str, int]]


def every_combination(axes: Mapping[str, Sequence[Any]], *, limit: int) -> list[dict[str, Any]]:
    """All combinations of one value per axis; more of them than the limit are refused."""
    _require(axes)
    rows = 1
    for values in axes.values():
        rows *= len(values)
    if rows > limit:
        raise ConfigurationError(
            f"{rows:,} combinations are above the cap of {limit:,}; every_pair needs far fewer", parameter="axes"
        )
    return [dict(zip(axes, values, strict=True)) for values in product(*axes.values())]


def every_pair(axes: Mapping[str, Sequence[Any]], seed: int = 0) -> list[dict[str, Any]]:
    """Rows in which each value of an axis meets each value of every other axis, the same rows for the same seed."""
    _require(axes)
    if len(axes) == 1:
        ((name, values),) = axes.items()
        return [{name: value} for value in values]
    # Keys, not positions in a set, decide what comes first: the same rows come in every process.
    missing: dict[_Pair, None] = {
        ((one, a), (other, b)): None
        for one, other in combinations(axes, 2)
        for a in range(len(axes[one]))
        for b in range(len(axes[other]))
    }
    chance, rows = Random(seed), []
    while missing:
        row = _greedy(axes, missing, chance)
        for pair in combinations([(name, row[name]) for name in axes], 2):
            missing.pop(pair, None)
        rows.append({name: axes[name][place] for name, place in row.items()})
    return rows


def _greedy(axes: Mapping[str, Sequence[Any]], missing: Mapping[_Pair, None], chance: Random) -> dict[str, int]:
    """A row with the first missing pair in it, and as many others as its axes, one after the other, can add."""
    row = dict(next(iter(missing)))
    for name in axes:
        if name in row:
            continue
        gains = [
            sum(_pair(axes, (name, place), known) in missing for known in row.items())
            for place in range(len(axes[name]))
        ]
        row[name] = chance.choice([place for place, gain in enumerate(gains) if gain == max(gains)])
    return row


def _pair(axes: Mapping[str, Sequence[Any]], one: tuple[str, int], other: tuple[str, int]) -> _Pair:
    names = list(axes)
    return (one, other) if names.index(one[0]) < names.index(other[0]) else (other, one)


def _require(axes: Mapping[str, Sequence[Any]]) -> None:
    if not isinstance(axes, Mapping) or not axes:
        raise ConfigurationError(f"axes are names with lists of values; got {axes!r}", parameter="axes", value=axes)
    for name, values in axes.items():
        if isinstance(values, str) or not isinstance(values, Sequence) or not values:
            raise ConfigurationError(
                f"the axis {name!r} needs a list of values; got {values!r}", parameter="axes", value=values
            )
