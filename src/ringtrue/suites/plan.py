"""Which checks measure which case of a suite, and with what weight."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

from ringtrue.dialects.suite import result_of
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import AdaptedEvaluator, Evaluator, as_evaluator
from ringtrue.evaluators.spec import build
from ringtrue.identity import digest
from ringtrue.records import Case, Output, Row, Score, Trial
from ringtrue.reports.case_result import CaseResult, merged
from ringtrue.require import require_number
from ringtrue.runner.plan import Plan

Id = str | int


@dataclass(frozen=True)
class Weighted:
    """A check and its weight in a case's score."""

    evaluator: Evaluator
    weight: float = 1.0
    given: Any = None
    """The object the caller gave, before it was adapted."""


def weighted(item: Any, weight: float = 1.0) -> Weighted:
    """An evaluator, a spec of one, or a pair of one of those and its weight, as a check."""
    if isinstance(item, tuple) and len(item) == 2:
        item, weight = item
    require_number("weight", weight, above=0)
    return Weighted(build(item) if isinstance(item, str) else as_evaluator(item), float(weight), item)


@dataclass(frozen=True)
class ByCase:
    """Checks of one name that belong to single cases: each measures its own and no other."""

    name: str
    members: Mapping[Id, Evaluator]

    def __post_init__(self) -> None:
        if self.blocking and any(inspect.iscoroutinefunction(member.measure) for member in self.members.values()):
            raise ConfigurationError(
                f"some of the checks named {self.name!r} are asynchronous and some block; give one name=",
                parameter="evaluators",
                value=self.name,
            )

    @cached_property
    def keys(self) -> tuple[str, ...]:
        """The keys of all members."""
        return tuple(dict.fromkeys(key for member in self.members.values() for key in member.keys))

    @cached_property
    def blocking(self) -> bool:
        """Whether a member wants to leave the event loop."""
        return any(
            getattr(member, "blocking", isinstance(member, AdaptedEvaluator)) for member in self.members.values()
        )

    @property
    def local(self) -> bool:
        """Whether a member asks the model of this process."""
        return any(getattr(member, "local", False) for member in self.members.values())

    def measure(self, trial: Trial) -> Score:
        """What the case's own check says."""
        return self.members[trial.case.id].measure(trial)

    def signature(self) -> str:
        """The signature of every member, as a hash."""
        parts = [part for key, member in self.members.items() for part in (repr(key), member.signature())]
        return f"{self.name}=ByCase({len(self.members)})|sha256:{digest(*parts)[:16]}"


@dataclass(frozen=True)
class SuitePlan:
    """The checks of every case, and those that a case has for itself."""

    everywhere: Sequence[Weighted]
    own: Mapping[Id, Sequence[Weighted]]

    def plan(self, cases: Sequence[Case]) -> Plan:
        """The runner's plan for these cases; a case that nothing would measure is refused."""
        groups: dict[str, dict[Id, Evaluator]] = {}
        for case in cases:
            checks = self.own.get(case.id, ())
            if not checks and not self.everywhere:
                raise ConfigurationError(
                    f"nothing measures the case {case.id!r}; add_evaluators(...), or add_case(case, evaluators=[...])",
                    parameter="evaluators",
                    value=case.id,
                )
            for check in checks:
                group = groups.setdefault(check.evaluator.name, {})
                if case.id in group:
                    raise ConfigurationError(
                        f"the case {case.id!r} has two checks named {check.evaluator.name!r}; give one name=",
                        parameter="evaluators",
                        value=check.evaluator.name,
                    )
                group[case.id] = check.evaluator
        alone = [ByCase(name, members) for name, members in groups.items()]
        only = {group.name: _membership(group) for group in alone}
        return Plan((*(check.evaluator for check in self.everywhere), *alone), only)

    def result(self, case: Case, rows: Sequence[Row], runs: int) -> CaseResult:
        """What the rows of one case say together; a run that did not take place counts as skipped."""
        trials = [self._trial(row) for row in rows]
        weights = {check.evaluator.name: check.weight for check in self._checks(case)}
        missing = CaseResult(case.input, "", tags=case.tags, skipped=True, case_id=case.id, weights=weights)
        return merged([*trials, *[missing] * (runs - len(trials))])

    def _checks(self, case: Case) -> list[Weighted]:
        return [*self.everywhere, *self.own.get(case.id, ())]

    def _trial(self, row: Row) -> CaseResult:
        case, output = row.trial.case, row.trial.output
        checks = {check.evaluator.name: check for check in self._checks(case)}
        source = case.fields.get("source_id")
        return CaseResult(
            case.input,
            output.text,
            tuple(
                result_of(name, _decided(checks[name].evaluator, output, score)) for name, score in row.scores.items()
            ),
            None if output.latency_seconds is None else output.latency_seconds * 1_000,
            case.tags,
            output.problem if output.error else None,
            output.error == "timeout",
            case_id=case.id,
            source_id=None if source is None else str(source),
            expected=case.expected,
            weights={name: check.weight for name, check in checks.items()},
            input_tokens=output.input_tokens,
            output_tokens=output.output_tokens,
            cost=output.cost,
        )


def _membership(group: ByCase) -> Any:
    return lambda case: case.id in group.members


def _decided(evaluator: Evaluator, output: Output, score: Score) -> Score:
    """A suite needs verdicts: a number without one passes at its evaluator's threshold, or at 0.5; no output fails."""
    if score.value is None or score.passed is False:
        return score
    if output.problem:
        return Score(0.0, "scored", False, output.problem)  # a user's evaluator sees an empty text and may like it
    return replace(score, passed=score.passed or score.value >= float(getattr(evaluator, "threshold", 0.5)))
