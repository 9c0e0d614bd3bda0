"""`Limiter`: how many requests one endpoint and key gets at once; `AdaptiveLimiter` finds it out."""

from __future__ import annotations

import asyncio
from collections import deque
from dataclasses import dataclass
from math import inf
from threading import RLock
from time import monotonic
from typing import Literal, Protocol, TypeAlias

from ringtrue.errors import ModelError
from ringtrue.models.client.throttle import LEAST_START, Throttle
from ringtrue.require import require_count

News: TypeAlias = Literal["answered", "refused", "silent", "none"]
"""What a request's end says: there is room, there is none (429, or a 5xx that names a time), perhaps none (a timeout),
nothing."""


class Limiter(Protocol):
    """Gives out places; each `acquire` that returned is followed by one `release` with the time it returned."""

    async def acquire(self, *, again: bool = False, patience_seconds: float = inf) -> float: ...

    def release(self, started: float, news: News = "none", pause_seconds: float = 0.0) -> None: ...


@dataclass(slots=True, eq=False)
class _Waiter:
    future: asyncio.Future[float]
    patience_seconds: float


class AdaptiveLimiter:
    """As many places as its `Throttle` says, and none before the throttle opens.

    Places are given in the order of asking, to second attempts before first ones. One object may serve several event
    loops. Unless `start` says otherwise, a quarter of the `maximum` is given out before the first answer.
    """

    def __init__(self, *, start: int | None = None, maximum: int = 100) -> None:
        for name, value in (("start", 1 if start is None else start), ("maximum", maximum)):
            require_count(name, value)
        self._start = start
        self._throttle = Throttle(maximum, float(self._first_places(maximum)))
        self._in_flight = 0
        self._again: deque[_Waiter] = deque()
        self._first: deque[_Waiter] = deque()
        self._timer_due = inf
        self._timer_loop: asyncio.AbstractEventLoop
        self._lock = RLock()  # re-entrant: collecting an abandoned coroutine may release a place at any moment

    @property
    def maximum(self) -> int:
        """The largest number of requests in flight, whatever the endpoint bears."""
        return self._throttle.maximum

    @property
    def limit(self) -> int:
        """The number of requests that may be in flight now."""
        return self._throttle.places

    @property
    def in_flight(self) -> int:
        """The number of places in use."""
        return self._in_flight

    def widen(self, maximum: int) -> None:
        """Allow this many at once, if fewer were allowed; whether the endpoint bears them is found out as ever."""
        with self._lock:
            self._throttle.widen(maximum, self._first_places(maximum))

    def _first_places(self, maximum: int) -> int:
        return min(maximum, max(LEAST_START, maximum // 4) if self._start is None else self._start)

    async def acquire(self, *, again: bool = False, patience_seconds: float = inf) -> float:
        """Wait for a place and return when it was given; a door closed for longer than the patience raises."""
        queue = self._again if again else self._first
        with self._lock:
            now = monotonic()
            if self._in_flight < self._throttle.places and now >= self._throttle.opens_at and not queue:
                self._take(now)
                return now
            closed_seconds = self._throttle.closed_until - now
            if closed_seconds > patience_seconds:
                raise _closed_for(closed_seconds, patience_seconds)
            waiter = _Waiter(asyncio.get_running_loop().create_future(), patience_seconds)
            queue.append(waiter)
            self._wake(now)
        try:
            return await waiter.future
        except asyncio.CancelledError:
            with self._lock:
                given = waiter.future.done() and not waiter.future.cancelled() and not waiter.future.exception()
                if given:  # in the moment of the cancellation
                    self._in_flight -= 1
                    self._wake(monotonic())
            raise

    def release(self, started: float, news: News = "none", pause_seconds: float = 0.0) -> None:
        """Give a place back, with what its request learned and how long the endpoint asks to be left alone."""
        throttle = self._throttle
        with self._lock:
            now = monotonic()
            full = self._in_flight >= throttle.places
            self._in_flight -= 1
            closed_before = throttle.closed_until
            if news == "answered":
                throttle.answer(started, now, under_way=self._in_flight, full=full)
                if pause_seconds > 0 and throttle.is_latest_answer(started):
                    throttle.close(now, pause_seconds)
            elif news == "refused":
                throttle.refuse(started, now, under_way=self._in_flight, pause_seconds=pause_seconds)
            elif news == "silent":
                throttle.miss(started, now, under_way=self._in_flight)
            if throttle.closed_until > closed_before:
                self._send_away(throttle.closed_until - now)
            if self._first or self._again:
                self._wake(now)

    def _take(self, now: float) -> None:
        self._in_flight += 1
        self._throttle.start(now)

    def _send_away(self, pause_seconds: float) -> None:
        """Raise for those who wait and cannot wait so long."""
        for queue in (self._again, self._first):
            if any(waiter.patience_seconds < pause_seconds for waiter in queue):
                waiters = list(queue)
                queue.clear()
                for waiter in waiters:
                    if waiter.patience_seconds >= pause_seconds:
                        queue.append(waiter)
                    else:
                        self._hand(waiter, _closed_for(pause_seconds, waiter.patience_seconds))

    def _wake(self, now: float) -> None:
        """Give the free places to those who wait, or come back when the throttle opens."""
        throttle = self._throttle
        while self._in_flight < throttle.places and (queue := self._again or self._first):
            if now < throttle.opens_at:
                self._wake_later(now)
                return
            waiter = queue.popleft()
            if not waiter.future.done():
                self._take(now)
                self._hand(waiter, now)

    def _wake_later(self, now: float) -> None:
        due = self._throttle.opens_at
        if self._timer_due > due or self._timer_loop.is_closed():
            self._timer_due = due
            self._timer_loop = asyncio.get_running_loop()
            self._timer_loop.call_later(due - now, self._open, due)

    def _open(self, due: float) -> None:
        with self._lock:
            if due == self._timer_due:
                self._timer_due = inf
            if self._first or self._again:
                self._wake(max(due, monotonic()))

    def _hand(self, waiter: _Waiter, what: float | ModelError) -> None:
        """Let a waiter go on with a place or an error, in its own event loop."""
        loop = waiter.future.get_loop()
        if loop is asyncio.get_running_loop():
            self._arrive(waiter, what)
            return
        try:
            loop.call_soon_threadsafe(self._arrive, waiter, what)
        except RuntimeError:  # that loop is closed: no task waits there any more
            if isinstance(what, float):
                self._in_flight -= 1

    def _arrive(self, waiter: _Waiter, what: float | ModelError) -> None:
        if isinstance(what, ModelError):
            if not waiter.future.done():
                waiter.future.set_exception(what)
        elif not waiter.future.done():
            waiter.future.set_result(what)
        else:
            with self._lock:
                self._in_flight -= 1
                self._wake(monotonic())


def _closed_for(pause_seconds: float, patience_seconds: float) -> ModelError:
    return ModelError(
        f"asked to be left alone for {pause_seconds:.0f} s, longer than the {patience_seconds:.0f} s a call may take",
        kind="rate_limit",
        status=429,
    )
