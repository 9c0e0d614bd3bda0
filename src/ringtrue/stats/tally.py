"""`Tally`: scores, counted in constant memory; it takes scores in, merges with others, and gives summaries.

Every mean with an interval that ringtrue shows is made by `Numbers.summary`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import ceil, floor, fsum, inf, sqrt

from ringtrue.records import EvaluatorInfo, Score, Summary
from ringtrue.stats.intervals import mean_interval, student_reach, wilson

Interval = tuple[float, float]

_POINT = 1e-9
"""A shorter interval is one of sources that cancel out to the last digit, and shows nothing."""


@dataclass(slots=True)
class Numbers:
    """The sums of one column of numbers.

    `clusters` holds the count and the sum of each source: values of one source are one piece of evidence. A value
    without a source is a source of its own, and `lone_squares` has its square.
    """

    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    ones: int = 0
    zeros: int = 0
    low: float = inf
    high: float = -inf
    lone_squares: float = 0.0
    clusters: dict[Hashable, tuple[int, float]] = field(default_factory=dict)

    def add(self, values: Sequence[float], sources: Sequence[Hashable] | None = None) -> None:
        """Take values in; sums inside one call are exact. A source that is None is one that nothing else shares."""
        if not values:
            return
        self.n += len(values)
        self.ones += values.count(1.0)
        self.zeros += values.count(0.0)
        self.total += fsum(values)
        squares = fsum([value * value for value in values])
        self.squares += squares
        self.low = min(self.low, min(values))
        self.high = max(self.high, max(values))
        if sources is None:
            self.lone_squares += squares
            return
        for source, value in zip(sources, values, strict=True):
            if source is None:
                self.lone_squares += value * value
            else:
                count, total = self.clusters.get(source, (0, 0.0))
                self.clusters[source] = count + 1, total + value

    def add_often(self, value: float, times: int) -> None:
        """Take one value in `times` times, each from a source of its own."""
        if not times:
            return
        self.n += times
        self.ones += times * (value == 1.0)
        self.zeros += times * (value == 0.0)
        self.total += times * value
        self.squares += times * value * value
        self.lone_squares += times * value * value
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    def merge(self, other: Numbers) -> None:
        """Take other sums in."""
        self.n += other.n
        self.ones += other.ones
        self.zeros += other.zeros
        self.total += other.total
        self.squares += other.squares
        self.lone_squares += other.lone_squares
        self.low = min(self.low, other.low)
        self.high = max(self.high, other.high)
        for source, (count, total) in other.clusters.items():
            before = self.clusters.get(source, (0, 0.0))
            self.clusters[source] = before[0] + count, before[1] + total

    def __add__(self, other: Numbers) -> Numbers:
        found = Numbers()
        found.merge(self)
        found.merge(other)
        return found

    @property
    def binary(self) -> bool:
        """Whether every value so far is 0 or 1."""
        return self.ones + self.zeros == self.n

    @property
    def independent(self) -> bool:
        """Whether no two values share a source."""
        return all(count == 1 for count, _ in self.clusters.values())

    @property
    def sources(self) -> int:
        """The number of pieces of evidence."""
        return len(self.clusters) + self.n - sum(count for count, _ in self.clusters.values())

    def interval(self, level: float = 0.95) -> tuple[Interval | None, str]:
        """An interval of the mean and its method.

        Wilson's for zeros and ones, and for values in [0, 1] that do not spread: equal values prove nothing, and those
        of one source are one of them. Otherwise Student's, over sources where values share one, kept inside the range
        of the values and of [0, 1].
        """
        if self.n == 0:
            return None, ""
        alike = self.low == self.high and 0 <= self.low <= 1
        if alike or (self.independent and self.binary):
            n = self.sources
            total = self.low * n if alike else self.total
            return (wilson(floor(total), n, level)[0], wilson(ceil(total), n, level)[1]), "wilson"
        found = self._student(level) if self.independent else self._clustered_interval(level)
        if found is None:
            return None, ""
        kept = max(min(0.0, self.low), found[0]), min(max(1.0, self.high), found[1])
        return kept, "t" if self.independent else "clustered t"

    def summary(self, *, skipped: int = 0, errors: int = 0, counts: bool = False) -> Summary:
        """The mean with everything needed to doubt it; the mean of numbers that `counts` something is not a share."""
        interval, method = self.interval()
        whole = self.n + errors
        return Summary(
            value=self.total / self.n if self.n else None,
            n=self.n,
            skipped=skipped,
            errors=errors,
            interval=interval,
            method=method,
            bounds=(self.total / whole, (self.total + errors) / whole) if whole else None,
            unit="share" if self.binary and self.n and not counts else "score",
        )

    def share(self, threshold: float | None, *, skipped: int = 0, errors: int = 0) -> Summary:
        """The share of ones among verdicts at a threshold; None where there are several."""
        mean = self.summary(skipped=skipped, errors=errors)
        return replace(mean, passed=self.ones, failed=self.zeros, threshold=threshold, unit="share")

    def _student(self, level: float) -> Interval | None:
        mean = self.total / self.n
        variance = max(0.0, self.squares - self.n * mean * mean) / max(1, self.n - 1)
        return mean_interval(mean, variance, self.n, level)

    def _clustered_interval(self, level: float) -> Interval | None:
        groups, mean = self.sources, self.total / self.n
        if groups < 2:
            return None
        spread = fsum((total - count * mean) ** 2 for count, total in self.clusters.values())
        if lone := groups - len(self.clusters):
            rest = self.total - fsum(total for _, total in self.clusters.values())
            spread += max(0.0, self.lone_squares - 2 * mean * rest + lone * mean * mean)
        reach = student_reach(groups - 1, level) * sqrt(spread * groups / (groups - 1)) / self.n
        return (mean - reach, mean + reach) if reach >= _POINT else None


@dataclass(slots=True)
class Tally:
    """The results of one evaluator over many trials; `why_skipped` is the reason of the first skip."""

    evaluator: EvaluatorInfo
    verdicts: Numbers = field(default_factory=Numbers)
    """A 1 for each score that passed and a 0 for each that failed."""
    skipped: int = 0
    errors: int = 0
    parts: dict[str, Numbers] = field(default_factory=dict)
    why_skipped: str = ""
    caveats: Counter[str] = field(default_factory=Counter)

    def add(self, scores: Iterable[Score], sources: Sequence[Hashable] | None = None) -> None:
        """Count scores; `sources` says what each comes from, where some come from the same."""
        column = list(scores)
        if sources is not None and any(source is not None for source in sources):
            self._add_apart(column, sources)
            return
        passed = failed = 0
        times = Counter(map(id, column))  # checks share equal scores: each is looked at once
        whole = dict(zip(map(id, column), column, strict=True))
        values: dict[str, list[float]] = {}
        for key, score in whole.items():
            if not self._count(score, times[key]):
                continue
            passed += times[key] * (score.passed is True)
            failed += times[key] * (score.passed is False)
            for name, value in (score.parts or {"": score.value or 0.0}).items():
                if times[key] > 1:
                    self.parts.setdefault(name, Numbers()).add_often(value, times[key])
                else:
                    values.setdefault(name, []).append(value)
        for name, numbers in values.items():
            self.parts.setdefault(name, Numbers()).add(numbers)
        self.verdicts.add_often(1.0, passed)
        self.verdicts.add_often(0.0, failed)

    def _add_apart(self, column: Sequence[Score], sources: Sequence[Hashable]) -> None:
        for score, source in zip(column, sources, strict=True):
            if self._count(score, 1):
                if score.passed is not None:
                    self.verdicts.add([float(score.passed)], [source])
                for name, value in (score.parts or {"": score.value or 0.0}).items():
                    self.parts.setdefault(name, Numbers()).add([value], [source])

    def _count(self, score: Score, times: int) -> bool:
        """Count how a score ended; whether it has numbers."""
        if score.value is None:
            if score.status == "error":
                self.errors += times
            else:
                self.skipped += times
                self.why_skipped = self.why_skipped or score.reason
            return False
        if caveat := score.caveat:
            self.caveats[caveat] += times
        return True

    def merge(self, other: Tally) -> None:
        """Take another tally's counts in."""
        self.verdicts.merge(other.verdicts)
        self.skipped += other.skipped
        self.errors += other.errors
        self.why_skipped = self.why_skipped or other.why_skipped
        self.caveats.update(other.caveats)
        for name, numbers in other.parts.items():
            self.parts.setdefault(name, Numbers()).merge(numbers)

    def summaries(self, keys: Mapping[str, str]) -> dict[str, Summary]:
        """A summary for each part under its key; parts that nothing measured are there too, without a number."""
        main = self.evaluator.main if self.evaluator.main in keys else next(iter(keys))
        return {key: self._summary(part, is_main=part == main) for part, key in keys.items()}

    def _summary(self, part: str, *, is_main: bool) -> Summary:
        numbers, alone = self.parts.get(part) or Numbers(), self.parts.get("") or Numbers()
        if is_main:
            numbers = numbers + alone
        counts = part in self.evaluator.counts
        # A user's dict names its parts; a broken output has a value alone, and nothing to show in the other parts.
        skipped = self.skipped + (0 if is_main else alone.n)
        summary = numbers.summary(skipped=skipped, errors=self.errors, counts=counts)
        if self.caveats:
            summary = replace(summary, caveats=dict(self.caveats))
        if not is_main or counts or not self.verdicts.n:
            return summary
        passed, failed = self.verdicts.ones, self.verdicts.zeros
        return replace(summary, passed=passed, failed=failed, threshold=self.evaluator.threshold)

    def pass_share(self) -> Summary:
        """The share of the scores with a verdict that passed."""
        return self.verdicts.share(self.evaluator.threshold, skipped=self.skipped, errors=self.errors)
