"""`Watch`: whether a program has used up its time, however busy the machine is with others."""

from __future__ import annotations

import time
from collections.abc import Mapping

PATIENCE = 10
"""How many times its seconds a program may take by the clock on the wall, as long as it works."""

_SHORTEST, _WINDOW = 0.02, 1.0
_SHARE = 1 / 100
"""How much of a core a process that works gets even where dozens wait for it; one that sleeps gets far less."""

_PROCESS_CLOCK = 2


class Watch:
    """The time that processes use together, against their limits.

    Processor time is the limit: it is the same alone and on a busy machine. A program that waits uses none: when its
    time by the clock on the wall is over, it has to go on working, at however small a share of a core; after `PATIENCE`
    times as long it is ended in any case.
    """

    def __init__(self, limits: Mapping[str, float], longest: float = 3_600.0) -> None:
        self._seconds, self._most = limits["seconds"], limits["cpu_seconds"]
        self._longest = longest
        self._started = time.monotonic()
        self._clocks: dict[int, float] = {}
        self._used: dict[int, float] = {}
        self._mark: tuple[float, float] | None = None

    def add(self, process: int) -> int:
        """Count what a process uses from now on."""
        self._clocks[process] = processor_seconds(process)
        self._used[process] = 0.0
        return process

    def verdict(self) -> str:
        """`cpu` or `time` where a limit is reached, else empty."""
        used, passed = self._work(), time.monotonic() - self._started
        if used >= self._most:
            return "cpu"
        if passed < self._seconds:
            return ""
        return "time" if passed >= self._seconds * PATIENCE or self._waits(used, passed) else ""

    def pause(self) -> float:
        """Seconds until it is worth looking again."""
        left = self._most - sum(self._used.values())
        until = min(left, self._seconds - (time.monotonic() - self._started) if self._mark is None else _WINDOW / 4)
        return min(max(until, _SHORTEST), self._longest)

    def _waits(self, used: float, passed: float) -> bool:
        if self._mark is None:
            self._mark = passed, used
        since, before = self._mark
        if passed - since < _WINDOW:
            return False
        self._mark = passed, used
        return used - before < (passed - since) * _SHARE

    def _work(self) -> float:
        for process, before in self._clocks.items():
            # A process that has ended keeps what was seen last.
            self._used[process] = max(self._used[process], processor_seconds(process) - before)
        return sum(self._used.values())


def processor_seconds(process: int) -> float:
    """The processor time of a living process of this namespace, all its threads together; 0.0 for any other."""
    try:
        return time.clock_gettime((~process << 3) | _PROCESS_CLOCK)
    except OSError:
        return 0.0
