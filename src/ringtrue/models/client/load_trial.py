"""`LoadTrial`: whether an endpoint refuses fewer requests when it is sent fewer; pure."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import inf


@dataclass(slots=True)
class _Half:
    """The requests that start from one moment on, up to a number of them, and what became of them."""

    since: float
    until: float = inf
    started: int = 0
    ended: int = 0
    refused: int = 0

    @property
    def refused_share(self) -> float:
        return self.refused / max(1, self.ended)


@dataclass(slots=True)
class LoadTrial:
    """Two halves of equally many requests, the second with half as many under way as the first had.

    Refusals at random are as frequent in both. Those of an endpoint that bears less than it is sent fall away where it
    bears half, and else it answers twice the share. Requests are counted by their start: refusals come sooner than
    answers. The last of a half are not waited for, one of them may hang.
    """

    first: _Half
    places: float
    """How many requests were allowed when it began."""
    second: _Half | None = None
    _under_way: int = field(default=0, repr=False)

    REQUESTS = 32
    ENOUGH = 30

    @classmethod
    def begin(cls, now: float, places: float) -> LoadTrial:
        """A trial of the requests that start from now on."""
        return cls(_Half(now), places)

    def start(self, now: float) -> None:
        """A request starts."""
        half = self.second or self.first
        half.started += 1
        if half.started == self.REQUESTS:
            half.until = now

    def end(self, started: float, *, refused: bool, under_way: int) -> bool:
        """A request ended while this many others were under way; True when its half is over."""
        half = self.second or self.first
        if not half.since <= started <= half.until:
            return False
        half.ended += 1
        half.refused += refused
        if self.second is None:
            self._under_way += under_way + 1
        return half.ended == self.ENOUGH

    def ease(self, now: float) -> None:
        """The first half is over: half as many are sent from now on."""
        self.second = _Half(now)

    @property
    def used_places(self) -> float:
        """The mean number of requests in flight during the first half."""
        return self._under_way / max(1, self.first.ended)

    def seconds_each(self, now: float) -> float:
        """The seconds per request in the first half."""
        return (now - self.first.since) / max(1, self.first.started)

    @property
    def shares(self) -> tuple[float, float]:
        """The refused share of each half."""
        return self.first.refused_share, self.second.refused_share if self.second else 0.0

    @property
    def load_matters(self) -> bool:
        """Whether fewer requests were refused because fewer were sent."""
        before, after = self.shares
        return after <= before / 4 or 1 - after >= 1.7 * (1 - before)
