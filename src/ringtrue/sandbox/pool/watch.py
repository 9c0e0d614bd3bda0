"""`Watch`: whether a program has used up its time, however busy the machine is with others."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

PATIENCE = 4
"""How many times its seconds a program may take by the clock on the wall, as long as it works."""

_SHORTEST = 0.02
_GRACE = 1.0
_PROCESS_CLOCK = 2


class Watch:
    """The time that processes use together, against their limits.

    Processor time is the limit: it is the same alone and on a busy machine. A program that waits uses none, so from one
    second after its time it has to work at a pace that could still use it up; after `PATIENCE` times as long it is
    ended in any case.
    """

    def __init__(self, processes: Sequence[int], limits: Mapping[str, float], longest: float = 3_600.0) -> None:
        self._seconds, self._most = limits["seconds"], limits["cpu_seconds"]
        self._longest = longest
        self._started = time.monotonic()
        self._clocks = {process: processor_seconds(process) for process in processes}
        self._used = dict.fromkeys(processes, 0.0)

    def verdict(self) -> str:
        """`cpu` or `time` where a limit is reached, else empty."""
        used, passed = self._work(), time.monotonic() - self._started
        if used >= self._most:
            return "cpu"
        slow = passed >= self._seconds + _GRACE and used * PATIENCE < passed
        return "time" if slow or passed >= self._seconds * PATIENCE else ""

    def pause(self) -> float:
        """Seconds until it is worth looking again."""
        until = min(self._most - sum(self._used.values()), self._seconds - (time.monotonic() - self._started))
        return min(max(until, _SHORTEST), self._longest)

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
