"""The number of cases that a comparison needs, and the smallest difference it can show."""

from __future__ import annotations

from math import ceil, floor, log2, sqrt
from statistics import NormalDist

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_between, require_share


def cases_needed(effect: float, *, baseline: float = 0.7, alpha: float = 0.05, power: float = 0.8) -> int:
    """The cases each of two systems needs, so that a change of the pass rate by `effect` is found with this power."""
    if not effect:
        raise ConfigurationError("effect must not be 0: no number of cases shows it", parameter="effect", value=effect)
    changed = min(1.0, max(0.0, baseline + effect))
    spread = baseline * (1 - baseline) + changed * (1 - changed)
    return max(1, ceil(_reach(baseline, alpha, power) ** 2 * spread / effect**2))


def detectable_effect(n: int, *, baseline: float = 0.7, alpha: float = 0.05, power: float = 0.8) -> float:
    """The smallest change of a pass rate that n cases of each system show with this power; 1 without cases."""
    reach = _reach(baseline, alpha, power)
    return min(1.0, reach * sqrt(2 * baseline * (1 - baseline) / n)) if n > 0 else 1.0


def pairs_needed(effect: float, deviation: float, *, alpha: float = 0.05, power: float = 0.8) -> int | None:
    """The number of pairs that show a mean difference of `effect`; None if it is 0, which no number shows.

    `deviation` is the standard deviation of the differences.
    """
    if not effect:
        return None
    normal = NormalDist()
    reach = normal.inv_cdf(1 - alpha / 2)
    if not deviation:  # no pair differs from another: Wilson's bound of a share that was never seen
        return max(2, ceil(reach**2 / abs(effect)))
    return max(2, ceil(((reach + normal.inv_cdf(power)) * deviation / effect) ** 2))


def flips_needed(alpha: float = 0.05) -> int:
    """Return the number of cases that have to turn, all one way, before McNemar's exact test shows anything."""
    require_between("alpha", alpha, 0, 1)
    return floor(1 + log2(1 / alpha)) + 1


def _reach(baseline: float, alpha: float, power: float) -> float:
    for name, value in (("alpha", alpha), ("power", power)):
        require_between(name, value, 0, 1)
    require_share("baseline", baseline)
    return NormalDist().inv_cdf(1 - alpha / 2) + NormalDist().inv_cdf(power)
