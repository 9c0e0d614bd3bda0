"""An interval of a share that holds at every moment of a run, however often it is looked at."""

from __future__ import annotations

from dataclasses import replace
from math import lgamma, log

from ringtrue.records import Summary
from ringtrue.stats.intervals import find_edge


def share_so_far(share: Summary, repeats: int = 1) -> Summary:
    """The share of rows that passed, with the interval that holds whenever a reader looks."""
    if not share.passed and not share.failed:
        return share
    interval = anytime_interval(share.passed or 0, share.n, repeats=repeats)
    return replace(share, interval=interval, method="holds at any time")


def anytime_interval(passed: int, rows: int, level: float = 0.95, *, repeats: int = 1) -> tuple[float, float]:
    """The shares that a uniform mixture of bets on the verdicts so far has not refuted (Robbins 1970; Ville 1939).

    All intervals of one run hold the true share together with the probability `level`, so a reader may stop whenever
    it suits. It is wider than Wilson's, which holds at one moment that was chosen beforehand. Where a case has
    `repeats`, they count as one verdict: they may all be the same.
    """
    if rows == 0:
        return 0.0, 1.0
    successes, n = passed / repeats, rows / repeats
    failures = n - successes
    bound = -log(1 - level)
    mixture = lgamma(successes + 1) + lgamma(failures + 1) - lgamma(n + 2)

    def is_refuted(share: float) -> bool:
        likelihood = (successes * log(share) if successes else 0.0) + (failures * log(1 - share) if failures else 0.0)
        return mixture - likelihood >= bound

    share = successes / n
    low = find_edge(is_refuted, 0.0, share) if successes else 0.0
    high = find_edge(lambda one: not is_refuted(one), share, 1.0) if failures else 1.0
    return low, high
