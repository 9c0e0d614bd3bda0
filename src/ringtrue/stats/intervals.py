"""Intervals and estimators, from their formulas, without a numerical library."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from functools import lru_cache
from math import comb, exp, fsum, inf, lgamma, log, log1p, sqrt
from random import Random
from statistics import NormalDist

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_between, require_count


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that at least one of k samples passes, estimated without bias from c passes among n samples."""
    if not (n >= 1 and 0 <= c <= n and k >= 1):
        raise ConfigurationError(f"pass_at_k needs n >= 1, 0 <= c <= n, k >= 1; got n={n!r}, c={c!r}, k={k!r}")
    if n - c < k:
        return 1.0
    return float(1 - Fraction(comb(n - c, k), comb(n, k)))


def pass_hat_k(n: int, c: int, k: int) -> float:
    """The chance that all of k samples pass, estimated without bias from c passes among n samples; k is at most n."""
    if not (0 <= c <= n and 1 <= k <= n):
        raise ConfigurationError(f"pass_hat_k needs 0 <= c <= n, 1 <= k <= n; got n={n!r}, c={c!r}, k={k!r}")
    return float(Fraction(comb(c, k), comb(n, k)))


def wilson(successes: float, n: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval of a proportion; without observations it is (0, 1). The counts may be effective ones."""
    if n < 0 or not 0 <= successes <= n:
        raise ConfigurationError(f"wilson needs 0 <= successes <= n; got successes={successes!r}, n={n!r}")
    if n == 0:
        return 0.0, 1.0
    z = NormalDist().inv_cdf(0.5 + _check_level(level) / 2)
    share = successes / n
    shrink = 1 + z * z / n
    centre = (share + z * z / (2 * n)) / shrink
    reach = z / shrink * sqrt(share * (1 - share) / n + z * z / (4 * n * n))
    # At the ends the formula is exactly 0 or 1; rounding must not hide that.
    low = 0.0 if successes == 0 else max(0.0, centre - reach)
    high = 1.0 if successes == n else min(1.0, centre + reach)
    return low, high


def mean_interval(mean: float, variance: float, n: int, level: float = 0.95) -> tuple[float, float] | None:
    """Student's interval of a mean from its sample variance; None with fewer than two observations."""
    if n < 2:
        return None
    reach = student_reach(n - 1, level) * sqrt(max(0.0, variance) / n)
    return mean - reach, mean + reach


def quantile_interval(ordered: Sequence[float], share: float, level: float = 0.95) -> tuple[float, float] | None:
    """The interval of a quantile between two of the ordered values, whatever their distribution.

    None where there are too few values for one, as for the 95th percentile fewer than 72 are.
    """
    n, tail = len(ordered), (1 - _check_level(level)) / 2

    def at_least(rank: int) -> float:
        """The chance that at least `rank` of n values lie below the quantile."""
        return 1.0 if rank <= 0 else 0.0 if rank > n else incomplete_beta(rank, n - rank + 1, share)

    ranks = range(1, n + 1)
    low = bisect_left(ranks, True, key=lambda rank: 1 - at_least(rank) > tail) - 1
    high = bisect_left(ranks, True, key=lambda rank: at_least(rank) <= tail)
    return (ordered[low], ordered[high]) if low >= 0 and high < n else None


def bootstrap_interval(
    values: Sequence[float], level: float = 0.95, *, samples: int = 2_000, seed: int = 0
) -> tuple[float, float] | None:
    """The percentile interval of a mean over samples drawn with replacement; None without observations."""
    require_count("samples", samples)
    tail = (1 - _check_level(level)) / 2
    if not values:
        return None
    random, n = Random(seed), len(values)
    means = sorted(fsum(random.choices(values, k=n)) / n for _ in range(samples))
    return quantile(means, tail), quantile(means, 1 - tail)


def credible_interval(successes: int, n: int, level: float = 0.95) -> tuple[float, float]:
    """The middle of the posterior of a proportion that could be anything before: Beta(successes + 1, failures + 1)."""
    if not 0 <= successes <= n:
        raise ConfigurationError(f"credible_interval needs 0 <= successes <= n; got {successes!r} of {n!r}")
    tail = (1 - _check_level(level)) / 2
    a, b = successes + 1, n - successes + 1
    return _beta_quantile(tail, a, b), _beta_quantile(1 - tail, a, b)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which this share of ordered values lies, on the line between its two neighbours."""
    if not ordered or not 0 <= share <= 1:
        raise ConfigurationError(f"a quantile needs values and a share in [0, 1]; got {len(ordered)} and {share!r}")
    place = share * (len(ordered) - 1)
    low = min(int(place), len(ordered) - 1)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (ordered[high] - ordered[low]) * (place - low)


@lru_cache(maxsize=1_024)
def student_quantile(probability: float, freedom: int) -> float:
    """The quantile of Student's t for a probability in (0.5, 1), found by bisection on its distribution function."""
    low, high = 0.0, 2.0
    while _student_cdf(high, freedom) < probability:
        low, high = high, high * 2
        if high == inf:
            raise ConfigurationError(f"no quantile for probability {probability!r}")
    return find_edge(lambda t: _student_cdf(t, freedom) < probability, low, high)


def student_p(t: float, freedom: int) -> float:
    """The two-sided p-value of Student's t."""
    return incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t))


def student_reach(freedom: int, level: float = 0.95) -> float:
    """Return the number of standard errors that Student's interval of a mean reaches to either side."""
    return student_quantile(0.5 + _check_level(level) / 2, freedom)


def _check_level(level: float) -> float:
    require_between("level", level, 0, 1)
    return level


def _beta_quantile(probability: float, a: float, b: float) -> float:
    return find_edge(lambda x: incomplete_beta(a, b, x) < probability, 0.0, 1.0)


def find_edge(is_below: Callable[[float], bool], low: float, high: float) -> float:
    """Return the number between two at which `is_below` ends to hold, by bisection."""
    for _ in range(80):
        middle = (low + high) / 2
        low, high = (middle, high) if is_below(middle) else (low, middle)
    return (low + high) / 2


def _student_cdf(t: float, freedom: int) -> float:
    return 1 - incomplete_beta(freedom / 2, 0.5, freedom / (freedom + t * t)) / 2


def incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function, by the continued fraction on the side where it converges fast."""
    if x <= 0 or x >= 1:
        return 0.0 if x <= 0 else 1.0
    if x > (a + 1) / (a + b + 2):
        return 1 - incomplete_beta(b, a, 1 - x)
    front = exp(lgamma(a + b) - lgamma(a) - lgamma(b) + a * log(x) + b * log1p(-x)) / a
    tiny = 1e-300
    c, d = 1.0, 1 / max(tiny, 1 - (a + b) * x / (a + 1))
    total = d
    for m in range(1, 10_000):
        for numerator in (
            m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)),
            -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1)),
        ):
            d = 1 + numerator * d
            c = 1 + numerator / c
            d = 1 / (d if abs(d) > tiny else tiny)
            c = c if abs(c) > tiny else tiny
            total *= d * c
        if abs(d * c - 1) < 1e-15:
            break
    return front * total
