"""Hand a suite to ringtrue: a model function and checks that see the very cases the user wrote."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import EvalResult
from multivon_eval.evaluators.base import Check
from ringtrue import EvalCase as NativeCase
from ringtrue import as_evaluator
from ringtrue.records import Output, Score, Trial

Cases = Mapping[str, EvalCase]
Limit = AbstractAsyncContextManager[Any]

NOTHING = "(nothing)"
"""The name of the check that fills in where a suite has none, so that its cases are asked."""


def model_function(function: Any, cases: Cases, *, hook: str) -> Callable[..., Any]:
    """The function of a case that ringtrue asks: it gives the user's function the input, or its hook the whole case."""
    whole = getattr(function, hook, None)

    def argument(case: NativeCase) -> Any:
        original = cases[str(case.case_id)]
        return original.input if whole is None else original

    def ask(case: NativeCase) -> Any:
        try:
            return (whole or function)(argument(case))
        except Exception as error:  # whatever the user's function raises is this case's error, in its own words
            return _failed(error)

    async def ask_async(case: NativeCase) -> Any:
        try:
            return await (whole or function)(argument(case))
        except Exception as error:  # as above
            return _failed(error)

    return ask_async if hook.startswith("_a") else ask


def _failed(error: Exception) -> Output:
    return Output(problem=str(error) or type(error).__name__, error="model_error")


def checks(evaluators: Sequence[Any], cases: Cases, limit: Limit | None) -> list[Any]:
    """The evaluators as ringtrue's checks; of two with one name the later is called `name #2`.

    With a limit, those that have an `aevaluate` are awaited, up to that many at once.
    """
    found: list[Any] = []
    counts: dict[str, int] = {}
    for evaluator in evaluators:
        name = getattr(evaluator, "name", "") or getattr(evaluator, "__name__", type(evaluator).__name__)
        counts[name] = counts.get(name, 0) + 1
        found.append(_check(evaluator, name if counts[name] == 1 else f"{name} #{counts[name]}", cases, limit))
    return found or [as_evaluator(_measure_nothing, name=NOTHING)]


def _check(evaluator: Any, name: str, cases: Cases, limit: Limit | None) -> Any:
    if hasattr(evaluator, "measure") and not isinstance(evaluator, Check):
        return evaluator  # ringtrue's own
    if not hasattr(evaluator, "evaluate"):
        return as_evaluator(evaluator, name=name)
    if limit is not None and hasattr(evaluator, "aevaluate"):
        return _Awaited(name, evaluator, cases, limit)
    return as_evaluator(_measure(evaluator, cases), name=name)


def _measure(evaluator: Any, cases: Cases) -> Callable[[Trial], Any]:
    def measure(trial: Trial) -> Any:
        said = evaluator.evaluate(cases[str(trial.case.id)], trial.output.text, **_latency(evaluator.evaluate, trial))
        return said.as_score() if isinstance(said, EvalResult) else said

    return measure


def _measure_nothing(trial: Trial) -> Score:
    return Score.skipped("the suite has no checks")


@dataclass(frozen=True)
class _Awaited:
    """A check with an `aevaluate`, awaited on the loop that runs the suite."""

    name: str
    evaluator: Any
    cases: Cases
    limit: Limit

    @property
    def keys(self) -> tuple[str, ...]:
        return (self.name,)

    async def measure(self, trial: Trial) -> Score:
        if trial.output.problem:
            return Score(0.0, "scored", False, trial.output.problem)
        ask = self.evaluator.aevaluate
        async with self.limit:
            said = await ask(self.cases[str(trial.case.id)], trial.output.text, **_latency(ask, trial))
        return said.as_score() if isinstance(said, EvalResult) else Score.error(f"the check returned {said!r:.80}")

    def signature(self) -> str:
        return f"{self.name}={type(self.evaluator).__module__}.{type(self.evaluator).__qualname__}"


def _latency(evaluate: Callable[..., Any], trial: Trial) -> dict[str, float]:
    seconds = trial.output.latency_seconds
    asked = seconds is not None and "latency_ms" in inspect.signature(evaluate).parameters
    return {"latency_ms": seconds * 1_000} if asked and seconds is not None else {}
