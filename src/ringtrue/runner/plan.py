"""`Plan`: which evaluators measure, under which names; checked before the first trial."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from ringtrue.dialects.dicts import NO_RESPONSE
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.parts import evaluator_info, threshold_of
from ringtrue.evaluators.text_check import TextCheck, longest_of
from ringtrue.records import Case, EvaluatorInfo, Output, Score, Trial
from ringtrue.runner.failures import error_score, no_answer_score
from ringtrue.safetext import short_repr
from ringtrue.stats.summarise import part_keys
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
    """Evaluators whose names are all different."""

    evaluators: tuple[Evaluator, ...]
    only: Mapping[str, Callable[[Case], bool]] = field(default_factory=dict)
    """Evaluator name -> whether it is meant for a case; an evaluator that is not here measures every case."""
    thresholds: Mapping[str, float] = field(default_factory=dict)
    """Evaluator name -> what it passes at in this plan; an evaluator that is not here has its own threshold."""

    def __post_init__(self) -> None:
        if not self.evaluators:
            raise ConfigurationError("no evaluator given; 'ringtrue list evaluators' shows all", parameter="evaluators")
        for evaluator in self.evaluators:
            require_name(evaluator.name, "evaluators")
        names = [evaluator.name for evaluator in self.evaluators]
        repeated = next((name for name in names if names.count(name) > 1), None)
        if repeated is not None:
            raise ConfigurationError(
                f"two evaluators are named {repeated!r}; give one another name, as in {repeated}(name='second')",
                parameter="evaluators",
                value=repeated,
            )

    @cached_property
    def signed_evaluators(self) -> tuple[tuple[Evaluator, str], ...]:
        """The evaluators, each with its signature; a threshold of the plan's own is part of it."""
        own = {name: f"|passes at {value:g}" for name, value in self.thresholds.items()}
        return tuple((one, one.signature() + own.get(one.name, "")) for one in self.evaluators)

    @cached_property
    def infos(self) -> tuple[EvaluatorInfo, ...]:
        """The facts that a run keeps of the evaluators."""
        found = (evaluator_info(evaluator, signature) for evaluator, signature in self.signed_evaluators)
        return tuple(replace(one, threshold=self.thresholds.get(one.name, one.threshold)) for one in found)

    @property
    def keys(self) -> list[str]:
        """The names of the scores in a row; none if an evaluator of the user's own says them only when it measures."""
        if not all(one.keys for one in self.infos):
            return []
        return [key for own in part_keys(self.infos).values() for key in own.values()]

    def with_verdict(self, evaluator: Evaluator, output: Output, score: Score) -> Score:
        """A score with its verdict: it passes from the evaluator's threshold upwards, or the plan's if it has one.

        A broken output never passes: a user's evaluator sees an empty text and may like it. Tool calls without text
        are broken only for evaluators that do not read calls.
        """
        if score.value is None:
            return score
        called = bool(output.tool_calls) and getattr(evaluator, "answers", "text") == "text or calls"
        if output.problem not in ("", NO_RESPONSE) and not called and score.passed is not False:
            return Score(0.0, passed=False, reason=output.problem)
        own = self.thresholds.get(evaluator.name)
        if own is None and score.passed is not None:
            return score
        return replace(score, passed=score.value >= (threshold_of(evaluator) if own is None else own))

    def signed_for(self, case: Case) -> tuple[tuple[Evaluator, str], ...]:
        """The evaluators meant for a case, each with its signature."""
        if not self.only:
            return self.signed_evaluators
        return tuple(
            pair for pair in self.signed_evaluators if pair[0].name not in self.only or self.only[pair[0].name](case)
        )

    @cached_property
    def has_awaited(self) -> bool:
        """Whether an evaluator is asynchronous: a judge, or a user's async function."""
        return any(map(is_awaited, self.evaluators))

    @property
    def reads_only_texts(self) -> bool:
        """Whether response and expected answers are all that is looked at, so that no trial has to be built."""
        return all(isinstance(evaluator, TextCheck) and evaluator.reads_only_texts for evaluator in self.evaluators)

    def measure(self, trials: Sequence[Trial]) -> list[list[Score]]:
        """One column of scores per evaluator; without an answer there is nothing to measure."""
        answered = [trial for trial in trials if not trial.output.error]
        columns = [self._passing(one, measure_all(one, answered)) for one in self.evaluators]
        if len(answered) == len(trials):
            return columns
        rest = map(iter, columns)
        return [
            [no_answer_score(trial.output) if trial.output.error else next(scores) for trial in trials]
            for scores in rest
        ]

    def measure_texts(self, columns: Texts) -> list[list[Score]]:
        """The same columns without trials, for a plan that reads only texts."""
        longest = longest_of(*columns)
        checks = [one for one in self.evaluators if isinstance(one, TextCheck)]
        return [self._passing(one, one.measure_texts(*columns, longest=longest)) for one in checks]

    def _passing(self, evaluator: Evaluator, scores: list[Score]) -> list[Score]:
        """Scores with the verdicts of the plan's own threshold, where it has one."""
        own = self.thresholds.get(evaluator.name)
        if own is None:
            return scores
        return [score if score.value is None else replace(score, passed=score.value >= own) for score in scores]


def is_awaited(evaluator: Evaluator) -> bool:
    """Whether an evaluator asks a model; of checks that belong to single cases, whether one of them does."""
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
        except (Exception, SystemExit):
            # A user's batch may raise anything, too; trial by trial below it is raised again, and has a trial to go to.
            pass
    return [_measure_one(evaluator, trial) for trial in trials]


def _measure_one(evaluator: Evaluator, trial: Trial) -> Score:
    try:
        return evaluator.measure(trial)
    except (Exception, SystemExit) as error:  # a user's evaluator may raise anything; one row never costs the others
        return error_score(error)
