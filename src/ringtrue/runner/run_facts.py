"""`FactSums`: what rows hold beside their numbers, part by part; `facts_of`: the facts of any run."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from ringtrue.metrics.eval_rows import judge_cost
from ringtrue.records import Output, Row, Run, RunFacts
from ringtrue.runner.error_causes import ErrorCauses


@dataclass
class FactSums:
    """The facts of rows so far; those of other rows of the run merge into them."""

    unanswered: int = 0
    first_problem: str = ""
    reused: int = 0
    reused_since: float | None = None
    reused_from: dict[str, None] = field(default_factory=dict)
    unpriced: int = 0
    system_cost: float | None = 0.0
    judge_cost: float | None = 0.0
    causes: ErrorCauses = field(default_factory=ErrorCauses)

    def add(self, rows: Iterable[Row]) -> None:
        """Take rows in."""
        for row in rows:
            output, scores = row.trial.output, row.scores
            self.judge_cost = _plus(self.judge_cost, judge_cost(scores.values()))
            if output.error:
                self.unanswered += 1
                self.first_problem = self.first_problem or output.problem
                continue
            self.system_cost = _plus(self.system_cost, output.cost)
            self.unpriced += _has_no_price(output)
            if row.reused:
                self.reused += 1
                self.reused_since = _oldest(self.reused_since, row.answered_at)
                self.reused_from[row.answered_in] = None
            for name, score in scores.items():
                self.causes.note(name, score)

    def merge(self, other: FactSums) -> None:
        """Take the facts of other rows in."""
        self.unanswered += other.unanswered
        self.first_problem = self.first_problem or other.first_problem
        self.reused += other.reused
        self.reused_since = _oldest(self.reused_since, other.reused_since)
        self.reused_from |= other.reused_from
        self.unpriced += other.unpriced
        self.system_cost = _plus(self.system_cost, other.system_cost)
        self.judge_cost = _plus(self.judge_cost, other.judge_cost)
        self.causes.merge(other.causes)

    def facts(self) -> RunFacts:
        """The facts about the rows."""
        return RunFacts(
            unanswered=self.unanswered,
            first_problem=self.first_problem,
            reused=self.reused,
            reused_since=self.reused_since,
            reused_from=tuple(self.reused_from),
            unpriced=self.unpriced,
            system_cost=self.system_cost,
            judge_cost=self.judge_cost,
            causes=self.causes.by_frequency(),
        )


def facts_of(run: Run) -> RunFacts:
    """The facts of a run; one that has not ended, or that an earlier version kept, has to be read for them."""
    if run.facts is not None:
        return run.facts
    sums = FactSums()
    sums.add(run.rows)
    return sums.facts()


def _has_no_price(output: Output) -> bool:
    """Whether an endpoint counted an answer's tokens, and no price for them is known."""
    return output.cost is None and output.input_tokens is not None and output.output_tokens is not None


def _plus(first: float | None, second: float | None) -> float | None:
    return None if first is None or second is None else first + second


def _oldest(first: float | None, second: float | None) -> float | None:
    return min((one for one in (first, second) if one is not None), default=None)
