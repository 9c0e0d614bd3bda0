"""Whether two systems differ: tests of paired verdicts and of shares, the size of a difference, many tests at once."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import asin, comb, sqrt
from statistics import NormalDist

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_share
from ringtrue.stats.intervals import incomplete_beta, wilson

EXACT_PAIRS = 1_000
"""Up to this many differing pairs the binomial tail is summed in whole numbers; beyond, the beta function gives it."""


def mcnemar(first: Sequence[bool], second: Sequence[bool]) -> float:
    """McNemar's exact p-value of two verdicts on the same cases; only the cases they differ on count."""
    if len(first) != len(second):
        raise ConfigurationError(
            f"paired verdicts must have the same length; got {len(first)} and {len(second)}", parameter="second"
        )
    wins = sum(bool(a) and not b for a, b in zip(first, second, strict=True))
    losses = sum(bool(b) and not a for a, b in zip(first, second, strict=True))
    return mcnemar_of_counts(wins, losses)


def mcnemar_of_counts(wins: int, losses: int) -> float:
    """McNemar's exact p-value from how many cases passed on the first side alone, and on the second alone."""
    n, fewer = wins + losses, min(wins, losses)
    if wins == losses:
        return 1.0
    if n <= EXACT_PAIRS:
        return 2 * sum(comb(n, k) for k in range(fewer + 1)) / (1 << n)
    return min(1.0, 2 * incomplete_beta(n - fewer, fewer + 1, 0.5))


def two_proportions(first: float, first_n: int, second: float, second_n: int) -> float:
    """The two-sided p-value of the pooled z-test of two shares; 1 if nothing distinguishes them."""
    for share in (first, second):
        require_share("a share", share)
    if first_n < 1 or second_n < 1:
        return 1.0
    pooled = (first * first_n + second * second_n) / (first_n + second_n)
    error = sqrt(pooled * (1 - pooled) * (1 / first_n + 1 / second_n))
    return 2 * NormalDist().cdf(-abs(first - second) / error) if error else 1.0


def paired_interval(first: Sequence[bool], second: Sequence[bool], level: float = 0.95) -> tuple[float, float] | None:
    """Newcombe's score interval of how much the second share of passes is above the first; None without pairs."""
    return paired_interval_of_counts(Counter((bool(a), bool(b)) for a, b in zip(first, second, strict=True)), level)


def paired_interval_of_counts(seen: Mapping[tuple[bool, bool], int], level: float = 0.95) -> tuple[float, float] | None:
    """`paired_interval` from how often each pair of verdicts was seen."""
    verdicts = ((True, True), (True, False), (False, True), (False, False))
    both, lost, won, neither = (seen.get(pair, 0) for pair in verdicts)
    n = both + lost + won + neither
    if not n:
        return None
    before, after = (both + lost) / n, (both + won) / n
    below, above = wilson(both + lost, n, level), wilson(both + won, n, level)
    spread = sqrt((both + lost) * (won + neither) * (both + won) * (lost + neither))
    shared = both * neither - lost * won
    bound = (max(0.0, shared - n / 2) if shared > 0 else shared) / spread if spread else 0.0
    down = _apart(after - above[0], below[1] - before, bound)
    up = _apart(above[1] - after, before - below[0], bound)
    return max(-1.0, after - before - down), min(1.0, after - before + up)


def cohens_h(first: float, second: float) -> float:
    """Cohen's h, the difference of two shares on the arcsine scale; positive where the second is larger."""
    for share in (first, second):
        require_share("a share", share)
    return 2 * asin(sqrt(second)) - 2 * asin(sqrt(first))


def benjamini_hochberg(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted for the rate of false discoveries, each in its place."""
    for p in p_values:
        require_share("a p-value", p)
    adjusted = list(p_values)
    lowest = 1.0
    falling = sorted(range(len(adjusted)), key=lambda place: adjusted[place], reverse=True)
    for rank, place in zip(range(len(adjusted), 0, -1), falling, strict=True):
        lowest = min(lowest, adjusted[place] * (len(adjusted) / rank))
        adjusted[place] = lowest
    return adjusted


def holm(p_values: Sequence[float]) -> list[float]:
    """P-values adjusted so that one false finding among all tests stays as rare as the level says, in their order."""
    for p in p_values:
        require_share("a p-value", p)
    adjusted = list(p_values)
    highest = 0.0
    for rank, place in enumerate(sorted(range(len(adjusted)), key=lambda place: adjusted[place])):
        highest = max(highest, min(1.0, adjusted[place] * (len(adjusted) - rank)))
        adjusted[place] = highest
    return adjusted


def _apart(one: float, other: float, correlation: float) -> float:
    return sqrt(max(0.0, one**2 - 2 * correlation * one * other + other**2))
