"""`Corrected`: a judge's mean, corrected by labels of a random subset (prediction-powered inference, PPI++)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum
from statistics import fmean

from ringtrue.errors import ConfigurationError
from ringtrue.metrics.stats import clopper_pearson
from ringtrue.metrics.tally import Numbers
from ringtrue.records import Summary

LEAST_LABELS = 20
"""Fewer labels correct nothing: with ten the interval is too short for some judges."""
_STILL = 1e-12
"""A judge whose scores vary less says the same of everything."""


@dataclass(frozen=True, slots=True)
class Corrected:
    """The mean label of all rows, estimated three ways.

    `raw` is the judge's mean over all rows and may be biased. `labelled` is the mean of the labels alone. `estimate` is
    the labels' mean moved by what the judge says of the other rows; `weight` tells how far it is heeded, 0 being not at
    all; `worth` is how many labels alone would give an estimate as sure.
    """

    estimate: Summary
    raw: Summary
    labelled: Summary
    weight: float
    worth: float


@dataclass(frozen=True, slots=True)
class Moments:
    """All that an estimate is made of: counts, means, sample variances, and how labels and scores vary together."""

    labelled: int
    others: int
    label_mean: float
    judged_mean: float
    others_mean: float
    label_variance: float
    judged_variance: float
    others_variance: float
    covariance: float

    @classmethod
    def of(cls, labels: Sequence[float], judged: Sequence[float], others: Sequence[float]) -> Moments:
        """Those of labels, of the judge's scores of the same rows, and of its scores of the others."""
        return cls(
            len(labels),
            len(others),
            fmean(labels),
            fmean(judged),
            fmean(others) if others else 0.0,
            _covariance(labels, labels),
            _covariance(judged, judged),
            _covariance(others, others),
            _covariance(labels, judged),
        )


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, the weight of the judge in it, its variance, and how many rows of 0 or 1 would leave it as open."""

    value: float
    weight: float
    variance: float
    effective: float


def estimated(known: Moments) -> Estimate:
    """The labels' mean, moved by the weight that leaves the least variance.

    The weight is that of PPI++, but one error more than was seen is assumed: a judge that was right on few rows need
    not be right on all. The effective count takes the smaller spread of the two means, since either may be off.
    """
    n, further = known.labelled, known.others
    unseen = 1 / (n + 2)
    still = not further or known.judged_variance <= _STILL
    weight = 0.0 if still else known.covariance / ((1 + n / further) * known.judged_variance + unseen)
    moved = weight * (known.others_mean - known.judged_mean) if weight else 0.0
    value = max(0.0, min(1.0, known.label_mean + moved))
    rest = known.label_variance - 2 * weight * known.covariance + weight**2 * known.judged_variance
    left = max(0.0, rest) * (n - 1) / (n - 2 if weight else n - 1) + weight**2 * unseen
    variance = left / n + (weight**2 * known.others_variance / further if further else 0.0)
    spread = min(mean * (1 - mean) for mean in (value, known.label_mean))
    # Labels that are all the same have no variance, but they are no more than n labels.
    effective = spread / variance if variance > 0 and spread > 0 else float(n)
    return Estimate(value, weight, variance, effective)


def corrected_mean(
    labels: Sequence[float], judged: Sequence[float], others: Sequence[float], level: float = 0.95
) -> Corrected | None:
    """The mean label over all rows, from labels of some, the judge's scores of the same, and its scores of the others.

    The labelled rows must be a random sample of all. Then the interval holds whatever the judge is like: a useless one
    gets the weight 0. It is the exact binomial interval of so many rows as would be as sure (after Korn and Graubard).
    All numbers lie in [0, 1]. None with fewer than twenty labels.
    """
    _require(labels, judged, others)
    n = len(labels)
    if n < LEAST_LABELS:
        return None
    known = Moments.of(labels, judged, others)
    found = estimated(known)
    # Asymptotically the tuned estimate is never worse than the labels alone, nor better than labels everywhere.
    gained = known.label_variance / found.variance if found.weight and found.variance > 0 else n
    worth = min(float(n + len(others)), max(float(n), gained))
    interval = clopper_pearson(found.value * found.effective, found.effective, level)
    estimate = Summary(found.value, n + len(others), 0, 0, interval, "ppi++")
    return Corrected(estimate, _summary([*judged, *others]), _summary(labels), found.weight, worth)


def _summary(values: Sequence[float]) -> Summary:
    numbers = Numbers()
    numbers.add(list(values))
    interval, method = numbers.interval()
    return Summary(fmean(values), len(values), 0, 0, interval, method)


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
