"""The bridge from synchronous code works everywhere and leaves nothing behind."""

from __future__ import annotations

import asyncio
import contextvars
import os
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from ringtrue.errors import RingtrueError
from ringtrue.sync import run_sync


async def double(number: int) -> int:
    await asyncio.sleep(0.001)
    return 2 * number


async def bridge_thread() -> threading.Thread:
    return threading.current_thread()


def test_without_a_running_loop() -> None:
    assert run_sync(double(2)) == 4
    assert run_sync(bridge_thread()) is not threading.current_thread()


def test_inside_a_running_loop_which_is_left_alone() -> None:
    async def main() -> int:
        before = asyncio.get_running_loop()
        result = run_sync(double(3))
        assert asyncio.get_running_loop() is before
        return result + await double(1)

    assert asyncio.run(main()) == 8


def test_from_many_threads() -> None:
    with ThreadPoolExecutor(8) as pool:
        doubled = list(pool.map(lambda number: run_sync(double(number)), range(50)))
    assert doubled == [2 * number for number in range(50)]


def test_errors_are_the_callers() -> None:
    async def fail() -> None:
        raise ValueError("mine")

    with pytest.raises(ValueError, match="mine"):
        run_sync(fail())


@pytest.mark.parametrize("way_out", [SystemExit(3), KeyboardInterrupt()], ids=repr)
def test_a_coroutine_that_leaves_the_program_leaves_its_caller_only(way_out: BaseException) -> None:
    async def leave() -> None:
        raise way_out

    other = threading.Thread(target=run_sync, args=[double(1)])
    other.start()
    with pytest.raises(type(way_out)):
        run_sync(leave())
    other.join(60)
    assert not other.is_alive()
    assert run_sync(double(4)) == 8


def test_a_cancelled_coroutine() -> None:
    async def cancelled() -> None:
        raise asyncio.CancelledError

    with pytest.raises(asyncio.CancelledError):
        run_sync(cancelled())


def test_from_within_itself_is_refused_instead_of_waiting_for_ever() -> None:
    async def nested() -> int:
        return run_sync(double(1))

    with pytest.raises(RingtrueError, match="await"):
        run_sync(nested())


def test_context_variables_are_the_callers() -> None:
    variable: contextvars.ContextVar[str] = contextvars.ContextVar("variable", default="")

    async def look() -> str:
        return variable.get()

    variable.set("seen")
    assert run_sync(look()) == "seen"


def test_interrupting_cancels_the_coroutine_and_waits_for_its_end() -> None:
    ended = []

    async def wait() -> None:
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.01)
            ended.append(True)

    threading.Timer(0.2, os.kill, [os.getpid(), signal.SIGINT]).start()
    with pytest.raises(KeyboardInterrupt):
        run_sync(wait())
    assert ended == [True]


@pytest.mark.parametrize("left", ["", "asyncio.create_task(asyncio.sleep(60));"], ids=["nothing-left", "a-task-left"])
def test_the_program_ends_at_once_and_silently(left: str) -> None:
    code = (
        "import asyncio; from ringtrue.sync import run_sync\n"
        f"async def start(): {left} return 'started'\n"
        "print(run_sync(start()))\n"
    )
    begun = time.monotonic()
    done = subprocess.run([sys.executable, "-W", "error", "-c", code], capture_output=True, text=True)
    assert (done.stdout, done.stderr, done.returncode) == ("started\n", "", 0)
    assert time.monotonic() - begun < 50


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_a_forked_child_has_its_own_loop() -> None:
    code = (
        "import os; from ringtrue.sync import run_sync\n"
        "async def one(): return 1\n"
        "run_sync(one())\n"
        "child = os.fork()\n"
        "if not child: os._exit(run_sync(one()))\n"
        "print(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=30)
    assert done.stdout == "1\n", done.stderr


def test_a_signal_that_another_thread_receives_wakes_the_caller() -> None:
    """It was once lost: the caller slept on, and Ctrl-C or SIGTERM did nothing."""
    code = """
import asyncio, os, signal, threading, time
from ringtrue.sync import run_sync

async def nothing(seconds): await asyncio.sleep(seconds)
def stop(*_): raise KeyboardInterrupt
signal.signal(signal.SIGUSR1, stop)
run_sync(nothing(0))
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGUSR1)).start()
signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGUSR1])
began = time.monotonic()
try:
    run_sync(nothing(30))
except KeyboardInterrupt:
    print(time.monotonic() - began)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=60)
    assert float(done.stdout) < 20, done.stderr
