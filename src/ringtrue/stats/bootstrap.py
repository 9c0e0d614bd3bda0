"""Bootstrap intervals that correct for bias and skew (BCa, Efron 1987)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from math import fsum
from random import Random
from statistics import NormalDist

from ringtrue.require import require_between, require_count
from ringtrue.stats.intervals import quantile

_NORMAL = NormalDist()


def bca_interval(
    values: Sequence[float],
    weights: Sequence[float] | None = None,
    *,
    level: float = 0.95,
    samples: int = 2_000,
    seed: int = 0,
) -> tuple[float, float] | None:
    """The BCa interval of a mean, over samples drawn with replacement.

    With `weights` the values are sums of clusters of that many observations, and clusters are drawn. None if nothing
    varies: a bootstrap of equal values shows nothing.
    """
    require_between("level", level, 0, 1)
    require_count("samples", samples)
    n = len(values)
    sizes = [1.0] * n if weights is None else weights
    if n < 2 or len({value / size for value, size in zip(values, sizes, strict=True)}) < 2:
        return None
    means = sorted(_resample(values, weights, samples, seed))
    observed = fsum(values) / fsum(sizes)
    below = (bisect_left(means, observed) + bisect_right(means, observed)) / 2 / samples
    bias = _NORMAL.inv_cdf(min(1 - 0.5 / samples, max(0.5 / samples, below)))
    skew = _acceleration(values, sizes)
    low, high = (_place(bias, skew, share) for share in ((1 - level) / 2, (1 + level) / 2))
    return quantile(means, low), quantile(means, high)


def _resample(values: Sequence[float], weights: Sequence[float] | None, samples: int, seed: int) -> list[float]:
    random, n = Random(seed), len(values)
    if weights is None:
        return [fsum(random.choices(values, k=n)) / n for _ in range(samples)]
    pairs = list(zip(values, weights, strict=True))
    drawn = (random.choices(pairs, k=n) for _ in range(samples))
    return [fsum(value for value, _ in own) / fsum(weight for _, weight in own) for own in drawn]


def _acceleration(values: Sequence[float], weights: Sequence[float]) -> float:
    """Return the rate at which the spread changes with the mean, from leaving out one value at a time."""
    total, whole = fsum(values), fsum(weights)
    without = [(total - value) / (whole - weight) for value, weight in zip(values, weights, strict=True)]
    centre = fsum(without) / len(without)
    squares = fsum((centre - one) ** 2 for one in without)
    return fsum((centre - one) ** 3 for one in without) / (6 * squares**1.5) if squares else 0.0


def _place(bias: float, skew: float, share: float) -> float:
    """The share of the samples below which an end lies, corrected."""
    shifted = bias + _NORMAL.inv_cdf(share)
    return _NORMAL.cdf(bias + shifted / (1 - skew * shifted))
