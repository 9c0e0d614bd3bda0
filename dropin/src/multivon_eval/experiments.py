"""Statistics of experiments: ringtrue's functions with multivon-eval's parameters and rounding."""

from __future__ import annotations

from collections.abc import Sequence

from ringtrue.stats.differences import benjamini_hochberg as _benjamini_hochberg
from ringtrue.stats.differences import cohens_h as _cohens_h
from ringtrue.stats.differences import mcnemar, two_proportions
from ringtrue.stats.intervals import bootstrap_interval as _bootstrap_interval
from ringtrue.stats.intervals import credible_interval, wilson
from ringtrue.stats.power import cases_needed, detectable_effect

DECIMALS = 4

Interval = tuple[float, float]


def wilson_interval(pass_count: int, n: int, confidence: float = 0.95) -> Interval:
    """Wilson's interval of a pass rate; (0, 1) without cases."""
    return wilson(pass_count, n, confidence)


def bootstrap_interval(
    scores: Sequence[float], confidence: float = 0.95, n_samples: int = 2000, seed: int = 42
) -> Interval:
    """The percentile bootstrap interval of a mean; (0, 1) without scores."""
    return _rounded(_bootstrap_interval(scores, confidence, samples=n_samples, seed=seed) or (0.0, 1.0))


def bayesian_interval(
    pass_count: int, n: int, confidence: float = 0.95, n_samples: int = 10000, seed: int = 42
) -> Interval:
    """The credible interval of a pass rate that could be anything before; (0, 1) without cases.

    It is computed exactly: `n_samples` and `seed` change nothing.
    """
    return _rounded(credible_interval(pass_count, n, confidence)) if n else (0.0, 1.0)


def runs_needed(delta: float, alpha: float = 0.05, power: float = 0.80, baseline: float = 0.70) -> int:
    """Return the number of cases that each side needs to show a change of the pass rate by delta."""
    return cases_needed(delta, baseline=baseline, alpha=alpha, power=power)


def min_detectable_effect(n: int, alpha: float = 0.05, power: float = 0.80, baseline: float = 0.70) -> float:
    """The smallest change of the pass rate that n cases a side show."""
    return round(detectable_effect(n, baseline=baseline, alpha=alpha, power=power), DECIMALS)


def cohens_h(p1: float, p2: float) -> float:
    """The size of the difference of two pass rates."""
    return round(_cohens_h(p1, p2), DECIMALS)


def benjamini_hochberg(p_values: Sequence[float], alpha: float = 0.05) -> list[float]:
    """P-values adjusted for the rate of false discoveries; to be compared with alpha, which changes nothing here."""
    return _benjamini_hochberg(p_values)


def mcnemar_test(results_a: Sequence[bool], results_b: Sequence[bool]) -> float:
    """The exact p-value of McNemar's test of two verdicts on the same cases; no verdict is not a failure."""
    if any(verdict not in (True, False) for verdict in (*results_a, *results_b)):
        raise ValueError("McNemar's test compares binary outcomes; leave out the cases that have none on either side")
    return mcnemar(results_a, results_b)


def _two_proportion_z_test(p1: float, n1: int, p2: float, n2: int) -> float:
    return two_proportions(p1, n1, p2, n2)


def _rounded(interval: Interval) -> Interval:
    return round(interval[0], DECIMALS), round(interval[1], DECIMALS)
