"""The loop: work on items in order, a bounded number of them at once, in this process and then on every core."""

from __future__ import annotations

import asyncio
import multiprocessing
import signal
import threading
import time
import warnings
from collections import deque
from collections.abc import AsyncIterator, Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from typing import Any, TypeVar

from ringtrue.errors import RingtrueError

Item = TypeVar("Item")
Result = TypeVar("Result")

WORTH_SECONDS = 0.4
"""Work goes to other processes once it has taken longer than they need to start."""


async def in_order(
    work: Callable[[Item], Result], items: Iterable[Item], *, workers: int = 1
) -> AsyncIterator[tuple[Item, Result]]:
    """Each item with its result, in the order of the items; `work` must pickle if there is more than one worker."""
    remaining = iter(items)
    started = time.process_time()
    for item in remaining:
        yield item, work(item)
        if workers > 1 and time.process_time() - started > WORTH_SECONDS:
            async for pair in _in_processes(work, remaining, workers):
                yield pair


async def _in_processes(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> AsyncIterator[tuple[Item, Result]]:
    loop = asyncio.get_running_loop()
    waiting: deque[tuple[Item, asyncio.Future[tuple[Result, list[_Warned]]]]] = deque()
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _receive, (work,))
    try:
        for item in items:
            with _uninterrupted():
                waiting.append((item, loop.run_in_executor(pool, _work, item)))
            if len(waiting) >= 2 * workers:
                first, result = waiting.popleft()
                yield first, _repeated(*await result)
        while waiting:
            first, result = waiting.popleft()
            yield first, _repeated(*await result)
    except BrokenProcessPool as error:
        raise RingtrueError("a worker process was killed, perhaps for memory; --workers 1 needs the least") from error
    finally:
        for _, result in waiting:
            result.cancel()
        pool.shutdown(wait=True, cancel_futures=True)


@contextmanager
def _uninterrupted() -> Iterator[None]:
    """A process that starts in here is born deaf to Ctrl-C, so that it does not complain while it loads."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, before)


_WORK: list[Callable[[Any], Any]] = []
"""What this worker process does; set once when it starts, so that it does not travel with every item."""


def _receive(work: Callable[[Any], Any]) -> None:
    with suppress(ValueError):
        signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    _WORK[:] = [work]


_Warned = tuple[str, type[Warning]]


def _work(item: Any) -> tuple[Any, list[_Warned]]:
    """The result, and the warnings on the way to it: the parent says them, so that they are said once."""
    with warnings.catch_warnings(record=True) as caught:
        result = _WORK[0](item)
    return result, [(str(warning.message), warning.category) for warning in caught]


def _repeated(result: Result, warned: list[_Warned]) -> Result:
    for message, category in warned:
        warnings.warn(message, category, stacklevel=2)
    return result
