"""`Latency` and `MaxLatency`: the output came in time."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

from ringtrue.evaluators.check import Check
from ringtrue.records import Score, Trial
from ringtrue.require import require_number

_NEARLY = 1 - 1e-12


@dataclass(frozen=True)
class Latency(Check):
    """Passes if the output took at most `max_ms` milliseconds; above that the score falls to 0 at twice the limit."""

    default_name = "latency"
    parts = ("latency",)
    needs = "the latency of the output; without one the check is skipped"
    formula = "1 if latency <= max_ms, else max(0, 2 - latency / max_ms)"

    max_ms: float
    threshold: float = 1.0

    def __post_init__(self) -> None:
        super().__post_init__()
        require_number("max_ms", self.max_ms, above=0)

    @cached_property
    def _in_time(self) -> Score:
        return self.verdict(1.0)

    @cached_property
    def _unknown(self) -> Score:
        return Score.skipped("no latency is known")

    def grade(self, trial: Trial) -> Score:
        """Full marks in time; skipped where no latency is known."""
        seconds = trial.output.latency_seconds
        if seconds is None:
            return self._unknown
        # Milliseconds become seconds by the division that made the latency, so that a latency of max_ms is in time.
        limit = self.max_ms / 1_000
        if seconds <= limit:
            return self._in_time
        took = seconds * 1_000
        # Twelve decimals, so that 140 ms of 100 are 0.6 and not the binary fraction below it; too late is never 1.
        value = min(max(0.0, round(2 - seconds / limit, 12)), _NEARLY)
        reason = f"took {took:,.0f} ms; at most {self.max_ms:,.0f} ms are allowed"
        return self.verdict(value, reason, latency_ms=took)


@dataclass(frozen=True)
class MaxLatency(Latency):
    """Passes if the output took at most `max_ms` milliseconds: `Latency` under another name."""

    default_name = "max_latency"
    parts = ("max_latency",)
