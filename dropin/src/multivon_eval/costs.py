"""`Costs`: what the judges of a run took, in tokens and dollars, as far as it is known."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from contextvars import ContextVar, Token
from dataclasses import asdict, dataclass, field, replace
from math import fsum
from typing import Any

from multivon_eval._cost_models import ModelPricing, estimate_cost_usd, register_pricing
from ringtrue.evaluators.check import is_number

__all__ = [
    "CostTracker", "Costs", "ModelPricing", "ProviderUsage", "active_tracker", "record_call", "register_pricing",
    "reset_token", "set_active_tracker",
]  # fmt: skip

JUDGES = "recorded_judge_responses"
WHOLE_RUN = "run_provider_usage"


@dataclass
class ProviderUsage:
    """What one model of one provider took; a cost of None is unknown."""

    provider: str
    model: str
    input_tokens: int = 0
    output_tokens: int = 0
    calls: int = 0
    cost_usd: float | None = 0.0

    def __post_init__(self) -> None:
        counts = (self.input_tokens, self.output_tokens, self.calls)
        if any(type(count) is not int or count < 0 for count in counts):
            raise ValueError(f"calls and tokens are counted in whole numbers, 0 or more; got {counts}")
        cost = self.cost_usd
        if cost is not None and (not is_number(cost) or cost < 0):
            raise ValueError(f"cost_usd is a number of dollars, 0 or more, or None; got {cost!r}")

    @property
    def total_tokens(self) -> int:
        """Tokens sent and received."""
        return self.input_tokens + self.output_tokens

    def to_dict(self) -> dict[str, Any]:
        """The usage as a report writes it."""
        return {**asdict(self), "total_tokens": self.total_tokens}


@dataclass
class Costs:
    """What was recorded, by model; the whole run's cost is known only where somebody declares that nothing is missing.

    `scope` tells what was recorded: the judges' replies, or all that the run asked for.
    """

    by_model: list[ProviderUsage] = field(default_factory=list)
    scope: str = JUDGES
    coverage_declaration: str | None = None
    evidence_gaps: list[str] = field(default_factory=list)
    evidence: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        said = self.coverage_declaration
        if said is not None and (not isinstance(said, str) or not said.strip()):
            raise ValueError(f"coverage_declaration says why nothing is missing; got {said!r}")

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> Costs:
        """What `to_dict` wrote; the totals are made anew."""
        names = ("provider", "model", "input_tokens", "output_tokens", "calls", "cost_usd")
        return cls(
            [ProviderUsage(**{name: row[name] for name in names}) for row in data["by_model"]],
            data.get("scope", "legacy_recorded_usage"),
            data.get("coverage_declaration"),
            list(data.get("evidence_gaps", [])),
            dict(data.get("evidence", {})),
        )

    @property
    def complete(self) -> bool:
        """Whether all that the run asked for is said to be here, and nothing speaks against it."""
        return self.scope == WHOLE_RUN and bool(self.coverage_declaration) and not self.evidence_gaps

    @property
    def total_input_tokens(self) -> int:
        """Tokens sent."""
        return sum(one.input_tokens for one in self.by_model)

    @property
    def total_output_tokens(self) -> int:
        """Tokens received."""
        return sum(one.output_tokens for one in self.by_model)

    @property
    def total_tokens(self) -> int:
        """Tokens sent and received."""
        return self.total_input_tokens + self.total_output_tokens

    @property
    def total_calls(self) -> int:
        """Replies."""
        return sum(one.calls for one in self.by_model)

    @property
    def recorded_cost_usd(self) -> float | None:
        """What the recorded replies cost; None where a model has no price."""
        known = [one.cost_usd for one in self.by_model if one.cost_usd is not None]
        return fsum(known) if len(known) == len(self.by_model) else None

    @property
    def total_cost_usd(self) -> float | None:
        """What the whole run cost; None unless it is complete and every model has a price."""
        return self.recorded_cost_usd if self.complete else None

    def to_dict(self) -> dict[str, Any]:
        """The costs as a report writes them."""
        totals = (
            "total_input_tokens", "total_output_tokens", "total_tokens", "total_calls", "total_cost_usd",
            "recorded_cost_usd", "scope", "coverage_declaration", "complete", "evidence",
        )  # fmt: skip
        told = {name: getattr(self, name) for name in totals}
        gaps = list(self.evidence_gaps)
        return {**told, "evidence_gaps": gaps, "by_model": [one.to_dict() for one in self.by_model]}

    def __str__(self) -> str:
        if not self.by_model:
            return "Costs: nothing was asked, as declared" if self.complete else "Costs: no judge calls recorded"
        lines = [f"Costs ({self.scope}): {_took(self.total_calls, self.total_input_tokens, self.total_output_tokens)}"]
        for one in self.by_model:
            took = _took(one.calls, one.input_tokens, one.output_tokens)
            lines.append(f"  {one.provider}/{one.model}: {took}, {_dollars(one.cost_usd)}")
        return "\n".join([*lines, f"  the whole run: {_dollars(self.total_cost_usd)}"])


def _took(calls: int, sent: int, received: int) -> str:
    return f"{calls} calls, {sent:,} tokens sent, {received:,} received"


def _dollars(amount: float | None) -> str:
    return "cost unknown" if amount is None else f"${amount:.4f}"


class CostTracker:
    """Adds up what is recorded, from any thread."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, str], ProviderUsage] = {}
        self._lock = threading.Lock()

    def record(self, *, provider: str, model: str, input_tokens: int, output_tokens: int) -> None:
        """One more reply."""
        cost = estimate_cost_usd(model, input_tokens=input_tokens, output_tokens=output_tokens)
        with self._lock:
            before = self._found.get((provider, model)) or ProviderUsage(provider, model)
            known = cost is not None and before.cost_usd is not None
            self._found[provider, model] = ProviderUsage(
                provider,
                model,
                before.input_tokens + input_tokens,
                before.output_tokens + output_tokens,
                before.calls + 1,
                fsum((before.cost_usd or 0.0, cost or 0.0)) if known else None,
            )

    def snapshot(self) -> Costs:
        """What was recorded so far."""
        with self._lock:
            return Costs([replace(self._found[key]) for key in sorted(self._found)])

    def reset(self) -> None:
        """Begin anew."""
        with self._lock:
            self._found.clear()


_ACTIVE: ContextVar[CostTracker | None] = ContextVar("multivon_eval_cost_tracker", default=None)


def active_tracker() -> CostTracker | None:
    """The tracker that replies are recorded by, if any."""
    return _ACTIVE.get()


def set_active_tracker(tracker: CostTracker | None) -> Token[CostTracker | None]:
    """Record by this tracker from now on; `reset_token` takes that back."""
    return _ACTIVE.set(tracker)


def reset_token(token: Token[CostTracker | None]) -> None:
    """Take a `set_active_tracker` back."""
    _ACTIVE.reset(token)


def record_call(*, provider: str, model: str, input_tokens: int, output_tokens: int) -> None:
    """Record one reply where somebody wants to know; a reply that tells no tokens is not recorded."""
    tracker = active_tracker()
    if tracker is not None and (input_tokens or output_tokens):
        tracker.record(provider=provider, model=model, input_tokens=input_tokens, output_tokens=output_tokens)
