"""`stoppable`: work that blocks, in a thread that ends when its job is cancelled."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Any, TypeVar

from ringtrue.sandbox.pool.stop import Stop

Found = TypeVar("Found")


async def stoppable(function: Callable[..., Found], *args: Any, **kwargs: Any) -> Found:
    """What a function with a `stop` gives, computed in a thread; cancelling this ends it before going on."""
    with Stop() as stop:
        return await _waited(function, *args, stop=stop, **kwargs)


async def unbroken(function: Callable[..., Found], *args: Any, **kwargs: Any) -> Found:
    """What a function gives, computed in a thread; cancelling this waits for its end, so that it leaves no half."""
    return await _waited(function, *args, **kwargs)


async def _waited(function: Callable[..., Found], *args: Any, **kwargs: Any) -> Found:
    work = asyncio.ensure_future(asyncio.to_thread(function, *args, **kwargs))
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        if isinstance(stop := kwargs.get("stop"), Stop):
            stop.say()
        while not work.done():
            with suppress(asyncio.CancelledError):  # who asks a second time waits for the end, too
                await asyncio.wait([work])
        raise
