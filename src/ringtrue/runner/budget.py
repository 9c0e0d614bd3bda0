"""`Budget`: what a run may use up."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from ringtrue.records import Case, Json, Output, Score, Trial

JUDGE_ERROR = "judge_error"
"""The kind of a score that a judge failed to give."""


@dataclass
class Budget:
    """The limits of a run, and what it has used so far; the first limit that is exceeded stops it.

    `count` gives the tokens that were sent and that came where a system does not. `judge_cost` and `judge_tokens` are
    the judges' part; `calls` and `cache_hits` are theirs; `unpriced` are judgements with unknown cost.
    """

    max_cost: float | None = None
    max_tokens: int | None = None
    max_errors: int | None = None
    count: Callable[[Trial], tuple[int, int]] | None = None
    cost: float = 0.0
    tokens: int = 0
    errors: int = 0
    calls: int = 0
    cache_hits: int = 0
    unpriced: int = 0
    judge_cost: float = 0.0
    judge_tokens: int = 0
    passed_limit: str = ""

    def charge(self, case: Case, output: Output) -> None:
        """Count what an answer used."""
        self.cost += output.cost or 0.0
        if self.max_tokens is not None and self.count is not None and not output.error:
            self.tokens += sum(self.count(Trial(case, output)))
        else:
            self.tokens += (output.input_tokens or 0) + (output.output_tokens or 0)
        self.errors += bool(output.error)
        self.look()

    def count_scores(self, scores: Iterable[Score]) -> None:
        """Count what judgements used, and those that failed."""
        for score in scores:
            self.errors += score.metadata.get("kind") == JUDGE_ERROR
            self.calls += score.calls
            self.tokens += score.tokens
            self.judge_tokens += score.tokens
            cost = score.metadata.get("cost")
            self.unpriced += bool(score.calls) and cost is None
            self.cost += _number(cost)
            self.judge_cost += _number(cost)
            self.cache_hits += int(_number(score.metadata.get("cache_hits")))
        self.look()

    def judge_bill(self) -> dict[str, float | None]:
        """Return the judges' calls, cached replies, tokens, and dollars if all prices are known."""
        return {
            "calls": self.calls,
            "cache_hits": self.cache_hits,
            "tokens": self.judge_tokens,
            "cost": None if self.unpriced else self.judge_cost,
        }

    @property
    def spent(self) -> str:
        """The first limit that was exceeded, and the amount used by now; the empty string while none is."""
        for name, used, limit in self._limits():
            if name == self.passed_limit:
                return f"--max-{name} {limit:g} is used up ({used:g})"
        return ""

    def look(self) -> None:
        """Find out whether a limit is passed by now."""
        for name, used, limit in self._limits():
            if limit is not None and used > limit and not self.passed_limit:
                self.passed_limit = name

    def _limits(self) -> tuple[tuple[str, float, float | None], ...]:
        return (
            ("cost", self.cost, self.max_cost),
            ("tokens", self.tokens, self.max_tokens),
            ("errors", self.errors, self.max_errors),
        )


def _number(value: Json) -> float:
    return value if isinstance(value, (int, float)) else 0.0
