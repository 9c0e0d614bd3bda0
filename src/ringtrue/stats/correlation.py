"""The correlation of scores with graded labels."""

from __future__ import annotations

from collections.abc import Sequence
from math import atanh, fsum, sqrt, tanh
from statistics import NormalDist, fmean

from ringtrue.records import Summary
from ringtrue.stats.intervals import mean_interval

_Z = NormalDist().inv_cdf(0.975)


def pearson(first: Sequence[float], second: Sequence[float]) -> Summary:
    """Pearson's correlation with Fisher's 95% interval; None where one side does not vary."""
    return _correlation(first, second, 1.0)


def spearman(first: Sequence[float], second: Sequence[float]) -> Summary:
    """Spearman's rank correlation, ties at their mean rank, with Bonett and Wright's 95% interval."""
    ranks = midranks(first), midranks(second)
    value = _pearson(*ranks)
    return _correlation(*ranks, sqrt(1 + (value or 0.0) ** 2 / 2))


def absolute_error(first: Sequence[float], second: Sequence[float]) -> Summary:
    """The mean absolute difference with Student's 95% interval."""
    gaps = [abs(one - other) for one, other in zip(first, second, strict=True)]
    if not gaps:
        return Summary(None, 0)
    mean, n = fmean(gaps), len(gaps)
    found = mean_interval(mean, fsum((gap - mean) ** 2 for gap in gaps) / max(1, n - 1), n)
    interval = (max(0.0, found[0]), found[1]) if found else None
    return Summary(mean, n=n, interval=interval, method="t" if found else "")


def _correlation(first: Sequence[float], second: Sequence[float], widened: float) -> Summary:
    value, n = _pearson(first, second), len(first)
    if value is None or n < 4 or abs(value) == 1:
        return Summary(value, n)
    reach = _Z * widened / sqrt(n - 3)
    return Summary(
        value,
        n=n,
        interval=(tanh(atanh(value) - reach), tanh(atanh(value) + reach)),
        method="fisher",
    )


def _pearson(first: Sequence[float], second: Sequence[float]) -> float | None:
    if len(first) != len(second) or len(first) < 2:
        return None
    here, there = fmean(first), fmean(second)
    spread = fsum((one - here) ** 2 for one in first) * fsum((one - there) ** 2 for one in second)
    if spread <= 0:
        return None
    together = fsum((one - here) * (other - there) for one, other in zip(first, second, strict=True))
    return max(-1.0, min(1.0, together / sqrt(spread)))


def midranks(values: Sequence[float]) -> list[float]:
    """The ranks of values from the smallest, 1, on; equal ones share the mean of the ranks they take up."""
    order = sorted(range(len(values)), key=values.__getitem__)
    ranks = [0.0] * len(values)
    start = 0
    while start < len(order):
        end = start
        while end + 1 < len(order) and values[order[end + 1]] == values[order[start]]:
            end += 1
        for place in order[start : end + 1]:
            ranks[place] = (start + end) / 2 + 1
        start = end + 1
    return ranks
