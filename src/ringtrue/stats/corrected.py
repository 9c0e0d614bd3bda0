"""`CorrectedMean`: a judge's mean, corrected by labels of a random subset (prediction-powered inference, PPI++)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import fsum, sqrt
from statistics import fmean, variance

from ringtrue.errors import ConfigurationError
from ringtrue.records import Summary
from ringtrue.stats.intervals import student_reach
from ringtrue.stats.tally import Numbers

LEAST_LABELS = 20
"""Fewer labels correct nothing: their interval would hold, but say little."""
_STILL = 1e-12
"""What varies less says the same of everything."""
_MOMENTS = ((0, 0), (1, 1), (0, 1))
_Deviations = Sequence[tuple[float, float, int]]
"""How far a label and a score lie from their means, and how often."""


@dataclass(frozen=True, slots=True)
class CorrectedMean:
    """The mean label of all rows, estimated three ways.

    `raw` is the judge's mean over all rows and may be biased. `labelled` is the mean of the labels alone. `estimate` is
    the labels' mean moved by what the judge says of the other rows; `weight` says how far it counts, 0 being not at
    all; `worth` is how many labels alone would give an estimate as sure.
    """

    estimate: Summary
    raw: Summary
    labelled: Summary
    weight: float
    worth: float


@dataclass(frozen=True, slots=True)
class Estimate:
    """A mean, the weight of the judge in it, and how its variance hangs on it.

    `variance` is that of the mean. Were the true mean another, a row would vary by another amount: with labels of 0 or
    1, by mean * (1 - mean). So it changes by `slope` a step of the mean, less `share` times the square of the step, and
    in either direction it grows by `lean`.
    """

    value: float
    weight: float
    labelled: int
    variance: float
    share: float
    slope: float
    lean: float

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        """Every mean that lies no further from the estimate than Student allows, given the variance it would have.

        This is a score interval: where labels are 0 or 1 and the judge has no weight, it is close to Wilson's.
        """
        square = student_reach(self.labelled - (2 if self.weight else 1), level) ** 2
        step = square / self.labelled

        def reach(slope: float) -> float:
            half, shrunk = step * slope / 2, 1 + step * self.share
            root = sqrt(half**2 + shrunk * square * self.variance)
            # Of the two forms of a quadratic's root, the one that does not subtract what is nearly equal.
            return (half + root) / shrunk if half >= 0 else square * self.variance / (root - half)

        low, high = self.value - reach(self.lean - self.slope), self.value + reach(self.lean + self.slope)
        return max(0.0, low), min(1.0, high)


def estimate_mean(labelled: Mapping[tuple[float, float], int], others: Mapping[float, int]) -> Estimate:
    """The mean label, from counts of labels with scores, and of the scores of other rows.

    The weight is that of PPI++, the one of least variance, but one error of the judge more than was seen is counted in,
    in the variance and on the side that is asked about: a judge that was right on few rows need not be right on all.
    The slope is the mean of two: that of the rows as they are, which is their third moment over their second and
    uncertain, and that of as many rows of 0 or 1 as would vary as much.
    """
    n, further = sum(labelled.values()), sum(others.values())
    label_mean, score_mean = (fsum(pair[side] * count for pair, count in labelled.items()) / n for side in (0, 1))
    rows = [(label - label_mean, score - score_mean, count) for (label, score), count in labelled.items()]
    labels, scores, both = (fsum(row[a] * row[b] * row[2] for row in rows) / (n - 1) for a, b in _MOMENTS)
    weight = explained = unseen = moved = elsewhere = 0.0
    if further and min(labels, scores, abs(both)) > _STILL:
        error = _error(rows, both / scores, min(1.0, labels / (label_mean * (1 - label_mean))))
        weight = both / scores / (1 + n / further + error / (n * labels))
        explained = weight**2 * scores / labels
        unseen = error * explained
        mean = fsum(score * count for score, count in others.items()) / further
        spread = fsum((score - mean) ** 2 * count for score, count in others.items()) / max(1, further - 1)
        moved, elsewhere = weight * (mean - score_mean), weight**2 * spread * n / further
    value = max(0.0, min(1.0, label_mean + moved))
    # The unseen error is one row more, as far as the judge is heeded.
    rest = _left(rows, weight, 2) / (n - 2 if weight else n - 1)
    row = (rest + unseen / n) * (n / (n + explained)) ** 2 + elsewhere
    binary = value * (1 - value)
    if row <= _STILL:  # labels that are all the same are no more than n labels
        return Estimate(value, weight, n, binary / n, 1.0, 1 - 2 * value, 0.0)
    share = min(1.0, row / binary) if binary else 1.0
    slope = (_left(rows, weight, 3) / n / row + share * (1 - 2 * value)) / 2
    return Estimate(value, weight, n, row / n, share, slope, unseen**1.5 / (2 * n * row))


def _left(rows: _Deviations, weight: float, power: int) -> float:
    """The sum of the powers of what a judge of this weight leaves of the labels."""
    return fsum((label - weight * score) ** power * count for label, score, count in rows)


def _error(rows: _Deviations, weight: float, full: float) -> float:
    """The squared size of an error that was not seen: that of those seen, counted by their squares, and of a full one.

    A full one is as large as labels differ; where they are 0 or 1 its square is 1. So few large errors, or none, let
    expect a large one, and many small ones a small one.
    """
    return (_left(rows, weight, 4) + full**2) / (_left(rows, weight, 2) + full)


def corrected_mean(
    labels: Sequence[float], judged: Sequence[float], others: Sequence[float], level: float = 0.95
) -> CorrectedMean | None:
    """The mean label over all rows, from labels of some, the judge's scores of the same, and its scores of the others.

    The labelled rows must be a random sample of all. A useless judge gets the weight 0. With few labels the interval
    holds more often than it says, and less often only where a judge's errors are rare, on one side and far larger than
    the labels differ. It is one for the source that all rows were drawn from; the mean of just these rows lies in it
    more often still. All numbers lie in [0, 1]. None with fewer than twenty labels.
    """
    _require(labels, judged, others)
    n = len(labels)
    if n < LEAST_LABELS:
        return None
    found = estimate_mean(Counter(zip(labels, judged, strict=True)), Counter(others))
    # Asymptotically the tuned estimate is never worse than the labels alone, nor better than labels everywhere.
    gained = variance(labels) / found.variance if found.weight else n
    worth = min(float(n + len(others)), max(float(n), gained))
    estimate = Summary(found.value, n=n + len(others), interval=found.interval(level), method="ppi++")
    return CorrectedMean(estimate, _summary([*judged, *others]), _summary(labels), found.weight, worth)


def _summary(values: Sequence[float]) -> Summary:
    numbers = Numbers()
    numbers.add(list(values))
    interval, method = numbers.interval()
    return Summary(fmean(values), n=len(values), interval=interval, method=method)


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
