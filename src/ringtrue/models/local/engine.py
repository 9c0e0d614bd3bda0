"""`Engine`: one GGUF loaded once in this process, and the queue before its only slot."""

from __future__ import annotations

import asyncio
import gc
import os
import secrets
import threading
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from time import monotonic
from typing import Any

from ringtrue.errors import ModelError
from ringtrue.models.local import llama
from ringtrue.records import Json

# One batch of the prompt cannot be interrupted: the waiting side gives up this much later than the working side.
GRACE_SECONDS = 5.0


class _QueueTurn:
    """One call's place in the queue: when it began, and whether anybody still waits for it."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self.began: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.started_at = 0.0
        self.abandoned = False

    def begin(self) -> None:
        """Start the clock; called by the worker."""
        self.started_at = monotonic()
        try:
            self.began.get_loop().call_soon_threadsafe(self._announce)
        except RuntimeError:  # the loop that asked is closed
            self.abandoned = True

    def _announce(self) -> None:
        if not self.began.done():
            self.began.set_result(None)

    def over(self) -> bool:
        """Whether there is no reason to continue."""
        return self.abandoned or self.late()

    def late(self) -> bool:
        """Whether the time of this call is used up."""
        return monotonic() - self.started_at > self.seconds


class Engine:
    """Answers one body after the other on a thread of its own; loads at the first one."""

    def __init__(self, settings: llama.Settings) -> None:
        self.settings = settings
        self.users = 0
        self._server: Any = None
        self._closed = False
        self._worker = ThreadPoolExecutor(1, thread_name_prefix="ringtrue-local")

    async def answer(self, body: dict[str, Json], seconds: float) -> tuple[dict[str, Json], float]:
        """The completion and the seconds it took; the deadline counts from the call's turn, queueing is free."""
        turn = _QueueTurn(seconds)
        work = asyncio.wrap_future(self._worker.submit(self._answer, body, turn))
        try:
            await asyncio.wait((work, turn.began), return_when=asyncio.FIRST_COMPLETED)
            return await asyncio.wait_for(work, seconds + GRACE_SECONDS)
        except TimeoutError:
            raise late(seconds) from None
        finally:
            turn.abandoned = True
            work.cancel()

    def _answer(self, body: dict[str, Json], turn: _QueueTurn) -> tuple[dict[str, Json], float]:
        if self._server is None and not (self._closed or turn.abandoned):
            # llama.cpp always listens; a secret key keeps other processes from the only slot.
            self._server = llama.load(replace(self.settings, api_key=secrets.token_hex(16)))
        if self._closed or turn.abandoned:
            raise ModelError("the local model was closed before it answered", kind="connection")
        turn.begin()
        whole = llama.complete(self._server, body, stopped=lambda: self._closed or turn.over())
        took = monotonic() - turn.started_at
        if not whole["usage"]:  # it is the last thing said: without it, the generation was stopped
            raise late(turn.seconds) if turn.late() else ModelError("the local model was closed", kind="connection")
        return whole, took

    def close(self) -> None:
        """Stop what is being generated, free the model, and end the thread."""
        self._closed = True
        self._worker.shutdown()
        self._server = None
        gc.collect()  # each call leaves a cycle around the server that only the collector sees


_ENGINES: dict[tuple[int, llama.Settings], Engine] = {}
_LOCK = threading.Lock()


def borrow(settings: llama.Settings) -> Engine:
    """The engine with these settings, shared by all who ask in this process: a model takes its memory once.

    A forked child has the parent's memory without its threads, and so gets an engine of its own.
    """
    with _LOCK:
        key = (os.getpid(), settings)
        engine = _ENGINES[key] = _ENGINES.get(key) or Engine(settings)
        engine.users += 1
        return engine


def give_back(engine: Engine) -> None:
    """Let go of a borrowed engine; the last to do so frees it."""
    with _LOCK:
        engine.users -= 1
        last = engine.users == 0
        if last:
            _ENGINES.pop((os.getpid(), engine.settings), None)
    if last:
        engine.close()


def late(seconds: float) -> ModelError:
    """The error of a call that did not end in time."""
    return ModelError(f"the local model did not finish within {seconds:g} s", kind="timeout")
