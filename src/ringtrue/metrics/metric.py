"""`Metric`: what turns rows into numbers, and how one column of numbers becomes a summary."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import replace
from math import fsum
from typing import Protocol, runtime_checkable

from ringtrue.records import EvalRow, Summary, Unit
from ringtrue.stats.intervals import ratio_interval
from ringtrue.stats.tally import Numbers

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


def rows_with_keys(rows: Sequence[EvalRow], field: str) -> list[tuple[EvalRow, str]]:
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
    numbers = Numbers()
    values, sources = [], []
    pairs = rows_with_keys(rows, field)
    for row, key in pairs:
        value = row.scores.get(key)
        if value is not None:
            values.append(value if threshold is None else float(value >= threshold))
            sources.append(_cluster(row))
    numbers.add(values, sources)
    absent = [row.absent.get(key) for row, key in pairs if key not in row.scores]
    errors = absent.count("error")
    summary = numbers.summary(skipped=len(absent) - errors, errors=errors, counts=counts)
    return summary if threshold is None else replace(summary, threshold=threshold, unit="share")


def summary_of_ratio(
    rows: Sequence[EvalRow],
    parts: Callable[[EvalRow], tuple[float, float] | None],
    *,
    unit: Unit,
    least: float = 0.0,
) -> Summary:
    """One sum over another, over the rows that have parts of both; rows of one source count as a cluster.

    A mean is a sum over a sum of ones. No ratio is below `least`, and neither is its interval.
    """
    clusters: dict[Hashable, list[tuple[float, float]]] = {}
    for row in rows:
        pair = parts(row)
        if pair is not None:
            clusters.setdefault(_cluster(row), []).append(pair)
    pairs = [pair for cluster in clusters.values() for pair in cluster]
    errors = sum(row.status != "ok" for row in rows if parts(row) is None)
    under = fsum(pair[1] for pair in pairs)
    found = ratio_interval(list(clusters.values()))
    return Summary(
        value=fsum(pair[0] for pair in pairs) / under if under else None,
        n=len(pairs),
        skipped=len(rows) - len(pairs) - errors,
        errors=errors,
        interval=(max(least, found[0]), found[1]) if found else None,
        method=("t" if len(clusters) == len(pairs) else "clustered t") if found else "",
        unit=unit,
    )


def from_one_source_each(rows: Sequence[EvalRow]) -> bool:
    """Whether no two rows share a source or a case."""
    return len(set(map(_cluster, rows))) == len(rows)


def _cluster(row: EvalRow) -> Hashable:
    source = row.metadata.get("source_id")
    if source is None:
        return "case", row.dataset, row.position, type(row.example_id), row.example_id
    return "source", source if isinstance(source, (str, int)) else repr(source)  # a row may hold anything there
