"""`Spending`: what a judge has cost so far, held against a budget."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from math import fsum

from multivon_eval._cost_models import estimate_cost_usd
from multivon_eval.costs import CostTracker, reset_token, set_active_tracker
from multivon_eval.judge import JudgeConfig
from ringtrue.models.tokens import estimate

Ask = Callable[[JudgeConfig, str, str], str]
Estimate = Callable[[JudgeConfig, str, str], float]


def estimated_cost(judge: JudgeConfig, asked: str, said: str) -> float:
    """What a reply costs by the length of its texts; 0.0 where the model has no price."""
    return cost_of_tokens(judge, estimate(asked), estimate(said))


def cost_of_tokens(judge: JudgeConfig, sent: int, received: int) -> float:
    """What so many tokens cost; 0.0 where the model has no price."""
    return estimate_cost_usd(judge.model, input_tokens=sent, output_tokens=received) or 0.0


class Spending:
    """Asks a judge, and adds up what that cost: by the tokens it counted, or an estimate where it counted none.

    What a model without a price costs, nobody knows: it adds nothing.
    """

    def __init__(self, budget_usd: float, ask: Ask, estimated: Estimate = estimated_cost) -> None:
        self.budget_usd = budget_usd
        self._ask, self._estimated, self._tracker, self._guessed = ask, estimated, CostTracker(), 0.0

    def asked(self, judge: JudgeConfig, system: str, user: str) -> str:
        """What the judge replies."""
        before = self._tracker.snapshot().total_calls
        with self.watched():
            said = self._ask(judge, system, user)
        if self._tracker.snapshot().total_calls == before:
            self._guessed += self._estimated(judge, f"{system}\n\n{user}", said)
        return said

    @contextmanager
    def watched(self) -> Iterator[None]:
        """Within, all that judges reply is added up."""
        token = set_active_tracker(self._tracker)
        try:
            yield
        finally:
            reset_token(token)

    @property
    def total(self) -> float:
        """What was spent so far, in dollars."""
        return fsum([self._guessed, *(one.cost_usd or 0.0 for one in self._tracker.snapshot().by_model)])

    @property
    def exhausted(self) -> bool:
        """Whether the budget is spent."""
        return self.total >= self.budget_usd
