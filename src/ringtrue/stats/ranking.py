"""What several rankings of the same things say together: mean ranks, win rates, and how far they agree."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from math import fsum
from statistics import fmean
from typing import TypeVar

from ringtrue.errors import ConfigurationError
from ringtrue.records import Summary
from ringtrue.stats.intervals import mean_interval, wilson

Item = TypeVar("Item", bound=Hashable)


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


def kendall_w(rankings: Sequence[Sequence[float]]) -> float | None:
    """Kendall's coefficient of concordance: 1 where all rankings are the same, 0 where their sums cancel out.

    Each ranking holds the places it gives to the things, in one order of things. Tied things share the mean of their
    places, and the denominator is what is then attainable: W = 12 S / (m² (n³ − n) − m Σ (t³ − t)), where t counts the
    things of each tie. None for fewer than two rankings or things, and where every ranking ties everything.
    """
    n, m = len(rankings[0]) if rankings else 0, len(rankings)
    if any(len(one) != n for one in rankings):
        raise ConfigurationError("kendall_w needs rankings of the same things; their lengths differ")
    if m < 2 or n < 2:
        return None
    ranked = [midranks(one) for one in rankings]
    totals = [fsum(column) for column in zip(*ranked, strict=True)]
    spread = fsum((total - fmean(totals)) ** 2 for total in totals)
    ties = sum(count**3 - count for one in ranked for count in Counter(one).values())
    attainable = m * m * (n**3 - n) - m * ties
    return min(1.0, 12 * spread / attainable) if attainable else None


def mean_ranks(rankings: Sequence[Mapping[Item, float]]) -> dict[Item, Summary]:
    """Each thing's mean rank over the rankings that hold it, with Student's 95% interval; 1 is the best."""
    return {item: _mean(ranks) for item, ranks in _by_item(rankings).items()}


def win_rates(rankings: Sequence[Mapping[Item, float]]) -> dict[Item, Summary]:
    """The share of the rankings holding a thing in which it is first, with Wilson's 95% interval.

    Where several share the first place, each has its part of that win.
    """
    held = _by_item(rankings)
    wins: dict[Item, list[float]] = {item: [] for item in held}
    for ranking in rankings:
        best = min(ranking.values(), default=None)
        first = [item for item, rank in ranking.items() if rank == best]
        for item in first:
            wins[item].append(1 / len(first))
    return {
        item: Summary(fsum(won) / len(held[item]), len(held[item]), 0, 0, wilson(fsum(won), len(held[item])), "wilson")
        for item, won in wins.items()
    }


def _by_item(rankings: Sequence[Mapping[Item, float]]) -> dict[Item, list[float]]:
    found: dict[Item, list[float]] = {}
    for ranking in rankings:
        for item, rank in ranking.items():
            found.setdefault(item, []).append(rank)
    return found


def _mean(ranks: Sequence[float]) -> Summary:
    mean, n = fmean(ranks), len(ranks)
    interval = mean_interval(mean, fsum((rank - mean) ** 2 for rank in ranks) / max(1, n - 1), n)
    return Summary(mean, n, 0, 0, interval, "t" if interval else "")
