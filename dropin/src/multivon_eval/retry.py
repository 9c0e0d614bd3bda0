"""`JudgeRetry`: a case whose judge could not be reached is asked again, after a while."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Sequence
from dataclasses import dataclass

from multivon_eval.case_result import EvalStatus

__all__ = ["JudgeRetry", "async_sleep_for_attempt", "should_retry", "sleep_for_attempt"]


@dataclass(frozen=True)
class JudgeRetry:
    """How often a case is asked at most, with growing pauses between, and after which statuses."""

    max_attempts: int = 3
    base_backoff: float = 1.0
    factor: float = 2.0
    jitter: float = 0.1
    max_backoff: float = 60.0
    retry_on: Sequence[str | EvalStatus] = ("judge_error",)

    def __post_init__(self) -> None:
        least = {"max_attempts": 1, "base_backoff": 0, "factor": 1, "jitter": 0, "max_backoff": 0}
        for name, bound in least.items():
            if not getattr(self, name) >= bound:
                raise ValueError(f"JudgeRetry: {name} must be {bound} or more; got {getattr(self, name)!r}")

    def normalized_retry_on(self) -> frozenset[str]:
        """The statuses as texts."""
        return frozenset(EvalStatus(status).value for status in self.retry_on)

    def backoff_for(self, attempt_index: int) -> float:
        """How many seconds to wait before an attempt, the first being 1: none, then the base, then ever longer."""
        if attempt_index <= 1:
            return 0.0
        wait = self.base_backoff * self.factor ** (attempt_index - 2)
        spread = wait * self.jitter
        return max(0.0, min(wait + (random.uniform(-spread, spread) if spread else 0.0), self.max_backoff))


def should_retry(status: EvalStatus, policy: JudgeRetry) -> bool:
    """Whether a case that ended so is asked again."""
    return status.value in policy.normalized_retry_on()


def sleep_for_attempt(policy: JudgeRetry, attempt_index: int) -> float:
    """Wait before an attempt; how many seconds."""
    seconds = policy.backoff_for(attempt_index)
    if seconds > 0:
        time.sleep(seconds)
    return seconds


async def async_sleep_for_attempt(policy: JudgeRetry, attempt_index: int) -> float:
    """`sleep_for_attempt`, awaited."""
    seconds = policy.backoff_for(attempt_index)
    if seconds > 0:
        await asyncio.sleep(seconds)
    return seconds
