"""Calling blocking code from the loop, in daemon threads: code that never returns costs a thread, not the exit."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from typing import Any

from ringtrue.errors import RingtrueError


class CodeExit(RingtrueError):
    """The code called sys.exit() or raised something that is no Exception."""


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result, computed in a thread of its own; context variables are the caller's."""
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Any] = loop.create_future()

    def settle(result: Any, error: BaseException | None) -> None:
        if done.done():
            return
        if error is None:
            done.set_result(result)
        elif isinstance(error, Exception):
            done.set_exception(error)
        else:
            done.set_exception(CodeExit(f"{type(error).__name__}: {error}"))

    def work() -> None:
        try:
            result, failure = function(*arguments), None
        except BaseException as error:  # SystemExit in a user's function is that function's failure, not ours
            result, failure = None, error
        with suppress(RuntimeError):  # the loop has ended: nobody waits any more
            loop.call_soon_threadsafe(settle, result, failure)

    threading.Thread(target=copy_context().run, args=(work,), name="ringtrue-call", daemon=True).start()
    return await done
