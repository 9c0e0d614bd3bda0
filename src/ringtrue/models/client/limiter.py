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
from ringtrue.require import require_count

News: TypeAlias = Literal["answered", "refused", "silent", "none"]
"""What the end of a request says about the endpoint: room, no room (429), perhaps none (a timeout), nothing (5xx)."""


class Limiter(Protocol):
    """Gives out places; each `acquire` that returned is followed by one `release` with the time it returned."""

    async def acquire(self, *, again: bool = False, patience_seconds: float = inf) -> float: ...

    def release(self, started: float, news: News = "none", pause_seconds: float = 0.0) -> None: ...


@dataclass(slots=True, eq=False)
class _Waiter:
    future: asyncio.Future[float]
    patience_seconds: float


class AdaptiveLimiter:
    """Doubles per round of answers until the endpoint refuses, halves then, and grows by one per round afterwards.

    A refusal that names a time closes the door: nothing starts before. One observation overrules a refusal: an answer
    to a request that started later than the refused one, before the refusal was known. It proves that there was room,
    so the door opens again and the halving is taken back; while fewer than one in eight is refused, such an endpoint
    refuses request by request, and only the refused ones wait. (Without this an endpoint that refuses 5% at random
    would be asked by six at a time.)

    Places are given in the order of asking, to second attempts before first ones. One object may serve several event
    loops.
    """

    TOLERATED = 1 / 8

    def __init__(self, *, start: int = 16, maximum: int = 100) -> None:
        for name, value in (("start", start), ("maximum", maximum)):
            require_count(name, value)
        self.maximum = maximum
        self._start = start
        self._limit = float(min(start, maximum))
        self._doubles_below = float(maximum)
        self._in_flight = 0
        self._again: deque[_Waiter] = deque()
        self._first: deque[_Waiter] = deque()
        self._closed_until = 0.0
        self._answered_start = 0.0  # the latest start among the answered
        self._refused_start = 0.0  # the latest start among the refused
        self._refused_at = 0.0  # when the latest refusal was learned
        self._cut_at = 0.0
        self._before_cut = (self._limit, self._doubles_below)
        self._share = 0.0  # of refusals, among the latest news
        self._one_by_one = False
        self._timer_due = inf
        self._timer_loop: asyncio.AbstractEventLoop
        self._lock = RLock()  # re-entrant: collecting an abandoned coroutine may release a place at any moment

    @property
    def limit(self) -> int:
        """How many requests may be under way now."""
        return int(self._limit)

    @property
    def in_flight(self) -> int:
        """How many places are taken."""
        return self._in_flight

    def widen(self, maximum: int) -> None:
        """Allow so many at once, if fewer were allowed; whether the endpoint bears them is found out as ever."""
        with self._lock:
            if maximum > self.maximum:
                if self._doubles_below >= self.maximum:
                    self._doubles_below = float(maximum)
                    self._limit = max(self._limit, float(min(self._start, maximum)))
                self.maximum = maximum

    async def acquire(self, *, again: bool = False, patience_seconds: float = inf) -> float:
        """Wait for a place and return when it was given; a door closed for longer than the patience raises."""
        queue = self._again if again else self._first
        with self._lock:
            now = monotonic()
            if self._in_flight < int(self._limit) and now >= self._closed_until and not queue:
                self._in_flight += 1
                return now
            if self._closed_until - now > patience_seconds:
                raise _closed_for(self._closed_until - now, patience_seconds)
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
        with self._lock:
            now = monotonic()
            if news == "answered":
                self._note_answer(started)
            elif news == "refused" or (news == "silent" and started >= self._answered_start):
                self._note_refusal(started, now)  # silence is one lost connection if later requests were answered
            self._in_flight -= 1
            if pause_seconds > 0 and not self._one_by_one and (news != "answered" or started == self._answered_start):
                self._close(started, now, pause_seconds)
            if self._first or self._again:
                self._wake(now)

    def _note_answer(self, started: float) -> None:
        self._share -= self._share * self._weight()
        self._answered_start = max(self._answered_start, started)
        if self._refused_start < started < self._refused_at:
            self._closed_until = 0.0
            if self._share <= self.TOLERATED:
                self._one_by_one = True
                if started < self._cut_at:
                    self._limit = max(self._limit, self._before_cut[0])
                    self._doubles_below = self._before_cut[1]
        if self._in_flight >= int(self._limit):  # room that nobody uses proves nothing
            step = 1.0 if self._limit < self._doubles_below else 1.0 / self._limit
            self._limit = min(float(self.maximum), self._limit + step)

    def _note_refusal(self, started: float, now: float) -> None:
        self._share += (1.0 - self._share) * self._weight()
        if self._share > self.TOLERATED:
            self._one_by_one = False
        elif started < self._answered_start:
            self._one_by_one = True
        self._refused_start = max(self._refused_start, started)
        self._refused_at = now
        # Those that started before the last cut belong to the load that it already answered.
        if not self._one_by_one and started >= self._cut_at:
            self._before_cut = (self._limit, self._doubles_below)
            self._limit = max(1.0, min(self._limit, self._in_flight) / 2)
            self._doubles_below = self._limit
            self._cut_at = now

    def _weight(self) -> float:
        # Refusals come at once and answers later, so a share of fewer than some rounds would swing with every burst.
        return 1.0 / max(64.0, 4.0 * self._limit)

    def _close(self, started: float, now: float, pause_seconds: float) -> None:
        self._refused_start = max(self._refused_start, started)
        self._refused_at = now
        self._closed_until = max(self._closed_until, now + pause_seconds)
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
        """Give the free places to those who wait, or come back when the door opens."""
        if now < self._closed_until:
            if self._timer_due > self._closed_until or self._timer_loop.is_closed():
                self._timer_due = self._closed_until
                self._timer_loop = asyncio.get_running_loop()
                self._timer_loop.call_later(self._closed_until - now, self._open, self._timer_due)
            return
        while self._in_flight < int(self._limit) and (queue := self._again or self._first):
            waiter = queue.popleft()
            if not waiter.future.done():
                self._in_flight += 1
                self._hand(waiter, now)

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
        except RuntimeError:  # that loop is closed: nobody waits there any more
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
