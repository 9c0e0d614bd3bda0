"""The dict dialect: `score(original, processed) -> dict[str, float]`."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar, Protocol, runtime_checkable

from ringtrue.dialects.fields import DEFAULT
from ringtrue.errors import ConfigurationError, EvaluationError
from ringtrue.records import Case, Json, Score, Trial


@runtime_checkable
class DictEvaluator(Protocol):
    """Any object with a `name` and a method `score(original, processed)`."""

    @property
    def name(self) -> str: ...

    def score(self, original: dict[str, Any], processed: dict[str, Any]) -> dict[str, float]: ...


_NOTHING_SAID = {"response": None}
_DICTS = (dict, Mapping)  # dict first: asking an abstract class is slow


def trial_of(original: Mapping[str, Json], processed: Mapping[str, Json]) -> Trial:
    """The trial that a pair of dicts describes; a system that returned None said nothing."""
    original, processed = _require_dicts(original, processed)
    return Trial(DEFAULT.case(original, 0), DEFAULT.output(processed))


def texts_of(original: Mapping[str, Json], processed: Mapping[str, Json]) -> tuple[str, str, tuple[str, ...] | None]:
    """Return what `trial_of` finds in a pair of dicts: the output's text, its problem, the expected answers."""
    original, processed = _require_dicts(original, processed)
    return *DEFAULT.response(processed), DEFAULT.answers(original)


def _require_dicts(
    original: Mapping[str, Json], processed: Mapping[str, Json] | None
) -> tuple[Mapping[str, Json], Mapping[str, Json]]:
    processed = _NOTHING_SAID if processed is None else processed
    if isinstance(original, _DICTS) and isinstance(processed, _DICTS):
        return original, processed
    name, given = ("processed", processed) if isinstance(original, _DICTS) else ("original", original)
    raise ConfigurationError(
        f"score(original, processed) takes two dicts; {name} is {type(given).__name__}", parameter=name, value=given
    )


def example(case: Case) -> dict[str, Any]:
    """The example dict of a case; a copy, so that a system cannot change the expected answer."""
    found = dict(case.fields)
    for key, value in (("id", case.id), ("question", case.input), ("context", case.context)):
        if value != "":
            found.setdefault(key, value)
    if case.expected is not None:
        found.setdefault("answer", case.expected[0] if len(case.expected) == 1 else list(case.expected))
    return found


NO_RESPONSE = "the system returned a dict without 'response'"
"""The problem of an output that may still be worth measuring: its system changed the example, or left it as it was."""


def processed_example(trial: Trial) -> dict[str, Any]:
    """The dict that a system returned for a case: the example with its changes and its response."""
    output = trial.output
    found = {**example(trial.case), **output.fields}
    if not output.problem:
        found["response"] = output.text
    return {name: value for name, value in found.items() if value is not None or name not in output.fields}


def score_of(numbers: Mapping[str, float]) -> Score:
    """The Score in a user's own dict of numbers: the first one is its value, clipped to [0, 1] where it is outside."""
    if not numbers:
        return Score.skipped("score() returned no numbers")
    parts = {str(name): float(number) for name, number in numbers.items()}
    first = next(iter(parts.values()))
    value = min(1.0, max(0.0, first))
    return Score(value, parts=parts, metadata={} if value == first else {"clipped_from": first})


class DictDialect(ABC):
    """Adds `score()` to an evaluator that measures trials."""

    skipped_reads_as: ClassVar[float | None] = None
    """The number a direct `score()` shows where there is nothing to measure; only where a seed documents one."""

    parts: ClassVar[tuple[str, ...]]

    @property
    @abstractmethod
    def keys(self) -> tuple[str, ...]:
        """The names of the parts in a row."""

    @abstractmethod
    def measure(self, trial: Trial) -> Score:
        """The score of one trial."""

    def measure_dicts(self, original: Mapping[str, Json], processed: Mapping[str, Json]) -> Score:
        """The score of the trial that two dicts describe; overridden where less than a trial is enough."""
        return self.measure(trial_of(original, processed))

    def score(self, original: Mapping[str, Json], processed: Mapping[str, Json]) -> dict[str, float]:
        """Score one pair of dicts; nothing to measure gives an empty dict, unless a seed documents a number."""
        score = self.measure_dicts(original, processed)
        if score.status == "error":
            raise EvaluationError(score.reason)
        if score.value is None:
            filler = self.skipped_reads_as
            return {} if filler is None else dict.fromkeys(self.keys, filler)
        numbers = score.parts or {self.parts[0]: score.value}
        return {key: numbers[part] for key, part in zip(self.keys, self.parts, strict=True)}
