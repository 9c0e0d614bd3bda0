"""The area under the ROC curve: how well scores put right above wrong, whatever the threshold."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp, log, sqrt
from statistics import fmean, variance

from ringtrue.records import Summary
from ringtrue.stats.correlation import midranks

_REACH = 1.959963984540054


def auc_summary(values: Sequence[float], labels: Sequence[bool]) -> Summary:
    """The area under the ROC curve with DeLong's 95% interval, on the logit scale so that it stays within 0 and 1.

    The area is the share of pairs of a right and a wrong row in which the right one has the higher value; ties are
    halves, and 0.5 is what chance gives. There is none without a row of either kind.

    Where every pair agrees the variance is 0 and says nothing: then the interval is that of a curve that misses half a
    row of the smaller kind.
    """
    right = [value for value, label in zip(values, labels, strict=True) if label]
    wrong = [value for value, label in zip(values, labels, strict=True) if not label]
    n = len(values)
    if not right or not wrong:
        return Summary(None, n)
    ranks = midranks([*right, *wrong])
    own_right, own_wrong = midranks(right), midranks(wrong)
    above = [(rank - own) / len(wrong) for rank, own in zip(ranks, own_right, strict=False)]
    below = [1 - (rank - own) / len(right) for rank, own in zip(ranks[len(right) :], own_wrong, strict=True)]
    value = fmean(above)
    if len(right) < 2 or len(wrong) < 2:
        return Summary(value, n)
    spread = variance(above) / len(right) + variance(below) / len(wrong)
    # The exact ends have no logit and no variance.
    edge = 0.5 / min(len(right), len(wrong))
    inside = min(max(value, edge / 2), 1 - edge / 2)
    error = max(sqrt(spread), 0.0 if edge / 2 < value < 1 - edge / 2 else edge / 2) / (inside * (1 - inside))
    middle = log(inside / (1 - inside))
    low, high = (1 / (1 + exp(-bound)) for bound in (middle - _REACH * error, middle + _REACH * error))
    return Summary(value, n=n, interval=(min(low, value), max(high, value)), method="delong")
