"""Work that may block, in a thread and an event loop of its own; cancelling the waiter cancels the work."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Any

from ringtrue.systems.threads import in_thread

PATIENCE_SECONDS = 15.0
"""How long work that is cancelled may tidy up; work that blocks without end is left behind in its daemon thread."""

_WATCH_SECONDS = 0.05


async def in_own_loop(work: Callable[..., Any], *arguments: Any) -> Any:
    """What a function or coroutine function gives."""
    own = _Own()
    thread = asyncio.ensure_future(in_thread(own.run, work, *arguments))
    try:
        return await asyncio.shield(thread)
    except asyncio.CancelledError:
        own.stop()
        until = time.monotonic() + PATIENCE_SECONDS
        while not own.ended and time.monotonic() < until:
            with suppress(asyncio.CancelledError):  # who asks a second time waits for what is tidied up, too
                await asyncio.sleep(_WATCH_SECONDS)
        if thread.done() and not thread.cancelled():
            thread.exception()  # looked at, so that nobody is told about it twice
        thread.cancel()
        raise


class _Own:
    def __init__(self) -> None:
        self.stopped = self.ended = False
        self.loop: asyncio.AbstractEventLoop | None = None
        self.task: asyncio.Task[Any] | None = None

    def run(self, work: Callable[..., Any], *arguments: Any) -> Any:
        try:
            result = work(*arguments)
            return asyncio.run(self._awaited(result)) if inspect.isawaitable(result) else result
        finally:
            self.ended = True

    async def _awaited(self, result: Awaitable[Any]) -> Any:
        self.loop, self.task = asyncio.get_running_loop(), asyncio.current_task()
        if self.stopped:
            self.stop()
        return await result

    def stop(self) -> None:
        self.stopped = True
        if self.loop is not None and self.task is not None:
            with suppress(RuntimeError):  # its loop has ended by itself
                self.loop.call_soon_threadsafe(self.task.cancel)
