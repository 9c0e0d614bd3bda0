"""The one bridge between synchronous code and asyncio.

`run_sync` and `synchronous` run a coroutine for blocking code, on a private event loop in a private thread; `in_thread`
calls blocking code from the loop, in a daemon thread: code that never returns costs a thread, not the exit.
`in_caller_thread` calls it in the thread that waits in `run_sync`: connections, signals and browsers that belong to
one thread work there.
"""

from __future__ import annotations

import asyncio
import atexit
import os
import threading
from collections.abc import Callable, Coroutine
from concurrent.futures import Future, wait
from contextlib import suppress
from contextvars import ContextVar, copy_context
from functools import wraps
from queue import Empty, SimpleQueue
from typing import Any, ParamSpec, TypeAlias, TypeVar

from ringtrue.errors import RingtrueError

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")
PATIENCE_SECONDS = 5.0
SIGNAL_SECONDS = 0.2
"""How long a waiting caller may sleep: the system may hand a signal to another thread, and then nothing wakes it."""


_Calls: TypeAlias = "SimpleQueue[Callable[[], None] | None]"
_CALLS: ContextVar[_Calls | None] = ContextVar("ringtrue_calls", default=None)
"""What the thread that waits for a coroutine is to call meanwhile; None in the queue: there is no more."""


class CodeExit(RingtrueError):
    """The code called sys.exit() or raised something that is not an Exception."""


def run_sync(coroutine: Coroutine[Any, Any, Result]) -> Result:
    """The result of a coroutine, whether or not the caller's thread has a running event loop; that one is not touched.

    Interrupting the caller cancels the coroutine and waits for it to end. Context variables are the caller's.
    """
    bridge = _bridge()
    if bridge.thread is threading.current_thread():
        coroutine.close()
        raise RingtrueError("a synchronous call inside ringtrue's own event loop would wait for itself; await it")
    future: Future[Result] = Future()
    tasks: list[asyncio.Task[Result]] = []
    calls: _Calls | None = None if _has_running_loop() else SimpleQueue()
    context = copy_context()
    context.run(_CALLS.set, calls)

    def start() -> None:
        tasks.append(bridge.loop.create_task(coroutine))
        tasks[0].add_done_callback(lambda task: _settle(future, task))

    bridge.loop.call_soon_threadsafe(start, context=context)
    try:
        if calls is not None:
            future.add_done_callback(lambda _: calls.put(None))
            while (call := _next_call(calls)) is not None:
                call()
        while not future.done():
            wait([future], SIGNAL_SECONDS)
        return future.result()
    except BaseException:  # Ctrl-C as well: nothing continues behind the caller's back
        if not future.done():
            bridge.loop.call_soon_threadsafe(lambda: tasks[0].cancel())
            wait([future], PATIENCE_SECONDS)
        raise


def _next_call(calls: _Calls) -> Callable[[], None] | None:
    while True:
        with suppress(Empty):
            return calls.get(timeout=SIGNAL_SECONDS)


def synchronous(function: Callable[Parameters, Coroutine[Any, Any, Result]], name: str) -> Callable[Parameters, Result]:
    """An asynchronous function as one that blocks, under a name of its own."""

    @wraps(function)
    def call_blocking(*arguments: Parameters.args, **named: Parameters.kwargs) -> Result:
        try:
            coroutine = function(*arguments, **named)
        except TypeError as error:  # the arguments do not fit: nothing of the function has run
            raise TypeError(str(error).replace(f"{function.__qualname__}()", f"{name}()")) from None
        return run_sync(coroutine)

    call_blocking.__name__ = call_blocking.__qualname__ = name
    return call_blocking


async def in_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result, computed in a thread of its own; context variables are the caller's."""
    return await _call_elsewhere(None, function, arguments)


async def in_caller_thread(function: Callable[..., Any], *arguments: Any) -> Any:
    """The function's result, computed in the thread that waits in `run_sync` for this coroutine, one call at a time.

    Where none waits, the caller has an event loop of its own, or `leave_caller_thread` was called: as `in_thread`.
    """
    return await _call_elsewhere(_CALLS.get(), function, arguments)


def leave_caller_thread() -> None:
    """From here on, calls in this context are made in threads of their own."""
    _CALLS.set(None)


async def _call_elsewhere(calls: _Calls | None, function: Callable[..., Any], arguments: tuple[Any, ...]) -> Any:
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
        if done.cancelled():  # no task waits any more
            return
        try:
            result, failure = function(*arguments), None
        except BaseException as error:  # SystemExit in a user's function is that function's failure, not ours
            result, failure = None, error
        if calls is not None and isinstance(failure, KeyboardInterrupt):
            raise failure  # it is the caller who was interrupted: the call has no result, and no failure of its own
        with suppress(RuntimeError):  # the loop has ended: no task waits any more
            loop.call_soon_threadsafe(settle, result, failure)

    context = copy_context()
    if calls is None:
        threading.Thread(target=context.run, args=(work,), name="ringtrue-call", daemon=True).start()
    else:
        calls.put(lambda: context.run(work))
    return await done


def _has_running_loop() -> bool:
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return False
    return True


def _settle(future: Future[Result], task: asyncio.Task[Result]) -> None:
    if task.cancelled():
        future.set_exception(asyncio.CancelledError())
    elif (error := task.exception()) is not None:
        future.set_exception(error)
    else:
        future.set_result(task.result())


class _Bridge:
    def __init__(self) -> None:
        self.process = os.getpid()
        self.loop = asyncio.new_event_loop()
        self.thread = threading.Thread(target=self._serve, name="ringtrue-loop", daemon=True)
        self.thread.start()
        atexit.register(self._stop)

    def _serve(self) -> None:
        while True:
            try:
                self.loop.run_forever()
                break
            except (SystemExit, KeyboardInterrupt):
                continue  # one coroutine's way out is its caller's; the others go on
        self.loop.run_until_complete(_end_tasks())
        self.loop.run_until_complete(self.loop.shutdown_asyncgens())
        self.loop.close()

    def _stop(self) -> None:
        if self.process == os.getpid() and self.thread.is_alive():
            self.loop.call_soon_threadsafe(self.loop.stop)
            self.thread.join(PATIENCE_SECONDS)


async def _end_tasks() -> None:
    tasks = asyncio.all_tasks() - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


_LOCK = threading.Lock()
_BRIDGES: list[_Bridge] = []


def _bridge() -> _Bridge:
    with _LOCK:
        # A forked child inherits the object, not the thread.
        if not _BRIDGES or _BRIDGES[0].process != os.getpid() or not _BRIDGES[0].thread.is_alive():
            _BRIDGES[:] = [_Bridge()]
        return _BRIDGES[0]
