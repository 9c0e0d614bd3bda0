"""Time limits for models: the one place where waiting times are set."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from math import inf

from ringtrue.records import Json

ENDPOINT_SECONDS = 60.0
"""One attempt at an endpoint, where neither it nor the request says otherwise."""
JUDGE_SECONDS = 600.0
"""One attempt at a judge: reasoning models think for minutes before the first word comes."""
_LONGER = {"high": 2.0, "xhigh": 3.0, "max": 3.0}
"""Effort -> how many times as long."""


def judge_seconds(parameters: Mapping[str, Json]) -> float:
    """Return the seconds for one attempt at a judge, by the effort that its request asks for."""
    reasoning = parameters.get("reasoning")
    wanted_effort = reasoning.get("effort") if isinstance(reasoning, Mapping) else parameters.get("reasoning_effort")
    return JUDGE_SECONDS * _LONGER.get(wanted_effort if isinstance(wanted_effort, str) else "", 1.0)


def deadline_for(attempt_seconds: float) -> float:
    """Return the seconds for a call with all its attempts: a first one, and after a timeout one of twice its time."""
    return max(5 * min(attempt_seconds, ENDPOINT_SECONDS), 3 * attempt_seconds)


def after_timeouts(attempt_seconds: float, timeouts: int) -> float:
    """Return the seconds for the next attempt: what was too short once is too short again."""
    return attempt_seconds * 2.0 ** min(timeouts, 10)


class AnswerTimes:
    """The durations of a model's latest answers, and the silence after which no answer will come.

    That is six times the 99th percentile, and three seconds at least; nothing is known before twenty answers.
    """

    FLOOR_SECONDS = 3.0
    MULTIPLE = 6.0
    LEAST_ANSWERS = 20

    def __init__(self) -> None:
        self._seconds: deque[float] = deque(maxlen=256)
        self._limit = inf
        self._since = 0

    def note(self, seconds: float) -> None:
        """An answer took so long."""
        self._seconds.append(seconds)
        self._since += 1
        if len(self._seconds) >= self.LEAST_ANSWERS and (self._limit == inf or self._since >= self.LEAST_ANSWERS):
            self._since = 0
            slow = sorted(self._seconds)[-1 - len(self._seconds) // 100]
            self._limit = max(self.FLOOR_SECONDS, self.MULTIPLE * slow)

    def silence_seconds(self, given_up: int) -> float:
        """The seconds a request may be silent; they double each time it was abandoned."""
        return after_timeouts(self._limit, given_up)
