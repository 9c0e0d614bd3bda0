"""`Corrected`: a judge's mean, corrected by labels of a random subset (prediction-powered inference, PPI++)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean

from ringtrue.errors import ConfigurationError
from ringtrue.metrics.stats import student_quantile, wilson
from ringtrue.metrics.tally import Numbers
from ringtrue.records import Summary

_STILL = 1e-12
"""A judge whose scores vary less says the same of everything."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The mean label of all rows, estimated three ways.

    `raw` is the judge's mean over all rows and may be biased. `labelled` is the mean of the labels alone. `estimate` is
    the labels' mean moved by what the judge says of the other rows; `weight` tells how far it is heeded, 0 being not at
    all; `worth` is how many labels alone would give an interval as short.
    """

    estimate: Summary
    raw: Summary
    labelled: Summary
    weight: float
    worth: float


def corrected_mean(
    labels: Sequence[float], judged: Sequence[float], others: Sequence[float], level: float = 0.95
) -> Corrected | None:
    """The mean label over all rows, from labels of some, the judge's scores of the same, and its scores of the others.

    The labelled rows must be a random sample of all. Then the interval holds whatever the judge is like: a useless one
    gets the weight 0. The weight is that of PPI++ (the one with the shortest interval, estimated from the labels). All
    numbers lie in [0, 1]. None with fewer than three labels.
    """
    _require(labels, judged, others)
    n, further = len(labels), len(others)
    if n < 3:
        return None
    spread = _variance(judged)
    weight = _covariance(labels, judged) / ((1 + n / further) * spread) if further and spread > _STILL else 0.0
    moved = weight * (fmean(others) - fmean(judged)) if weight else 0.0
    value = max(0.0, min(1.0, fmean(labels) + moved))
    rest = [label - weight * score for label, score in zip(labels, judged, strict=True)]
    binary = all(label in (0.0, 1.0) for label in labels)
    doubtful = binary or list(labels) == list(judged)
    left = _variance(rest) * (n - 1) / (n - 2) + (_unseen(n, weight) if doubtful else 0.0)
    variance = left / n + (weight**2 * _variance(others) / further if further > 1 else 0.0)
    alone = _variance(labels) / n
    # Asymptotically the tuned estimate is never worse than the labels alone, nor better than labels everywhere.
    worth = min(n + further, max(n, n * alone / variance)) if weight and variance > 0 else float(n)
    if binary:
        interval = wilson(value * worth, worth, level)  # as sure as that many labels alone
    else:
        reach = student_quantile(0.5 + level / 2, n - 2) * sqrt(variance)
        interval = (max(0.0, value - reach), min(1.0, value + reach))
    estimate = Summary(value, n + further, 0, 0, interval, "ppi++")
    return Corrected(estimate, _summary([*judged, *others]), _summary(labels), weight, worth)


def _unseen(n: int, weight: float) -> float:
    """The variance of one error more than was seen: a judge that was right on few rows need not be right on all."""
    return weight**2 / (n + 2)


def _summary(values: Sequence[float]) -> Summary:
    numbers = Numbers()
    numbers.add(list(values))
    interval, method = numbers.interval()
    return Summary(fmean(values), len(values), 0, 0, interval, method)


def _variance(values: Sequence[float]) -> float:
    return _covariance(values, values)


def _covariance(first: Sequence[float], second: Sequence[float]) -> float:
    if len(first) < 2:
        return 0.0
    here, there = fmean(first), fmean(second)
    return fsum((one - here) * (other - there) for one, other in zip(first, second, strict=True)) / (len(first) - 1)


def _require(labels: Sequence[float], judged: Sequence[float], others: Sequence[float]) -> None:
    if len(labels) != len(judged):
        raise ConfigurationError(
            f"each label needs the judge's score of its row; got {len(labels)} labels and {len(judged)} scores",
            parameter="judged",
        )
    for values in (labels, judged, others):
        wrong = next((value for value in values if not 0 <= value <= 1), None)
        if wrong is not None:
            raise ConfigurationError(f"labels and scores lie in [0, 1]; got {wrong!r}", value=wrong)
