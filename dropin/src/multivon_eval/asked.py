"""What a suite hands to ringtrue: model functions and checks that see the very cases the user wrote."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Check, Speaking
from multivon_eval.exceptions import JudgeUnavailable
from ringtrue.dialects.origin import name_of, origin
from ringtrue.dialects.suite import case_of
from ringtrue.evaluators.adapt import Adapted, Measuring, as_evaluator
from ringtrue.records import Case, Output, Score, Trial
from ringtrue.systems.answering import Called

Originals = Mapping[str | int, EvalCase]
Limit = AbstractAsyncContextManager[Any]


def numbered(cases: Iterable[EvalCase]) -> tuple[list[Case], Originals]:
    """Each case as ringtrue's record, under its place as id, and the cases by these ids."""
    given: dict[str | int, EvalCase] = {f"#{number}": case for number, case in enumerate(cases, 1)}
    return [case_of(replace(case, case_id=str(place))) for place, case in given.items()], given


def system(function: Any, originals: Originals, *, hook: str) -> Called:
    """A model function as ringtrue's system: it gets the input, or the case where it has the hook for that."""
    whole: Callable[..., Any] | None = getattr(function, hook, None)
    called = function if whole is None else whole

    def arguments(case: Case, repeat: int) -> tuple[Any, ...]:
        original = originals[case.id]
        return (original,) if whole is not None else (original.input,)

    return Called(name_of(function), _guarded(called), arguments, function)


def _guarded(function: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004

        async def waited(argument: Any) -> Any:
            try:
                return await function(argument)
            except Exception as error:  # as documented: the message alone, and the case is a model_error
                return _failed(error)

        return waited

    def called(argument: Any) -> Any:
        try:
            return function(argument)
        except Exception as error:
            return _failed(error)

    return called


def _failed(error: Exception) -> Output:
    return Output(problem=str(error) or type(error).__name__, error="system_error")


def checks(evaluators: Sequence[Any], originals: Originals, limit: Limit | None = None) -> list[Measuring]:
    """The evaluators as ringtrue's checks; of two with one name the later is called `name #2`.

    With a limit, an `aevaluate` of one's own is awaited, so many at once.
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
    changed = isinstance(evaluator, Check) and type(evaluator).evaluate is not Check.evaluate
    if callable(evaluate) and (changed or not isinstance(evaluator, Measuring)):
        return Adapted(name, evaluate, _Asking(originals), origin(evaluator))
    return Renamed(name, as_evaluator(evaluator))


def _waits(evaluator: Any) -> bool:
    waiting = getattr(type(evaluator), "aevaluate", None)
    return callable(waiting) and waiting is not Speaking.aevaluate


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
        return self.check.measure(trial)

    def signature(self) -> str:
        """The check's own."""
        return self.check.signature()


@dataclass(frozen=True)
class _Asking:
    originals: Originals

    def __call__(self, evaluate: Callable[..., Any], trial: Trial) -> Any:
        try:
            return _read(evaluate(*self.arguments(trial), **_timed(evaluate, trial)))
        except JudgeUnavailable as error:
            return _no_judge(error)

    def arguments(self, trial: Trial) -> tuple[EvalCase, str]:
        """The case as it was written, and the output."""
        return self.originals[trial.case.id], trial.output.text


@dataclass(frozen=True)
class _Awaiting:
    """A check with an `aevaluate` of its own, awaited on the loop that runs the suite."""

    evaluator: Any
    name: str
    originals: Originals
    limit: Limit

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.name,)

    async def measure(self, trial: Trial) -> Score:
        ask, said = self.evaluator.aevaluate, None
        if not trial.output.problem:
            try:
                async with self.limit:
                    said = _read(await ask(*_Asking(self.originals).arguments(trial), **_timed(ask, trial)))
            except JudgeUnavailable as error:
                said = _no_judge(error)
        return Adapted(self.name, ask, lambda function, asked: said, self.signature()).measure(trial)

    def signature(self) -> str:
        return f"{self.name}={origin(self.evaluator)}"


def _timed(evaluate: Callable[..., Any], trial: Trial) -> dict[str, float]:
    seconds = trial.output.latency_seconds
    asked = seconds is not None and "latency_ms" in inspect.signature(evaluate).parameters
    return {"latency_ms": seconds * 1_000} if asked and seconds is not None else {}


def _read(said: Any) -> Any:
    if isinstance(said, EvalResult) and said.status == "skipped":
        return Score.skipped(said.reason.removeprefix("[skipped] ") or "skipped")
    return said


def _no_judge(error: JudgeUnavailable) -> Score:
    return Score.error(str(error) or "the judge is unavailable", kind="judge_error")


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
