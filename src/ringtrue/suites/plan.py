"""The checks that measure each case of a suite, and their weights."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator, as_evaluator
from ringtrue.evaluators.by_case import ByCase, Id
from ringtrue.evaluators.spec import build
from ringtrue.records import Case, Json
from ringtrue.require import require_number
from ringtrue.runner.plan import Plan


@dataclass(frozen=True)
class WeightedCheck:
    """A check and its weight in a case's score."""

    evaluator: Evaluator
    weight: float = 1.0
    given: Any = None
    """The object the caller gave, before it was adapted."""


def weighted_check(item: Any, weight: float = 1.0) -> WeightedCheck:
    """An evaluator, a spec of one, or a pair of one of those and its weight, as a check."""
    if isinstance(item, tuple) and len(item) == 2:
        item, weight = item
    require_number("weight", weight, above=0)
    return WeightedCheck(build(item) if isinstance(item, str) else as_evaluator(item), float(weight), item)


@dataclass(frozen=True)
class SuitePlan:
    """The checks of every case, and those that a case has for itself."""

    everywhere: Sequence[WeightedCheck]
    own: Mapping[Id, Sequence[WeightedCheck]]

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

    def weights(self) -> dict[str, Json]:
        """The weights that a run keeps: those of the checks of every case, and those of single cases."""
        shared = {check.evaluator.name: check.weight for check in self.everywhere if check.weight != 1}
        own = {
            str(case): {check.evaluator.name: check.weight for check in checks if check.weight != 1}
            for case, checks in self.own.items()
        }
        return {"weights": shared, "case_weights": {case: found for case, found in own.items() if found}}


def _membership(group: ByCase) -> Any:
    return lambda case: case.id in group.members
