"""`RatioSums`: one sum over another, in constant memory where no two rows share a source; sums merge."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from dataclasses import dataclass, field
from math import sqrt

from ringtrue.stats.intervals import student_reach

Interval = tuple[float, float]


@dataclass(slots=True)
class RatioSums:
    """The sums that a ratio and its interval need, from pairs of parts of both.

    A pair whose source is None shares it with no other; `clusters` holds the count and the sums of each other source.
    Squares are of the distances from the line of the first ratio, `near`: equal ratios have none at all.
    """

    n: int = 0
    over: float = 0.0
    under: float = 0.0
    near: float | None = None
    lone: int = 0
    squares: float = 0.0
    products: float = 0.0
    under_squares: float = 0.0
    clusters: dict[Hashable, tuple[int, float, float]] = field(default_factory=dict)

    def add(self, pairs: Iterable[tuple[Hashable, tuple[float, float]]]) -> None:
        """Take pairs in, each with its source."""
        for source, (over, under) in pairs:
            self.n += 1
            self.over += over
            self.under += under
            if self.near is None and under:
                self.near = over / under
            if source is None:
                self.lone += 1
                self._square(over, under)
            else:
                count, first, second = self.clusters.get(source, (0, 0.0, 0.0))
                self.clusters[source] = count + 1, first + over, second + under

    def merge(self, other: RatioSums) -> None:
        """Take another's sums in."""
        shift = (self.near or 0.0) - (other.near or 0.0) if self.near is not None else 0.0
        if self.near is None:
            self.near = other.near
        self.n += other.n
        self.lone += other.lone
        self.over += other.over
        self.under += other.under
        self.squares += other.squares - 2 * shift * other.products + shift * shift * other.under_squares
        self.products += other.products - shift * other.under_squares
        self.under_squares += other.under_squares
        for source, (count, first, second) in other.clusters.items():
            before = self.clusters.get(source, (0, 0.0, 0.0))
            self.clusters[source] = before[0] + count, before[1] + first, before[2] + second

    @property
    def value(self) -> float | None:
        """The ratio; None without a divisor."""
        return self.over / self.under if self.under else None

    @property
    def independent(self) -> bool:
        """Whether no two pairs share a source."""
        return all(count == 1 for count, _, _ in self.clusters.values())

    def interval(self, level: float = 0.95) -> Interval | None:
        """Student's interval around the line of the ratio; None with fewer than two sources, or a divisor of 0."""
        groups, ratio = self.lone + len(self.clusters), self.value
        if groups < 2 or ratio is None:
            return None
        step = ratio - (self.near or 0.0)
        spread = max(0.0, self.squares - 2 * step * self.products + step * step * self.under_squares)
        spread += sum((over - ratio * under) ** 2 for _, over, under in self.clusters.values())
        reach = student_reach(groups - 1, level) * sqrt(spread * groups / (groups - 1)) / abs(self.under)
        return ratio - reach, ratio + reach

    def _square(self, over: float, under: float) -> None:
        distance = over - (self.near or 0.0) * under
        self.squares += distance * distance
        self.products += distance * under
        self.under_squares += under * under
