"""`PairedDifference`: how far two systems differ on the same cases, with an interval and a p-value."""

from __future__ import annotations

from collections.abc import Hashable
from dataclasses import dataclass, field
from math import fsum, sqrt

from ringtrue.stats.bootstrap import bca_interval
from ringtrue.stats.differences import mcnemar_of_counts, paired_interval_of_counts
from ringtrue.stats.intervals import student_p, student_reach, wilson

Interval = tuple[float, float]

MOST_DRAWN = 4_000
"""Above this many pieces of evidence Student's interval is used alone: such a mean is normal enough."""
MANY_SAMPLES, FEW_SAMPLES, LARGE = 2_000, 1_000, 1_000
MCNEMAR = "McNemar exact"
AGREEMENT = 0.1
"""Two intervals agree if no end differs by more than this share of the width, and neither alone holds 0."""
_POINT = 1e-9
"""A smaller standard error is one of values that cancel out to the last digit, and shows nothing."""


@dataclass(frozen=True, slots=True)
class PairedDifference:
    """The rise from the first of two numbers to the second, over the cases that have both.

    `test` and `method` say how `p` and `interval` were made; `t_interval` is beside a bootstrap's. `sources` are
    the pieces of evidence: cases that share a source are one. The standard error of the mean is
    `deviation / sqrt(n)`.
    """

    value: float
    n: int
    before: float
    after: float
    interval: Interval | None
    p: float
    test: str
    method: str
    rose: int
    fell: int
    sources: int
    deviation: float
    t_interval: Interval | None = None

    @property
    def agrees(self) -> bool:
        """Whether the bootstrap and Student's t agree; True where only one was made."""
        if self.interval is None or self.t_interval is None:
            return True
        reach = AGREEMENT * (self.t_interval[1] - self.t_interval[0])
        near = all(abs(one - other) <= reach for one, other in zip(self.interval, self.t_interval, strict=True))
        return near and _side(self.interval) == _side(self.t_interval)

    @property
    def side(self) -> int:
        """1 if every interval lies above 0, −1 if every one lies below, else 0."""
        sides = {_side(found) for found in (self.interval, self.t_interval) if found is not None}
        return sides.pop() if len(sides) == 1 else 0


