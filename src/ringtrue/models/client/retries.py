"""`RetryPolicy`: which failures are worth another attempt, and when."""

from __future__ import annotations

from random import Random

from ringtrue.errors import ModelError
from ringtrue.require import require_count, require_number

_STATUSES = frozenset({408, 409, 425})
_KINDS = frozenset({"timeout", "connection", "malformed", "rate_limit"})


class RetryPolicy:
    """At most `max_retries` more attempts, after random waits that double, and never before the endpoint's own time.

    Tried again: 408, 409, 425, 429, every 5xx, timeouts, broken connections, bodies that end early or are not a reply.
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

    def worth_retrying(self, error: ModelError) -> bool:
        """Whether the same request may well succeed later."""
        if error.kind == "http":
            status = error.status
            # An error that names no status, inside a response that says 200, is most often a passing one.
            return status is None or status >= 500 or status in _STATUSES
        return error.kind in _KINDS

    def wait_seconds(self, attempts: int, said_seconds: float | None = None) -> float:
        """How long to wait after so many attempts: uniform up to a doubling bound, and never less than was said."""
        bound = min(self.longest_seconds, self.base_seconds * 2.0 ** min(attempts - 1, 60))
        wait = self._random.uniform(0.0, bound)
        if said_seconds is None:
            return wait
        # The spread keeps those that were told the same time from arriving in one moment.
        return max(wait, said_seconds + self._random.uniform(0.0, self.base_seconds / 4))

    def __repr__(self) -> str:
        return f"RetryPolicy({self.max_retries}, base_seconds={self.base_seconds})"
