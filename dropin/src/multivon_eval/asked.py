"""What a suite hands to ringtrue: model functions and checks that see the very cases the user wrote."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any

from multivon_eval.calls import Calls, case_seen, ending_all, traced, watched
from multivon_eval.case import EvalCase
from multivon_eval.case_result import EVIDENCE, EvalResult
from multivon_eval.evaluators.base import Check, Speaking
from multivon_eval.exceptions import JudgeUnavailable
from ringtrue.dialects.suite import case_of
from ringtrue.evaluators.adapt import Adapted, Measuring, as_evaluator
from ringtrue.identity import name_of, origin
from ringtrue.records import Case, Score, Trial
from ringtrue.systems.function import FunctionSystem

Originals = Mapping[str | int, EvalCase]
Limit = AbstractAsyncContextManager[Any]


def numbered(cases: Iterable[EvalCase]) -> tuple[list[Case], Originals]:
    """Each case as ringtrue's record, under its place as id, and the cases by these ids."""
    given: dict[str | int, EvalCase] = {f"#{number}": case for number, case in enumerate(cases, 1)}
    return [case_of(replace(case, case_id=str(place))) for place, case in given.items()], given


def system(function: Any, originals: Originals, calls: Calls, *, hook: str) -> Called:
    """A model function as ringtrue's system: it gets the input, or the case where it has the hook for that."""
    whole: Callable[..., Any] | None = getattr(function, hook, None)

    def arguments(case: Case, repeat: int) -> tuple[Any, ...]:
        original = originals[case.id]
        return original.input if whole is None else original, original, (case.id, repeat)

    return Called(name_of(function), calls.around(function if whole is None else whole), arguments, function)


def checks(evaluators: Sequence[Any], originals: Originals, limit: Limit | None = None) -> list[Measuring]:
    """The evaluators as ringtrue's checks; of two with one name the later is called `name #2`.

    With a limit, those that have an `aevaluate` are awaited, so many at once.
    """
    found: list[Measuring] = []
    counts: dict[str, int] = {}
    for evaluator in evaluators:
        name = str(getattr(evaluator, "name", "") or name_of(evaluator))
        counts[name] = counts.get(name, 0) + 1
        unique = name if counts[name] == 1 else f"{name} #{counts[name]}"
        if limit is not None and _waits(evaluator):
            found.append(_Awaiting(evaluator, unique, originals, limit))  # type: ignore[arg-type]  # as judges are
        else:
            found.append(_check(evaluator, unique, originals))
    return found


def _check(evaluator: Any, name: str, originals: Originals) -> Measuring:
    evaluate = getattr(evaluator, "evaluate", None)
    changed = isinstance(evaluator, Check) and getattr(evaluate, "__func__", None) is not Check.evaluate
    if callable(evaluate) and (changed or not isinstance(evaluator, Measuring)):
        return Adapted(name, evaluate, _Asking(originals), origin(evaluator))
    return Renamed(name, as_evaluator(evaluator))


def _waits(evaluator: Any) -> bool:
    waiting = getattr(type(evaluator), "aevaluate", None)
    return callable(waiting) and (waiting is not Speaking.aevaluate or not isinstance(evaluator, Measuring))


@dataclass(frozen=True)
class Renamed:
    """A check under a name that no other check of the suite has."""

    name: str
    check: Measuring

    @property
    def keys(self) -> tuple[str, ...]:
        """The name."""
        return (self.name,)

    @property
    def blocking(self) -> bool:
        """Whether the check wants to leave the event loop."""
        return bool(getattr(self.check, "blocking", isinstance(self.check, Adapted)))

    def measure(self, trial: Trial) -> Score:
        """What the check says."""
        return self.check.measure(traced(trial))

    def signature(self) -> str:
        """The check's own."""
        return self.check.signature()


@dataclass(frozen=True)
class _Asking:
    originals: Originals

    def __call__(self, evaluate: Callable[..., Any], trial: Trial) -> Any:
        try:
            with watched(trial):
                return _read(evaluate(*self.arguments(trial), **_timed(evaluate, trial)))
        except Exception as error:
            return _failure(error)

    def arguments(self, trial: Trial) -> tuple[EvalCase, str]:
        """The case as it was written, and the output."""
        return case_seen(trial, self.originals[trial.case.id]), trial.output.text


@dataclass(frozen=True)
class _Awaiting:
    """A check with an `aevaluate`, awaited on the loop that runs the suite."""

    evaluator: Any
    name: str
    originals: Originals
    limit: Limit

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.name,)

    async def measure(self, trial: Trial) -> Score:
        ask, said = self.evaluator.aevaluate, None
        plain = type(self.evaluator).aevaluate is Speaking.aevaluate  # it hands on to `evaluate` whatever it is given
        timed = _timed(self.evaluator.evaluate if plain else ask, trial)
        if not trial.output.problem:
            try:
                async with self.limit:
                    with watched(trial), ending_all():
                        said = _read(await ask(*_Asking(self.originals).arguments(trial), **timed))
            except Exception as error:
                said = _failure(error)
        return Adapted(self.name, ask, lambda function, asked: said, self.signature()).measure(trial)

    def signature(self) -> str:
        return f"{self.name}={origin(self.evaluator)}"


def _timed(evaluate: Callable[..., Any], trial: Trial) -> dict[str, float]:
    seconds = trial.output.latency_seconds
    asked = seconds is not None and "latency_ms" in inspect.signature(evaluate).parameters
    return {"latency_ms": seconds * 1_000} if asked and seconds is not None else {}


def _read(said: Any) -> Any:
    if not isinstance(said, EvalResult):
        return said
    if said.status == "skipped":
        known = {name: value for name, value in said.metadata.items() if name != "skipped"}
        return replace(Score.skipped(said.reason.removeprefix("[skipped] ") or "skipped"), metadata=known)
    score: object = said.score
    number = isinstance(score, (int, float)) and not isinstance(score, bool) and 0 <= score <= 1
    if said.status == "scored" and not (number and isinstance(said.passed, bool)):
        words = f"a score lies in [0, 1], and passed is True or False; got {score!r} and {said.passed!r}"
        return Score.error(f"{words}: {said.reason}", kind="evaluator_error")
    return said


def _failure(error: Exception) -> Score:
    """What a check that failed says: a judge is away, or what it had learned before; any other error is raised."""
    if isinstance(error, JudgeUnavailable):
        return Score.error(str(error) or "the judge is unavailable", kind="judge_error", **_evidence(error))
    if not _evidence(error):
        raise error
    return Score.error(f"{type(error).__name__}: {error}", kind="evaluator_error", **_evidence(error))


def _evidence(error: Exception) -> dict[str, Any]:
    """What a check had learned before it failed, where it says so."""
    found = getattr(error, EVIDENCE, None)
    return {} if found is None else {EVIDENCE: found}


@dataclass(frozen=True)
class Nothing:
    """Stands in where a suite has no checks, so that its cases are asked; it measures nothing and is not shown."""

    name = "(nothing)"
    keys = (name,)

    def measure(self, trial: Trial) -> Score:
        """Nothing."""
        return Score.skipped("the suite has no checks")

    def signature(self) -> str:
        """The name."""
        return self.name
