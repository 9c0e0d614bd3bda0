"""The interval of clustered observations, from its formula: the expected value of the sums in the tests."""

from __future__ import annotations

from collections.abc import Sequence
from math import fsum, sqrt

from ringtrue.stats.intervals import student_reach


def clustered_interval(clusters: Sequence[Sequence[float]]) -> tuple[float, float] | None:
    """The interval of a mean whose observations come in clusters of one source; None with fewer than two clusters."""
    n, groups = sum(map(len, clusters)), len(clusters)
    if groups < 2:
        return None
    mean = fsum(value for cluster in clusters for value in cluster) / n
    spread = fsum(fsum(value - mean for value in cluster) ** 2 for cluster in clusters)
    variance = spread * groups / (groups - 1) / n**2
    reach = student_reach(groups - 1, 0.95) * sqrt(variance)
    return mean - reach, mean + reach
