"""`Plan`: which evaluators measure, under which names; checked before the first trial."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.text_check import TextCheck, longest_of
from ringtrue.records import Case, Row, Score, Trial
from ringtrue.safetext import short_repr
from ringtrue.systems.replay import Texts

LONGEST_NAME = 200


def require_name(name: object, parameter: str) -> None:
    """Raise a ConfigurationError unless a name is text that every database, page and file can hold."""
    if not isinstance(name, str) or not 0 < len(name) <= LONGEST_NAME:
        raise ConfigurationError(
            f"a name is text of 1 to {LONGEST_NAME} characters; got {short_repr(name)}", parameter=parameter, value=name
        )
    if "\0" in name or any("\ud800" <= character <= "\udfff" for character in name):
        raise ConfigurationError(
            f"the name {name!r} holds a character that cannot be stored (NUL, or half of a surrogate pair)",
            parameter=parameter,
            value=name,
        )


@dataclass(frozen=True)
class Plan:
    """Evaluators whose names and score keys are all different."""

    evaluators: tuple[Evaluator, ...]
    only: Mapping[str, Callable[[Case], bool]] = field(default_factory=dict)
    """Evaluator name -> whether it is meant for a case; an evaluator that is not here measures every case."""

    def __post_init__(self) -> None:
        if not self.evaluators:
            raise ConfigurationError("no evaluator given; 'ringtrue list evaluators' shows all", parameter="evaluators")
        for evaluator in self.evaluators:
            require_name(evaluator.name, "evaluators")
        owners: dict[str, str] = {}
        for kind in ("name", "key"):
            owners.clear()
            for evaluator in self.evaluators:
                for label in (evaluator.name,) if kind == "name" else evaluator.keys:
                    if label in owners:
                        raise ConfigurationError(
                            f"{evaluator.name!r} and {owners[label]!r} both have the {kind} {label!r}; give one name=",
                            parameter="evaluators",
                            value=label,
                        )
                    owners[label] = evaluator.name

    @cached_property
    def signed(self) -> tuple[tuple[Evaluator, str], ...]:
        """The evaluators, each with its signature."""
        return tuple((evaluator, evaluator.signature()) for evaluator in self.evaluators)

    def signed_for(self, case: Case) -> tuple[tuple[Evaluator, str], ...]:
        """The evaluators meant for a case, each with its signature."""
        if not self.only:
            return self.signed
        return tuple(pair for pair in self.signed if pair[0].name not in self.only or self.only[pair[0].name](case))

    @cached_property
    def awaited(self) -> bool:
        """Whether an evaluator asks somebody, so that its score has to be waited for."""
        return any(map(is_awaited, self.evaluators))

    @property
    def reads_only_texts(self) -> bool:
        """Whether response and expected answers are all that is looked at, so that no trial has to be built."""
        return all(isinstance(evaluator, TextCheck) for evaluator in self.evaluators)

    def measure(self, trials: Sequence[Trial]) -> list[list[Score]]:
        """One column of scores per evaluator."""
        return [measure_all(evaluator, trials) for evaluator in self.evaluators]

    def measure_texts(self, columns: Texts) -> list[list[Score]]:
        """The same columns without trials, for a plan that reads only texts."""
        longest = longest_of(*columns)
        return [ev.measure_texts(*columns, longest=longest) for ev in self.evaluators if isinstance(ev, TextCheck)]

    def rows(self, trials: Sequence[Trial], first: int = 0) -> list[Row]:
        """The trials with their scores."""
        names = [evaluator.name for evaluator in self.evaluators]
        columns = self.measure(trials)
        return [
            Row(trial, dict(zip(names, scores, strict=True)), position)
            for position, (trial, *scores) in enumerate(zip(trials, *columns, strict=True), first)
        ]


def is_awaited(evaluator: Evaluator) -> bool:
    """Whether an evaluator asks somebody; of checks that belong to single cases, whether one of them does."""
    members = getattr(evaluator, "members", ())
    inside = members.values() if isinstance(members, Mapping) else ()
    return inspect.iscoroutinefunction(evaluator.measure) or any(map(is_awaited, inside))


def measure_all(evaluator: Evaluator, trials: Sequence[Trial]) -> list[Score]:
    """The scores of one evaluator; what it raises becomes the score of the trial it was raised on."""
    many = getattr(evaluator, "measure_many", None)
    if many is not None:
        try:
            scores: list[Score] = many(trials)
            return scores
        except Exception:
            # A user's batch may raise anything, too; trial by trial below it is raised again, and has a trial to go to.
            pass
    return [_measured(evaluator, trial) for trial in trials]


def _measured(evaluator: Evaluator, trial: Trial) -> Score:
    try:
        return evaluator.measure(trial)
    except Exception as error:
        # A user's evaluator may raise anything, and one row must never cost the others.
        return Score.error(f"{type(error).__name__}: {error}", kind="evaluator_error")
