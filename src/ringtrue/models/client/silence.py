"""Giving up a request that is silent far longer than answers take."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import TypeVar

from ringtrue.errors import ModelError
from ringtrue.models.patience import AnswerTimes

Result = TypeVar("Result")


class GivenUp(ModelError):
    """A request that was silent for too long, before its time was up."""


async def unless_silent(work: Awaitable[Result], times: AnswerTimes, given_up: int) -> Result | GivenUp:
    """Return the result of the work, or why it was abandoned; the limit is looked up again while the work runs."""
    loop = asyncio.get_running_loop()
    limit = asyncio.timeout(None)
    watch = _Watch(times, given_up, limit, loop, loop.time())
    try:
        async with limit:
            watch.look_after(times.FLOOR_SECONDS)
            return await work
    except TimeoutError:
        if not limit.expired():
            raise
    finally:
        watch.end()
    silent_seconds = loop.time() - watch.begun
    return GivenUp(f"was silent for {silent_seconds:.3g} s, far longer than its answers take", kind="timeout")


@dataclass(slots=True, eq=False)
class _Watch:
    """Looks at one request now and then; once it ends, nothing refers to itself and the collector has no work."""

    times: AnswerTimes
    given_up: int
    limit: asyncio.Timeout
    loop: asyncio.AbstractEventLoop
    begun: float
    timer: asyncio.TimerHandle | None = None

    def look_after(self, seconds: float) -> None:
        self.timer = self.loop.call_later(seconds, self._look)

    def end(self) -> None:
        if self.timer is not None:
            self.timer.cancel()

    def _look(self) -> None:
        now = self.loop.time()
        left = self.begun + self.times.silence_seconds(self.given_up) - now
        if left <= 0:
            self.limit.reschedule(now)
        else:
            self.look_after(min(left, self.times.FLOOR_SECONDS))
