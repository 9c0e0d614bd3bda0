"""`SharedLimiter`: one limiter for all that ask one endpoint with one key in this process."""

from __future__ import annotations

import os
from math import inf
from threading import Lock
from weakref import WeakKeyDictionary, WeakSet, WeakValueDictionary

from ringtrue.identity import digest
from ringtrue.models.client.limiter import AdaptiveLimiter, News

_LOCK = Lock()
_COMMON: WeakValueDictionary[tuple[int, str, str], AdaptiveLimiter] = WeakValueDictionary()
"""Process, address and the hash of the key -> what those who ask there have learned; it is forgotten with the last."""
_MEMBERS: WeakKeyDictionary[AdaptiveLimiter, WeakSet[SharedLimiter]] = WeakKeyDictionary()
"""A common limiter -> those who are there: an exception's frames may hold the limiter when they have left."""


class SharedLimiter:
    """One object's part in the limiter of an endpoint and key: what one learns, all follow; `maximum` bounds it alone.

    A system and its judges at one address are one load for the endpoint.
    """

    def __init__(self, endpoint: str, key: str, *, maximum: int = 100) -> None:
        self._own = AdaptiveLimiter(start=maximum, maximum=maximum)
        # A forked child inherits places that no task in it will give back: it has limiters of its own.
        self._place = (os.getpid(), endpoint, digest(key))
        self._common: AdaptiveLimiter | None = None
        self._leaving = False
        self._join()

    @property
    def maximum(self) -> int:
        """The largest number of requests of this object in flight."""
        return self._own.maximum

    @property
    def limit(self) -> int:
        """The number of requests of this object that may be in flight now, if no other object asks."""
        return min(self._own.limit, self._join().limit)

    @property
    def in_flight(self) -> int:
        """The number of this object's requests that are in flight, or wait for nothing but the endpoint."""
        return self._own.in_flight

    def widen(self, maximum: int) -> None:
        """Raise the number of requests that this object may have in flight to this."""
        if maximum > self._own.maximum:
            self._own = AdaptiveLimiter(start=maximum, maximum=maximum) if not self._own.in_flight else self._own
            self._own.widen(maximum)
            self._join().widen(maximum)

    async def acquire(self, *, again: bool = False, patience_seconds: float = inf) -> float:
        """Wait for a place and return when it was given; a door closed for longer than the patience raises."""
        self._leaving = False
        own = await self._own.acquire(again=again, patience_seconds=patience_seconds)
        try:
            return await self._join().acquire(again=again, patience_seconds=patience_seconds)
        except BaseException:  # cancelled or refused: the place already taken is given back
            self._own.release(own)
            raise

    def release(self, started: float, news: News = "none", pause_seconds: float = 0.0) -> None:
        """Give a place back, with what its request learned and how long the endpoint asks to be left alone."""
        self._join().release(started, news, pause_seconds)
        self._own.release(started)
        if self._leaving:
            self.leave()

    def leave(self) -> None:
        """Forget what was learned unless others are still there, once no request is under way."""
        with _LOCK:
            self._leaving = bool(self._own.in_flight)
            if self._common is None or self._leaving:
                return
            members = _MEMBERS[self._common]
            members.discard(self)
            if not members and _COMMON.get(self._place) is self._common:
                del _COMMON[self._place]
            self._common = None

    def _join(self) -> AdaptiveLimiter:
        with _LOCK:
            if self._common is None:
                self._common = _COMMON.get(self._place) or AdaptiveLimiter(maximum=self._own.maximum)
                self._common.widen(self._own.maximum)
                _COMMON[self._place] = self._common
                _MEMBERS.setdefault(self._common, WeakSet()).add(self)
            return self._common
