"""`OrderedNumbers`: numbers by their rank, eight bytes each."""

from __future__ import annotations

import struct
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from typing import overload

_AT_ONCE = 16_384
_INFINITY = 0x7FF0_0000_0000_0000


class OrderedNumbers(Sequence[float]):
    """Numbers that are added in any order and read in ascending order; sorting them takes no second copy.

    They lie in sorted runs. A number is found by halving the range it can be in: as bits, numbers have the order of
    integers.
    """

    def __init__(self) -> None:
        self._runs: list[array[float]] = []
        self._latest: list[float] = []

    def add(self, numbers: Iterable[float]) -> None:
        """Take numbers in."""
        self._latest += numbers
        if len(self._latest) >= _AT_ONCE:
            self._sort_latest()

    def merge(self, other: OrderedNumbers) -> None:
        """Take another's numbers in."""
        self._runs += other._runs
        self.add(other._latest)

    def __len__(self) -> int:
        return sum(map(len, self._runs)) + len(self._latest)

    @overload
    def __getitem__(self, rank: int) -> float: ...
    @overload
    def __getitem__(self, rank: slice) -> list[float]: ...
    def __getitem__(self, rank: int | slice) -> float | list[float]:
        if isinstance(rank, slice):
            return [self[one] for one in range(len(self))[rank]]
        wanted = range(len(self))[rank]
        self._sort_latest()
        low, high = -_INFINITY, _INFINITY
        while low < high:
            middle = (low + high) // 2
            number = _number(middle)
            if sum(bisect_right(run, number) for run in self._runs) > wanted:
                high = middle
            else:
                low = middle + 1
        return _number(low)

    @property
    def median(self) -> float | None:
        """The middle number, or the mean of the two; None without any."""
        n = len(self)
        return (self[(n - 1) // 2] + self[n // 2]) / 2 if n else None

    def _sort_latest(self) -> None:
        if self._latest:
            self._runs.append(array("d", sorted(self._latest)))
            self._latest = []


def _number(bits: int) -> float:
    found: float = struct.unpack("<d", struct.pack("<q", abs(bits)))[0]
    return found if bits >= 0 else -found