@dataclass(slots=True)
class DifferenceSums:
    """Pairs of numbers, counted in constant memory, but for the sums of each source that several may share.

    `lone` are the differences of pairs without a source, while they are few enough to draw from; `lone_squares` and
    `lone_total` are sums of their distances from the first of them, `near`.
    """

    n: int = 0
    before: float = 0.0
    after: float = 0.0
    change: float = 0.0
    rose: int = 0
    fell: int = 0
    verdicts: dict[tuple[bool, bool], int] = field(default_factory=dict)
    is_binary: bool = True
    is_bounded: bool = True
    clusters: dict[Hashable, tuple[float, int]] = field(default_factory=dict)
    lone_count: int = 0
    lone: list[float] = field(default_factory=list)
    near: float = 0.0
    lone_total: float = 0.0
    lone_squares: float = 0.0

    def add(self, before: float, after: float, source: Hashable = None) -> None:
        """Take a pair in; without a source it shares its own with no other."""
        change = after - before
        self.n += 1
        self.before += before
        self.after += after
        self.change += change
        self.rose += change > 0
        self.fell += change < 0
        if before in (0, 1) and after in (0, 1):
            pair = bool(before), bool(after)
            self.verdicts[pair] = self.verdicts.get(pair, 0) + 1
        else:
            self.is_binary = False
            self.is_bounded = self.is_bounded and 0 <= before <= 1 and 0 <= after <= 1
        if source is not None:
            total, size = self.clusters.get(source, (0.0, 0))
            self.clusters[source] = total + change, size + 1
            return
        if not self.lone_count:
            self.near = change
        self.lone_count += 1
        self.lone_total += change - self.near
        self.lone_squares += (change - self.near) ** 2
        if self.lone_count <= MOST_DRAWN:
            self.lone.append(change)
        else:
            self.lone = []

    @property
    def sources(self) -> int:
        """The number of pieces of evidence."""
        return len(self.clusters) + self.lone_count

    def difference(self, seed: int | None = 0) -> PairedDifference | None:
        """The mean difference; None without any pair.

        Verdicts (zeros and ones) of independent cases: McNemar's exact test and Newcombe's interval. Otherwise the
        paired t test and, unless `seed` is None, a BCa bootstrap; over sources, where cases share one.
        """
        if not self.n:
            return None
        common = {
            "value": self.change / self.n,
            "n": self.n,
            "before": self.before / self.n,
            "after": self.after / self.n,
            "rose": self.rose,
            "fell": self.fell,
            "sources": self.sources,
        }
        if self.is_binary and self.sources == self.n:
            return self._of_verdicts(common)
        return self._of_numbers(common, seed)

    def _of_verdicts(self, common: dict[str, float]) -> PairedDifference:
        changed, value = (self.rose + self.fell) / self.n, common["value"]
        return PairedDifference(
            **common,  # type: ignore[arg-type]
            interval=paired_interval_of_counts(self.verdicts),
            p=mcnemar_of_counts(self.fell, self.rose),
            test=MCNEMAR,
            method="Newcombe",
            deviation=sqrt(max(0.0, changed - value**2)),
        )

    def _of_numbers(self, common: dict[str, float], seed: int | None) -> PairedDifference:
        """The paired t test; a single group is Student's own, several values of one source count as one."""
        n, value, groups = self.n, common["value"], self.sources
        freedom = groups - 1
        shared = groups < n
        test = "t over sources" if shared else "paired t"
        error = sqrt(self._spread(value) * groups / freedom) / n if freedom else 0.0
        if error <= _POINT:
            return PairedDifference(
                **common,  # type: ignore[arg-type]
                interval=_interval_without_spread(value, groups) if self.is_bounded else None,
                p=1.0 if abs(value) <= _POINT else mcnemar_of_counts(0, groups),
                test="sign test",
                method="Wilson, because nothing varies",
                deviation=0.0,
            )
        reach = student_reach(freedom) * error
        student = _clip((value - reach, value + reach), self.is_bounded)
        drawn = None if seed is None else self._drawn_interval(seed, shared)
        return PairedDifference(
            **common,  # type: ignore[arg-type]
            interval=student if drawn is None else _clip(drawn, self.is_bounded),
            p=student_p(value / error, freedom),
            test=test,
            method=test if drawn is None else "BCa bootstrap" + (" of sources" if shared else ""),
            deviation=error * sqrt(n),
            t_interval=None if drawn is None else student,
        )

    def _spread(self, value: float) -> float:
        """The squared distances of the sources from the mean."""
        clusters = fsum((total - size * value) ** 2 for total, size in self.clusters.values())
        if self.lone:
            return clusters + fsum((change - value) ** 2 for change in self.lone)
        step = value - self.near
        rest = self.lone_squares - 2 * step * self.lone_total + self.lone_count * step**2
        return clusters + max(0.0, rest)

    def _drawn_interval(self, seed: int, shared: bool) -> Interval | None:
        groups = self.sources
        if groups > MOST_DRAWN:
            return None
        totals = [*(total for total, _ in self.clusters.values()), *self.lone]
        sizes = [*(float(size) for _, size in self.clusters.values()), *([1.0] * self.lone_count)]
        samples = MANY_SAMPLES if groups <= LARGE else FEW_SAMPLES
        return bca_interval(totals, sizes if shared else None, samples=samples, seed=seed)


def _interval_without_spread(value: float, groups: int) -> Interval:
    """If all change alike: at most Wilson's bound of 0 in n of what was not seen, at its worst."""
    unseen = wilson(0, groups)[1]
    return _clip(((1 - unseen) * value - unseen, (1 - unseen) * value + unseen), True)


def _clip(found: Interval, bounded: bool) -> Interval:
    return (max(-1.0, found[0]), min(1.0, found[1])) if bounded else found


def _side(found: Interval) -> int:
    return 1 if found[0] > 0 else -1 if found[1] < 0 else 0
