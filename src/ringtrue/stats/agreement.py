"""The agreement of raters beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product
from math import fsum
from typing import Literal

from ringtrue.errors import ConfigurationError

Level = Literal["nominal", "ordinal", "interval"]


def krippendorff_alpha(units: Iterable[Sequence[float | None]], level: Level = "nominal") -> float | None:
    """Krippendorff's alpha: 1 is agreement in everything, 0 what chance would give, below 0 opposition.

    Each unit holds the values its raters gave, None where one gave none; units with fewer than two values say nothing.
    None where no two raters meet, or where all values are the same and there is no chance to disagree.
    """
    if level not in ("nominal", "ordinal", "interval"):
        raise ConfigurationError(f"level must be 'nominal', 'ordinal' or 'interval'; got {level!r}", parameter="level")
    rated = [[value for value in unit if value is not None] for unit in units]
    rated = [unit for unit in rated if len(unit) > 1]
    totals = Counter(value for unit in rated for value in unit)
    if len(totals) < 2:
        return None
    distance = _distances(totals, level)
    n = sum(totals.values())
    observed = fsum(fsum(distance[pair] for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in rated)
    expected = fsum(totals[a] * totals[b] * distance[a, b] for a, b in product(totals, totals)) / (n - 1)
    return 1 - observed / expected


def _distances(totals: Counter[float], level: Level) -> dict[tuple[float, float], float]:
    """The squared difference of each pair of values, as the level of measurement sees it."""
    ranked = sorted(totals)
    place = {value: position for position, value in enumerate(ranked)}

    def squared_distance(one: float, other: float) -> float:
        if level == "nominal":
            return float(one != other)
        if level == "interval":
            return (one - other) ** 2
        low, high = sorted((place[one], place[other]))
        between = sum(totals[value] for value in ranked[low : high + 1])
        return (between - (totals[one] + totals[other]) / 2) ** 2

    return {(one, other): squared_distance(one, other) for one, other in product(ranked, ranked)}
