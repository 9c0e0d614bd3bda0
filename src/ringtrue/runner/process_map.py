"""Work on items in worker processes, in order and a bounded number at once."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import warnings
from collections import deque
from collections.abc import Callable, Generator, Iterable, Iterator
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager, suppress
from multiprocessing import resource_tracker
from multiprocessing.connection import Connection
from typing import Any, TypeVar

from ringtrue.errors import RingtrueError

Item = TypeVar("Item")
Result = TypeVar("Result")


def map_in_processes(
    work: Callable[[Item], Result], items: Iterable[Item], workers: int
) -> Generator[Result, None, None]:
    """The result of each item, in the order of the items; `work` must pickle."""
    waiting: deque[Future[tuple[Any, list[_WarningSeen]]]] = deque()
    try:
        with _processes(work, workers) as pool:
            for item in items:
                with _held_back(_STOPS):
                    waiting.append(pool.submit(_work, item))
                if len(waiting) >= 2 * workers:
                    yield _repeat_warnings(*waiting.popleft().result())
            while waiting:
                yield _repeat_warnings(*waiting.popleft().result())
    except BrokenProcessPool as error:
        words = "a worker process was killed, perhaps for memory; --max-workers 1 needs the least"
        raise RingtrueError(words) from error


@contextmanager
def _processes(work: Callable[[Any], Any], workers: int) -> Iterator[ProcessPoolExecutor]:
    """Worker processes that end with the block, at once if it is left early or this process is killed."""
    if _CAN_HOLD_BACK:
        with _held_back((signal.SIGHUP,)):  # it ignores the others; started later, it lets in all that is held back
            resource_tracker.ensure_running()
    held, lifeline = multiprocessing.Pipe(duplex=False)
    pool = ProcessPoolExecutor(workers, multiprocessing.get_context("spawn"), _receive, (work, held))
    try:
        yield pool
    except BaseException:
        lifeline.close()  # nothing waits for a worker, whatever it is doing
        raise
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
        lifeline.close()
        held.close()


_STOPS = [getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name)]
_CAN_HOLD_BACK = hasattr(signal, "pthread_sigmask")  # Windows cannot


@contextmanager
def _held_back(signals: Iterable[int]) -> Iterator[None]:
    """Blocks signals until the block ends; a process that starts in it inherits the blocked signals."""
    if not _CAN_HOLD_BACK:
        yield
        return
    before = signal.pthread_sigmask(signal.SIG_BLOCK, signals)
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


_WORK: list[Callable[[Any], Any]] = []
"""What this worker process does; set once when it starts, so that it does not travel with every item."""


def _receive(work: Callable[[Any], Any], held: Connection) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the parent decides what Ctrl-C means
    if _CAN_HOLD_BACK:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPS)
    threading.Thread(target=_end_with, args=(held,), daemon=True).start()
    _WORK[:] = [work]


def _end_with(held: Connection) -> None:
    with suppress(EOFError, OSError):
        held.recv_bytes()  # nothing is ever sent: this ends when the parent closes its side, or is gone
    os._exit(1)


_WarningSeen = tuple[str, type[Warning]]


def _work(item: Any) -> tuple[Any, list[_WarningSeen]]:
    """The result, and the warnings on the way to it: the parent says them, so that they are said once."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("default")  # a filter that makes errors of warnings changes no score
        result = _WORK[0](item)
    return result, [(str(warning.message), warning.category) for warning in caught]


def _repeat_warnings(result: Result, warned: list[_WarningSeen]) -> Result:
    for message, category in warned:
        with suppress(Warning):
            warnings.warn(message, category, stacklevel=2)
    return result
