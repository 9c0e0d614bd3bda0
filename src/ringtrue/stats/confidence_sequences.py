"""Intervals that hold at any time: one may look after every value, and stop when one likes.

Hedged capital with predictable plug-in bets (Waudby-Smith and Ramdas 2023): for each mean that could be, someone bets
against it, for it being too high and for it being too low. Who bets against the true mean rarely gets rich, however
long the game and whenever it ends; a mean against which the capital has grown twentyfold is ruled out at 95 %.
"""

from __future__ import annotations

from math import log, log1p, sqrt

from ringtrue.errors import ConfigurationError
from ringtrue.require import require_between, require_count

TRUNCATION = 0.5
"""The share of the capital that a bet may lose at most."""


class BettingSequence:
    """The mean of values in [0, 1] that come one by one, with an interval that holds at every moment together.

    The values are of independent cases in random order. Means are tried in steps of `1 / cells`, rounded outwards.
    """

    def __init__(self, level: float = 0.95, cells: int = 1_000) -> None:
        require_between("level", level, 0, 1)
        require_count("cells", cells, least=2)
        self.level, self.cells = level, cells
        self.n = 0
        self.total = 0.0
        self._alpha = 1 - level
        self._limit = log(2 / self._alpha)  # half of the capital bets on either side
        self._squares = 0.25
        self._first, self._last = 0, cells
        self._above = [0.0] * (cells + 1)
        self._below = [0.0] * (cells + 1)

    @property
    def mean(self) -> float | None:
        """The mean so far."""
        return self.total / self.n if self.n else None

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the mean, by all that was ever ruled out."""
        return max(0, self._first - 1) / self.cells, min(self.cells, self._last + 1) / self.cells

    def add(self, value: float) -> None:
        """Take the next value in: every mean that is still possible is bet against."""
        if not 0 <= value <= 1:
            raise ConfigurationError(f"values lie in [0, 1]; got {value!r}", parameter="value", value=value)
        self.n += 1
        time = self.n
        bet = sqrt(2 * self._limit / (self._squares * log(1 + time)))
        for cell in range(self._first, self._last + 1):
            mean = cell / self.cells
            gain = value - mean
            self._above[cell] += log1p(min(bet, TRUNCATION / mean) * gain if mean else bet * gain)
            self._below[cell] += log1p(-(min(bet, TRUNCATION / (1 - mean)) if mean < 1 else bet) * gain)
        self._narrow()
        self.total += value
        centre = (0.5 + self.total) / (time + 1)
        self._squares += (value - centre) ** 2

    def _narrow(self) -> None:
        """Rule out means from both ends; the possible ones are an interval."""
        while self._first < self._last and self._is_out(self._first):
            self._first += 1
        while self._last > self._first and self._is_out(self._last):
            self._last -= 1

    def _is_out(self, cell: int) -> bool:
        return max(self._above[cell], self._below[cell]) >= self._limit


class DifferenceSequence:
    """The mean difference of pairs of values in [0, 1], with an interval that holds at every moment together."""

    def __init__(self, level: float = 0.95, cells: int = 1_000) -> None:
        self._halves = BettingSequence(level, cells)

    @property
    def n(self) -> int:
        """The number of pairs."""
        return self._halves.n

    @property
    def mean(self) -> float | None:
        """The mean difference so far."""
        return None if self._halves.mean is None else 2 * self._halves.mean - 1

    @property
    def interval(self) -> tuple[float, float]:
        """The interval of the mean difference."""
        low, high = self._halves.interval
        return 2 * low - 1, 2 * high - 1

    def add(self, before: float, after: float) -> None:
        """Take the next pair in."""
        self._halves.add((after - before + 1) / 2)
