"""`Metric`: what turns rows into numbers, and how one column of numbers becomes a summary."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass, field
from math import inf
from typing import Any, Protocol, runtime_checkable

from ringtrue.records import EvalRow, Summary, Unit
from ringtrue.stats.ratio_sums import RatioSums
from ringtrue.stats.summarise import lone_as_none
from ringtrue.stats.tally import Numbers

SCORE = "score"


@runtime_checkable
class Metric(Protocol):
    """Anything with a `name` that computes named numbers from rows."""

    @property
    def name(self) -> str: ...

    def compute(self, rows: list[EvalRow]) -> dict[str, float]: ...


@runtime_checkable
class SummarisingMetric(Protocol):
    """A metric that can say how sure its numbers are."""

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]: ...


class Sums(Protocol):
    """The running sums of a metric; they take rows part by part, and merge with those of other rows."""

    def add(self, rows: Sequence[EvalRow]) -> None: ...

    def merge(self, other: Any) -> None: ...

    def summaries(self) -> Mapping[str, Summary]: ...


class ComputedMetric:
    """Gives a metric that can say how sure it is the method `compute`; it defines `sums` or `summarise`."""

    def sums(self) -> Sums:
        """Return the sums to keep until the numbers are wanted: all rows, unless a metric needs less."""
        return HeldRows(self)

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """Each number with its n, what is missing, and its interval."""
        sums = self.sums()
        sums.add(rows)
        return sums.summaries()

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float | None]:
        """The numbers alone; None where there is nothing to compute from."""
        return {key: summary.value for key, summary in self.summarise(rows).items()}


@dataclass
class HeldRows:
    """The sums of a metric that needs all rows at once."""

    metric: ComputedMetric
    rows: list[EvalRow] = field(default_factory=list)

    def add(self, rows: Sequence[EvalRow]) -> None:
        """Hold rows."""
        self.rows += rows

    def merge(self, other: HeldRows) -> None:
        """Take another's rows in."""
        self.rows += other.rows

    def summaries(self) -> Mapping[str, Summary]:
        """Return the metric's numbers over all rows."""
        return self.metric.summarise(self.rows)


@dataclass
class ScoreSums:
    """The mean of one score over rows, or the share that reaches a threshold; rows of one source count as a cluster.

    The mean of a score that `counts` something is not a share.
    """

    key: str
    score_field: str
    threshold: float | None = None
    counts: bool = False
    numbers: Numbers = field(default_factory=Numbers)
    skipped: int = 0
    errors: int = 0

    def add(self, rows: Sequence[EvalRow]) -> None:
        """Take rows in."""
        values, sources = [], []
        for (row, key), source in zip(rows_with_keys(rows, self.score_field), sources_of(rows), strict=True):
            value = row.scores.get(key)
            if value is not None:
                values.append(value if self.threshold is None else float(value >= self.threshold))
                sources.append(source)
            else:
                self.errors += row.absent.get(key) == "error"
                self.skipped += row.absent.get(key) != "error"
        self.numbers.add(values, sources)

    def merge(self, other: ScoreSums) -> None:
        """Take another's sums in."""
        self.numbers.merge(other.numbers)
        self.skipped += other.skipped
        self.errors += other.errors

    def summaries(self) -> Mapping[str, Summary]:
        """The mean or the share, under its key."""
        if self.threshold is not None:
            return {self.key: self.numbers.share(self.threshold, skipped=self.skipped, errors=self.errors)}
        return {self.key: self.numbers.summary(skipped=self.skipped, errors=self.errors, counts=self.counts)}


@dataclass
class RatioRows:
    """One sum over another, over the rows that have parts of both; rows of one source count as a cluster.

    A mean is a sum over a sum of ones. No ratio is below `least`, no share above 1, and neither is its interval.
    """

    key: str
    unit: Unit
    parts: Callable[[EvalRow], tuple[float, float] | None]
    least: float = 0.0
    rows: int = 0
    errors: int = 0
    sums: RatioSums = field(default_factory=RatioSums)

    def add(self, rows: Sequence[EvalRow]) -> None:
        """Take rows in."""
        pairs = [self.parts(row) for row in rows]
        self.rows += len(rows)
        self.errors += sum(row.status != "ok" for row, pair in zip(rows, pairs, strict=True) if pair is None)
        found = zip(sources_of(rows), pairs, strict=True)
        self.sums.add((source, pair) for source, pair in found if pair is not None)

    def merge(self, other: RatioRows) -> None:
        """Take another's sums in."""
        self.sums.merge(other.sums)
        self.rows += other.rows
        self.errors += other.errors

    def summary(self) -> Summary:
        """The ratio with its interval."""
        found = self.sums.interval()
        most = 1.0 if self.unit == "share" else inf
        return Summary(
            value=self.sums.value,
            n=self.sums.n,
            skipped=self.rows - self.sums.n - self.errors,
            errors=self.errors,
            interval=(max(self.least, found[0]), min(most, found[1])) if found else None,
            method=("t" if self.sums.independent else "clustered t") if found else "",
            unit=self.unit,
        )

    def summaries(self) -> Mapping[str, Summary]:
        """The ratio under its key."""
        return {self.key: self.summary()}


def rows_with_keys(rows: Sequence[EvalRow], field: str) -> list[tuple[EvalRow, str]]:
    """Each row with the key of the score that a field means in it.

    The default, `score`, is a score of that name where an evaluator gives one, else the score that means
    quality on the row's own benchmark.
    """
    meant = field == SCORE and not any(SCORE in row.scores or SCORE in row.absent for row in rows)
    return [(row, row.main or field if meant else field) for row in rows]


def summary_of_scores(rows: Sequence[EvalRow], field: str, *, counts: bool = False) -> Summary:
    """The mean of one score over rows; see `ScoreSums`."""
    sums = ScoreSums(field, field, counts=counts)
    sums.add(rows)
    return sums.summaries()[field]


def summary_of_ratio(
    rows: Sequence[EvalRow],
    parts: Callable[[EvalRow], tuple[float, float] | None],
    *,
    unit: Unit,
) -> Summary:
    """One sum over another, over the rows that have parts of both; see `RatioRows`."""
    sums = RatioRows("", unit, parts)
    sums.add(rows)
    return sums.summary()


def sources_of(rows: Sequence[EvalRow]) -> list[Hashable]:
    """Return the source of each row; None for a row that shares it with no other."""
    return lone_as_none(rows, [row.metadata.get("source_id") for row in rows], _cluster)


def _cluster(row: EvalRow) -> tuple[Any, ...]:
    source = row.metadata.get("source_id")
    if source is None:
        return "case", row.dataset, row.position, type(row.example_id), row.example_id
    return "source", source if isinstance(source, (str, int)) else repr(source)  # a row may hold anything there
