"""`RetryPolicy`: which failures are worth another attempt, and when; `Tries`: the attempts at one request so far.

Also how long an endpoint asks to be left alone.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from math import isfinite
from random import Random

from ringtrue.errors import ModelError
from ringtrue.models.client.silence import GivenUp
from ringtrue.models.patience import after_timeouts
from ringtrue.require import require_count, require_number

_STATUSES = frozenset({408, 409, 425})
_UNKNOWN = 501
"""What is not implemented is not implemented a second later."""
_KINDS = frozenset({"timeout", "connection", "malformed", "rate_limit"})


class Unreachable(ModelError):
    """No connection: nothing listens at the address, or its name is unknown."""


@dataclass(slots=True)
class Tries:
    """The attempts at one request: how many there were, and what became of them.

    A refusal that names a time and a silence that was given up early are not `failures`: the deadline bounds them.
    """

    attempts: int = 0
    failures: int = 0
    timeouts: int = 0
    given_up: int = 0

    def note(self, error: ModelError, said_seconds: float | None) -> None:
        """The latest attempt failed."""
        silent = isinstance(error, GivenUp)
        self.given_up += silent
        self.timeouts += error.kind == "timeout"
        self.failures += not silent and not (error.kind == "rate_limit" and said_seconds)

    def attempt_seconds(self, seconds: float) -> float:
        """Return the seconds for the next attempt, given the seconds of the first."""
        return after_timeouts(seconds, self.timeouts - self.given_up)


class RetryPolicy:
    """At most `max_retries` more attempts, after random waits that double, and never before the endpoint's own time.

    Tried again: 408, 409, 425, 429, every 5xx but 501, timeouts, broken connections, bodies that end early or are not
    reply.
    Not tried again: any other 4xx, a used-up account, a refusal.
    """

    def __init__(
        self,
        max_retries: int = 5,
        *,
        base_seconds: float = 0.5,
        longest_seconds: float = 30.0,
        seed: int | None = None,
    ) -> None:
        require_count("max_retries", max_retries, least=0)
        for name, value in (("base_seconds", base_seconds), ("longest_seconds", longest_seconds)):
            require_number(name, value, least=0)
        self.max_retries = max_retries
        self.base_seconds = base_seconds
        self.longest_seconds = longest_seconds
        self._random = Random(seed)

    def wait_after(self, error: ModelError, tries: Tries, said_seconds: float | None) -> float | None:
        """Return the seconds to wait before another attempt, None if there is to be none."""
        if tries.failures > self.max_retries or not self.max_retries or not self.worth_retrying(error):
            return None
        return 0.0 if isinstance(error, GivenUp) else self.wait_seconds(tries.attempts, said_seconds)

    def worth_retrying(self, error: ModelError) -> bool:
        """Whether the same request may well succeed later."""
        if error.kind == "http":
            status = error.status
            # An error that names no status, inside a response that says 200, is most often a passing one.
            return status is None or (status >= 500 and status != _UNKNOWN) or status in _STATUSES
        return error.kind in _KINDS

    def wait_seconds(self, attempts: int, said_seconds: float | None = None) -> float:
        """Return the seconds to wait after this many attempts: random up to a doubling bound, never less than asked."""
        bound = min(self.longest_seconds, self.base_seconds * 2.0 ** min(attempts - 1, 60))
        wait = self._random.uniform(0.0, bound)
        if said_seconds is None:
            return wait
        # The spread keeps requests with the same time to wait from arriving in one moment.
        return max(wait, said_seconds + self._random.uniform(0.0, self.base_seconds / 4))

    def __repr__(self) -> str:
        return f"RetryPolicy({self.max_retries}, base_seconds={self.base_seconds})"


_UNITS = {"ms": 0.001, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}
_SPAN = re.compile(r"(\d{1,12}(?:\.\d{1,12})?)(ms|s|m|h|d)")
_EPOCH = 1_000_000_000
"""A number of seconds this large is a point in time, not a wait."""


def retry_after(headers: Mapping[str, str], now: float) -> float | None:
    """The seconds until a request may be sent again: `Retry-After` as seconds or date, `retry-after-ms`, or None.

    `now` is the wall clock. A date is compared with the response's own `Date`, so that a clock that runs ahead of the
    endpoint's never makes a retry early.
    """
    said = [
        _number(headers.get("retry-after-ms"), 0.001),
        _number(headers.get("Retry-After")),
        _until_date(headers.get("Retry-After"), headers.get("Date"), now),
    ]
    known = [seconds for seconds in said if seconds is not None]
    return max(known) if known else None


def exhausted_for(headers: Mapping[str, str], now: float) -> float:
    """The seconds until an allowance that is used up is renewed, 0 while there is some left or nothing is said."""
    longest = 0.0
    for what in ("requests", "tokens"):
        left = headers.get(f"x-ratelimit-remaining-{what}")
        if left is not None and _number(left) == 0:
            longest = max(longest, span(headers.get(f"x-ratelimit-reset-{what}", ""), now))
    return longest


def span(text: str, now: float) -> float:
    """The seconds in `6m0s`, `12ms`, `1.5`, a point in time as epoch seconds or as ISO 8601; 0 for anything else."""
    text = text.strip()[:64]
    number = _number(text)
    if number is not None:
        if number >= 1000 * _EPOCH:
            number /= 1000
        return max(0.0, number - now) if number >= _EPOCH else number
    parts = _SPAN.findall(text)
    if parts and "".join(amount + unit for amount, unit in parts) == text:
        return sum(float(amount) * _UNITS[unit] for amount, unit in parts)
    try:
        moment = datetime.fromisoformat(text)
    except ValueError:
        return 0.0
    return max(0.0, (moment if moment.tzinfo else moment.replace(tzinfo=UTC)).timestamp() - now)


def _number(text: str | None, unit: float = 1.0) -> float | None:
    try:
        seconds = float(text) * unit if text is not None and len(text) < 64 else -1.0
    except ValueError:
        return None
    return seconds if isfinite(seconds) and seconds >= 0 else None


def _until_date(text: str | None, date: str | None, now: float) -> float | None:
    moment = _moment(text)
    if moment is None:
        return None
    there = _moment(date)
    return max(0.0, moment - (now if there is None else there))


def _moment(text: str | None) -> float | None:
    try:
        return parsedate_to_datetime(text).timestamp() if text is not None and len(text) < 64 else None
    except (TypeError, ValueError, OverflowError):
        return None
