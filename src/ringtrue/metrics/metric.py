"""`Metric`: what turns rows into numbers, and how one column of numbers becomes a summary."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import fsum
from typing import Protocol, runtime_checkable

from ringtrue.records import EvalRow, Summary
from ringtrue.stats.intervals import clustered_interval, ratio_interval, wilson
from ringtrue.stats.tally import verdicts

SCORE = "score"


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


def keyed(rows: Sequence[EvalRow], field: str) -> list[tuple[EvalRow, str]]:
    """Each row with the key of the score that a field means in it.

    The documented default, `score`, is a score of that name where an evaluator gives one, else the score that means
    quality on the row's own benchmark.
    """
    meant = field == SCORE and not any(SCORE in row.scores or SCORE in row.absent for row in rows)
    return [(row, row.main or field if meant else field) for row in rows]


def summary_of_scores(
    rows: Sequence[EvalRow], field: str, *, threshold: float | None = None, counts: bool = False
) -> Summary:
    """The mean of one score over rows, or the share that reaches a threshold; rows of one source count as a cluster.

    A score that `counts` something has no verdicts.
    """
    clusters: dict[object, list[float]] = {}
    pairs = keyed(rows, field)
    for row, key in pairs:
        value = row.scores.get(key)
        if value is not None:
            clusters.setdefault(_cluster(row), []).append(value if threshold is None else float(value >= threshold))
    values = [value for cluster in clusters.values() for value in cluster]
    absent = [row.absent.get(key) for row, key in pairs if key not in row.scores]
    errors = absent.count("error")
    return _summary(values, list(clusters.values()), skipped=len(absent) - errors, errors=errors, counts=counts)


def summary_of_ratio(
    rows: Sequence[EvalRow], parts: Callable[[EvalRow], tuple[float, float] | None], *, least: float = 0.0
) -> Summary:
    """One sum over another, over the rows that have parts of both; rows of one source count as a cluster.

    A mean is a sum over a sum of ones. No ratio is below `least`, and neither is its interval.
    """
    clusters: dict[object, list[tuple[float, float]]] = {}
    for row in rows:
        pair = parts(row)
        if pair is not None:
            clusters.setdefault(_cluster(row), []).append(pair)
    pairs = [pair for cluster in clusters.values() for pair in cluster]
    errors = sum(row.status != "ok" for row in rows if parts(row) is None)
    under = fsum(pair[1] for pair in pairs)
    found = ratio_interval(list(clusters.values()))
    return Summary(
        fsum(pair[0] for pair in pairs) / under if under else None,
        len(pairs),
        len(rows) - len(pairs) - errors,
        errors,
        (max(least, found[0]), found[1]) if found else None,
        ("t" if len(clusters) == len(pairs) else "clustered t") if found else "",
    )


def from_one_source_each(rows: Sequence[EvalRow]) -> bool:
    """Whether no two rows share a source or a case."""
    return len(set(map(_cluster, rows))) == len(rows)


def _cluster(row: EvalRow) -> object:
    source = row.metadata.get("source_id")
    if source is None:
        return "case", row.dataset, type(row.example_id), row.example_id
    return "source", source if isinstance(source, (str, int)) else repr(source)  # a row may hold anything there


def _summary(values: list[float], clusters: list[list[float]], *, skipped: int, errors: int, counts: bool) -> Summary:
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
    passed, failed = verdicts(ones, zeros, n, counts=counts)
    return Summary(value, n, skipped, errors, interval, method, passed, failed, bounds)
