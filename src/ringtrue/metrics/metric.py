"""`Metric`: what turns rows into numbers, and how one column of numbers becomes a summary."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Protocol, runtime_checkable

from ringtrue.metrics.stats import clustered_interval, wilson
from ringtrue.records import EvalRow, Summary


@runtime_checkable
class Metric(Protocol):
    """Anything with a `name` that computes named numbers from rows."""

    @property
    def name(self) -> str: ...

    def compute(self, rows: list[EvalRow]) -> dict[str, float]: ...


@runtime_checkable
class Summarising(Protocol):
    """A metric that can say how sure its numbers are."""

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]: ...


class Computed:
    """Gives a summarising metric the documented `compute`."""

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """Each number with its n, what is missing, and its interval."""
        raise TypeError(f"{type(self).__name__} defines summarise(rows)")

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float | None]:
        """The numbers alone; None where there is nothing to compute from."""
        return {key: summary.value for key, summary in self.summarise(rows).items()}


def summary_of_scores(rows: Sequence[EvalRow], key: str, *, threshold: float | None = None) -> Summary:
    """The mean of one score over rows, or the share that reaches a threshold; rows of one source count as a cluster."""
    clusters: dict[object, list[float]] = {}
    for row in rows:
        value = row.scores.get(key)
        if value is not None:
            clusters.setdefault(_cluster(row), []).append(value if threshold is None else float(value >= threshold))
    values = [value for cluster in clusters.values() for value in cluster]
    absent = [row.absent.get(key) for row in rows if key not in row.scores]
    errors = absent.count("error")
    return _summary(values, list(clusters.values()), skipped=len(absent) - errors, errors=errors)


def _cluster(row: EvalRow) -> object:
    source = row.metadata.get("source_id")
    return ("source", source) if source is not None else ("case", row.dataset, type(row.example_id), row.example_id)


def _summary(values: list[float], clusters: list[list[float]], *, skipped: int, errors: int) -> Summary:
    n = len(values)
    bounds = (fsum(values) / (n + errors), (fsum(values) + errors) / (n + errors)) if n + errors else None
    if not n:
        return Summary(None, 0, skipped, errors, bounds=bounds)
    value = fsum(values) / n
    ones, zeros = values.count(1.0), values.count(0.0)
    binary = ones + zeros == n
    interval: tuple[float, float] | None
    if binary and len(clusters) == n:
        interval, method = wilson(ones, n), "wilson"
    else:
        found = clustered_interval(clusters)
        interval = (max(min(0.0, min(values)), found[0]), min(max(1.0, max(values)), found[1])) if found else None
        method = ("t" if len(clusters) == n else "clustered t") if found else ""
    return Summary(
        value, n, skipped, errors, interval, method, ones if binary else None, zeros if binary else None, bounds
    )
