"""pass@k and pass^k of a suite, from the passes among the runs of each case."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum

from ringtrue.stats.intervals import bootstrap_interval, wilson
from ringtrue.stats.intervals import pass_at_k as _pass_at_k
from ringtrue.stats.intervals import pass_hat_k as _pass_hat_k

METRIC_PASS_AT_K = "pass@k"
METRIC_PASS_HAT_K = "pass^k"
ESTIMATOR_NAMES = {METRIC_PASS_AT_K: "combinatorial-unbiased", METRIC_PASS_HAT_K: "hypergeometric-exact"}


@dataclass
class PassKResult:
    """An estimate over cases; `value` is None, and `unknown_reason` says why, where there are too few runs."""

    k: int
    metric: str
    value: float | None
    ci_low: float | None
    ci_high: float | None
    estimator: str
    n_cases: int
    runs: int
    unknown_reason: str = ""


def pass_at_k(n: int, c: int, k: int) -> float:
    """The chance that at least one of k runs passes, from c passes among n; k beyond n would be a guess."""
    _check(n, c, k)
    return _pass_at_k(n, c, k)


def pass_hat_k(n: int, c: int, k: int) -> float:
    """The chance that all of k runs pass, from c passes among n; k beyond n would be a guess."""
    _check(n, c, k)
    return _pass_hat_k(n, c, k)


def suite_pass_k(
    case_stats: Sequence[tuple[int, int]],
    k: int,
    *,
    metric: str,
    confidence: float = 0.95,
    n_boot: int = 2000,
    seed: int = 0,
) -> PassKResult:
    """The mean over cases of `(runs, passes)`, with the interval of drawing cases again; Wilson's without spread."""
    if metric not in ESTIMATOR_NAMES:
        raise ValueError(f"metric must be one of {sorted(ESTIMATOR_NAMES)}, got {metric!r}")
    if not 0 < confidence < 1:
        raise ValueError(f"confidence must lie between 0 and 1, got {confidence!r}")
    if n_boot < 1:
        raise ValueError(f"n_boot must be >= 1, got {n_boot!r}")
    _check_k(k)
    n, estimator = len(case_stats), ESTIMATOR_NAMES[metric]
    if not n:
        return unknown(k, metric, 0, 0, "no evaluated cases to estimate from")
    estimate = pass_at_k if metric == METRIC_PASS_AT_K else pass_hat_k
    values = [estimate(runs, passes, k) for runs, passes in case_stats]
    mean = fsum(values) / n
    spread = len(set(values)) > 1
    found = bootstrap_interval(values, confidence, samples=n_boot, seed=seed) if spread else None
    low, high = found or wilson(round(mean * n), n, confidence)
    return PassKResult(k, metric, mean, min(low, mean), max(high, mean), estimator, n, min(r for r, _ in case_stats))


def known_pass_k(
    case_stats: Sequence[tuple[int, int]], k: int, *, metric: str, confidence: float = 0.95
) -> PassKResult:
    """`suite_pass_k`, and no estimate where a case has fewer than k runs."""
    fewest, most = (choose((runs for runs, _ in case_stats), default=0) for choose in (min, max))
    if case_stats and isinstance(k, int) and k > fewest:
        short = "" if fewest == most else " (the shortest-run case; early_stop asks some less often)"
        words = f"k={k} exceeds {fewest} trials{short}, and an estimate does not extrapolate; "
        return unknown(k, metric, len(case_stats), fewest, words + f"rerun with --runs >= {k} or pass k <= {fewest}")
    return suite_pass_k(case_stats, k, metric=metric, confidence=confidence)


def luck(n: int, c: int, k: int) -> float:
    """The share of luck in whether k runs pass, or as many as there are: pass@k less pass^k."""
    counts = (n, c, min(n, k))
    return pass_at_k(*counts) - pass_hat_k(*counts)


def unknown(k: int, metric: str, n_cases: int, runs: int, why: str) -> PassKResult:
    """No estimate, and the reason."""
    return PassKResult(k, metric, None, None, None, ESTIMATOR_NAMES[metric], n_cases, runs, f"UNKNOWN: {why}")


def _check(n: int, c: int, k: int) -> None:
    if n < 1:
        raise ValueError(f"n must be >= 1, got {n}")
    if not 0 <= c <= n:
        raise ValueError(f"c must be in [0, {n}], got {c}")
    _check_k(k)
    if k > n:
        raise ValueError(f"k={k} exceeds the {n} recorded trials; to extrapolate would be a guess")


def _check_k(k: int) -> None:
    if isinstance(k, bool) or not isinstance(k, int) or k < 1:
        raise ValueError(f"k must be >= 1, got {k}")
