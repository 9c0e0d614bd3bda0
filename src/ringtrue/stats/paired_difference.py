"""`paired_difference`: how far two systems differ on the same cases, with an interval and a p-value."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from math import fsum, sqrt

from ringtrue.stats.bootstrap import bca_interval
from ringtrue.stats.differences import mcnemar, paired_interval
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
    """How much higher the second of two numbers is, over the cases that have both.

    `test` and `method` say how `p` and `interval` were made; `t_interval` stands beside a bootstrap's. `sources` are
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
        """Whether the bootstrap and Student's t tell the same; True where only one was made."""
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


def paired_difference(
    before: Sequence[float],
    after: Sequence[float],
    sources: Sequence[Hashable] | None = None,
    *,
    seed: int = 0,
    bootstrap: bool = True,
) -> PairedDifference | None:
    """The mean difference of pairs; None without any.

    Verdicts (zeros and ones) of independent cases: McNemar's exact test and Newcombe's interval. Otherwise the paired t
    test and a BCa bootstrap; over sources, where cases share one.
    """
    n = len(before)
    if not n:
        return None
    changes = [new - old for old, new in zip(before, after, strict=True)]
    groups = _group(changes, sources)
    common = {
        "value": fsum(changes) / n,
        "n": n,
        "before": fsum(before) / n,
        "after": fsum(after) / n,
        "rose": sum(change > 0 for change in changes),
        "fell": sum(change < 0 for change in changes),
        "sources": len(groups),
    }
    if len(groups) == n and all(value in (0, 1) for side in (before, after) for value in side):
        return _of_verdicts(common, [bool(one) for one in before], [bool(one) for one in after])
    bounded = all(0 <= value <= 1 for side in (before, after) for value in side)
    return _of_numbers(common, groups, bounded, seed if bootstrap else None)


def _of_verdicts(common: dict[str, float], before: Sequence[bool], after: Sequence[bool]) -> PairedDifference:
    changed, value = (common["rose"] + common["fell"]) / common["n"], common["value"]
    return PairedDifference(
        **common,  # type: ignore[arg-type]
        interval=paired_interval(before, after),
        p=mcnemar(before, after),
        test=MCNEMAR,
        method="Newcombe",
        deviation=sqrt(max(0.0, changed - value**2)),
    )


def _of_numbers(
    common: dict[str, float], groups: Sequence[tuple[float, int]], bounded: bool, seed: int | None
) -> PairedDifference:
    """The paired t test; a single group is Student's own, several values of one source count as one."""
    n, value, freedom = int(common["n"]), common["value"], len(groups) - 1
    shared = len(groups) < n
    test = "t over sources" if shared else "paired t"
    spread = fsum((total - size * value) ** 2 for total, size in groups)
    error = sqrt(spread * len(groups) / freedom) / n if freedom else 0.0
    if error <= _POINT:
        return PairedDifference(
            **common,  # type: ignore[arg-type]
            interval=_interval_without_spread(value, len(groups)) if bounded else None,
            p=1.0 if abs(value) <= _POINT else mcnemar([False] * len(groups), [True] * len(groups)),
            test="sign test",
            method="Wilson, for nothing varies",
            deviation=0.0,
        )
    reach = student_reach(freedom) * error
    student = _clip((value - reach, value + reach), bounded)
    drawn = None
    if seed is not None and len(groups) <= MOST_DRAWN:
        samples = MANY_SAMPLES if len(groups) <= LARGE else FEW_SAMPLES
        totals, sizes = [total for total, _ in groups], [float(size) for _, size in groups]
        drawn = bca_interval(totals, sizes if shared else None, samples=samples, seed=seed)
    return PairedDifference(
        **common,  # type: ignore[arg-type]
        interval=student if drawn is None else _clip(drawn, bounded),
        p=student_p(value / error, freedom),
        test=test,
        method=test if drawn is None else "BCa bootstrap" + (" of sources" if shared else ""),
        deviation=error * sqrt(n),
        t_interval=None if drawn is None else student,
    )


def _group(changes: Sequence[float], sources: Sequence[Hashable] | None) -> list[tuple[float, int]]:
    """The sum and the count of the changes of each source."""
    if sources is None:
        return [(change, 1) for change in changes]
    found: dict[Hashable, list[float]] = defaultdict(list)
    for source, change in zip(sources, changes, strict=True):
        found[source].append(change)
    return [(fsum(own), len(own)) for own in found.values()]


def _interval_without_spread(value: float, groups: int) -> Interval:
    """If all change alike: at most Wilson's bound of 0 in n of what was not seen, at its worst."""
    unseen = wilson(0, groups)[1]
    return _clip(((1 - unseen) * value - unseen, (1 - unseen) * value + unseen), True)


def _clip(found: Interval, bounded: bool) -> Interval:
    return (max(-1.0, found[0]), min(1.0, found[1])) if bounded else found


def _side(found: Interval) -> int:
    return 1 if found[0] > 0 else -1 if found[1] < 0 else 0
