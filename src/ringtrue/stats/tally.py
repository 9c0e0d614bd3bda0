"""Counting scores in constant memory: a tally takes scores in, merges with others, and gives summaries."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from math import fsum

from ringtrue.records import Score, Summary
from ringtrue.stats.intervals import mean_interval, wilson


def verdicts(ones: int, zeros: int, n: int, *, counts: bool) -> tuple[int | None, int | None]:
    """How many passed and failed, where all n values are ones and zeros; None where these count something instead."""
    return (ones, zeros) if ones + zeros == n and not counts else (None, None)


@dataclass(slots=True)
class Numbers:
    """The sums of one part."""

    n: int = 0
    total: float = 0.0
    squares: float = 0.0
    ones: int = 0
    zeros: int = 0
    low: float = 0.0
    high: float = 1.0

    def add(self, values: list[float]) -> None:
        """Take values in; sums inside one call are exact."""
        self.n += len(values)
        self.ones += values.count(1.0)
        self.zeros += values.count(0.0)
        self.total += fsum(values)
        self.squares += fsum([value * value for value in values])
        if values:
            self.low = min(self.low, min(values))
            self.high = max(self.high, max(values))

    def add_often(self, value: float, times: int) -> None:
        """Take one value in so many times."""
        self.n += times
        self.ones += times * (value == 1.0)
        self.zeros += times * (value == 0.0)
        self.total += times * value
        self.squares += times * value * value
        self.low = min(self.low, value)
        self.high = max(self.high, value)

    def merge(self, other: Numbers) -> None:
        """Take another tally's numbers in."""
        self.n += other.n
        self.ones += other.ones
        self.zeros += other.zeros
        self.total += other.total
        self.squares += other.squares
        self.low = min(self.low, other.low)
        self.high = max(self.high, other.high)

    @property
    def binary(self) -> bool:
        """Whether every value so far is 0 or 1."""
        return self.ones + self.zeros == self.n

    def interval(self) -> tuple[tuple[float, float] | None, str]:
        """A 95% interval and its method: Wilson for zeros and ones, Student otherwise, kept in the values' range."""
        if self.n == 0:
            return None, ""
        if self.binary:
            return wilson(self.ones, self.n), "wilson"
        mean = self.total / self.n
        variance = max(0.0, self.squares - self.n * mean * mean) / max(1, self.n - 1)
        found = mean_interval(mean, variance, self.n)
        return (max(self.low, found[0]), min(self.high, found[1])) if found else None, "t" if found else ""


@dataclass(slots=True)
class Tally:
    """What one evaluator said about many trials; `main` is the part whose value the verdict is about.

    `counts` are the parts where a 1 is no verdict; `why` is the reason of the first skip.
    """

    main: str
    counts: Collection[str] = ()
    passed: int = 0
    failed: int = 0
    skipped: int = 0
    errors: int = 0
    parts: dict[str, Numbers] = field(default_factory=dict)
    why: str = ""

    def add(self, scores: Iterable[Score]) -> None:
        """Count scores."""
        self.parts.setdefault(self.main, Numbers())
        values: dict[str, list[float]] = {}
        column = list(scores)
        counts = Counter(map(id, column))  # checks share equal scores: each is looked at once
        for score in dict(zip(map(id, column), column, strict=True)).values():
            times = counts[id(score)]
            if score.value is None:
                if score.status == "error":
                    self.errors += times
                else:
                    self.skipped += times
                    self.why = self.why or score.reason
                continue
            if score.passed:
                self.passed += times
            elif score.passed is not None:
                self.failed += times
            for name, value in (score.parts or {self.main: score.value}).items():
                if times > 1:
                    self.parts.setdefault(name, Numbers()).add_often(value, times)
                else:
                    values.setdefault(name, []).append(value)
        for name, numbers in values.items():
            self.parts.setdefault(name, Numbers()).add(numbers)

    def merge(self, other: Tally) -> None:
        """Take another tally's counts in."""
        self.passed += other.passed
        self.failed += other.failed
        self.skipped += other.skipped
        self.errors += other.errors
        self.why = self.why or other.why
        for name, numbers in other.parts.items():
            self.parts.setdefault(name, Numbers()).merge(numbers)

    def summaries(self) -> Mapping[str, Summary]:
        """One summary per part that has numbers; of the main part alone if nothing was measured."""
        measured = {name: numbers for name, numbers in self.parts.items() if numbers.n} or {self.main: Numbers()}
        return {name: self._summary(name, numbers) for name, numbers in measured.items()}

    def _summary(self, name: str, numbers: Numbers) -> Summary:
        interval, method = numbers.interval()
        passed, failed = verdicts(numbers.ones, numbers.zeros, numbers.n, counts=name in self.counts)
        if name == self.main and self.passed + self.failed:
            passed, failed = self.passed, self.failed
        value = numbers.total / numbers.n if numbers.n else None
        whole = numbers.n + self.errors
        bounds = (numbers.total / whole, (numbers.total + self.errors) / whole) if whole else None
        return Summary(value, numbers.n, self.skipped, self.errors, interval, method, passed, failed, bounds)
