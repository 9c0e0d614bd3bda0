"""The agreement of raters beyond chance."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations, product
from math import fsum
from typing import Literal

from ringtrue.require import require_choice

Level = Literal["nominal", "interval"]


def krippendorff_alpha(units: Iterable[Sequence[float | None]], level: Level = "nominal") -> float | None:
    """Krippendorff's alpha: 1 is agreement in everything, 0 what chance would give, below 0 opposition.

    Each unit holds the values its raters gave, None where one gave none; units with fewer than two values say nothing.
    None where no two raters meet, or where all values are the same and there is no chance to disagree.
    """
    require_choice("level", level, ("nominal", "interval"))
    rated = [[value for value in unit if value is not None] for unit in units]
    rated = [unit for unit in rated if len(unit) > 1]
    totals = Counter(value for unit in rated for value in unit)
    if len(totals) < 2:
        return None
    distance = {
        (one, other): float(one != other) if level == "nominal" else (one - other) ** 2
        for one, other in product(totals, totals)
    }
    n = sum(totals.values())
    observed = fsum(fsum(distance[pair] for pair in permutations(unit, 2)) / (len(unit) - 1) for unit in rated)
    expected = fsum(totals[a] * totals[b] * distance[a, b] for a, b in product(totals, totals)) / (n - 1)
    return 1 - observed / expected
