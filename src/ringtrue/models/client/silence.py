"""Giving up a request that is silent far longer than answers take."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable
from typing import TypeVar

from ringtrue.errors import ModelError
from ringtrue.models.patience import AnswerTimes

Result = TypeVar("Result")


class GivenUp(ModelError):
    """A request that was silent for too long, before its time was up."""


async def unless_silent(work: Awaitable[Result], times: AnswerTimes, given_up: int) -> Result | GivenUp:
    """What the work gives, or why it was given up; how long it may take is looked up again while it is under way."""
    loop = asyncio.get_running_loop()
    begun = loop.time()
    timer: asyncio.TimerHandle | None = None

    def look() -> None:
        nonlocal timer
        left = begun + times.silence_seconds(given_up) - loop.time()
        if left <= 0:
            limit.reschedule(loop.time())
        else:
            timer = loop.call_later(min(left, times.FLOOR_SECONDS), look)

    try:
        async with asyncio.timeout(None) as limit:
            timer = loop.call_later(times.FLOOR_SECONDS, look)
            return await work
    except TimeoutError:
        if not limit.expired():
            raise
    finally:
        if timer is not None:
            timer.cancel()
    return GivenUp(f"was silent for {loop.time() - begun:.3g} s, far longer than its answers take", kind="timeout")
