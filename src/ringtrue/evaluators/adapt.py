"""`as_evaluator`: any object that speaks one of the dialects, or a plain function, as an evaluator."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Protocol, runtime_checkable

from ringtrue.dialects.coercion import plain_value
from ringtrue.dialects.dicts import NO_RESPONSE, DictDialect, example, processed_example, score_of, trial_of
from ringtrue.dialects.suite import CheckResult, SuiteDialect, suite_case
from ringtrue.errors import ConfigurationError
from ringtrue.identity import name_of, origin, overridden_method
from ringtrue.records import DEFAULT_THRESHOLD, Score, Trial


@runtime_checkable
class Evaluator(Protocol):
    """The interface of an evaluator for the runner: a name, the keys of its parts, a measurement, a signature."""

    @property
    def name(self) -> str: ...

    @property
    def keys(self) -> tuple[str, ...]: ...

    def measure(self, trial: Trial) -> Score: ...

    def signature(self) -> str: ...


def as_evaluator(obj: Any, *, name: str = "") -> Evaluator:
    """Turn a function, or an object with `score`, `evaluate` or `measure`, into an evaluator.

    A function takes `(output)`, `(output, expected)`, `(original, processed)`, `(case, output)` or `(trial)`; the
    names of its parameters decide. It returns a bool, a number, a dict of numbers, a Score or a CheckResult.
    """
    if isinstance(obj, type):
        raise ConfigurationError(f"{obj.__name__} is a class; pass an object: {obj.__name__}(...)", value=obj)
    if isinstance(obj, Evaluator):
        return _by_its_own_call(obj) if isinstance(obj, DictDialect) else obj
    if isinstance(obj, str):
        raise ConfigurationError(
            f"{obj!r} is a string; ringtrue.evaluators.build({obj!r}) makes an evaluator", value=obj
        )
    for method, call in (("measure", _by_trial), ("score", _by_dicts), ("evaluate", _by_case)):
        spoken = getattr(obj, method, None)
        if callable(spoken):
            return AdaptedEvaluator(name or name_of(obj), _sync(spoken), call, origin(obj))
    if callable(obj):
        return AdaptedEvaluator(name or name_of(obj), _sync(obj), _calling(obj), origin(obj))
    raise ConfigurationError(
        f"{obj!r} is not an evaluator: it needs score(original, processed), evaluate(case, output) or measure(trial)",
        value=obj,
    )


Call = Callable[[Callable[..., Any], Trial], Any]


def _by_its_own_call(obj: Any) -> Evaluator:
    """A built-in evaluator as it is; where a subclass overrides only one of the calls, by that call."""
    calls: dict[str, Call] = {"score": _by_dicts, "evaluate": _by_case}
    own = overridden_method(obj, "measure", "grade", "grade_text", "compare", *calls)
    if own not in calls:
        return obj  # type: ignore[no-any-return]
    return AdaptedEvaluator(obj.name, getattr(obj, own), calls[own], obj.signature(), obj.threshold)


@dataclass(frozen=True)
class AdaptedEvaluator(DictDialect, SuiteDialect):
    """A user's evaluator in ringtrue's words."""

    name: str
    function: Callable[..., Any]
    call: Call
    origin: str
    threshold: float = DEFAULT_THRESHOLD

    @property
    def keys(self) -> tuple[str, ...]:
        """The user's own keys are known only from its results; the name stands for them before the first one."""
        return (self.name,)

    def measure(self, trial: Trial) -> Score:
        """Return the score that the user's evaluator gives a trial; it is not called for an output without content."""
        problem = trial.output.problem
        if problem and not (self.call is _by_dicts and problem == NO_RESPONSE):
            return Score(0.0, status="scored", passed=False, reason=problem)
        return _as_score(self.call(self.function, trial), self.threshold)

    def score(self, original: Mapping[str, Any], processed: Mapping[str, Any]) -> dict[str, float]:
        """The user's own numbers for a pair of dicts."""
        if self.call is _by_dicts:
            score = _as_score(self.function(original, processed), self.threshold)
        else:
            score = self.measure(trial_of(original, processed))
        return dict(score.parts) or ({self.name: score.value} if score.value is not None else {})

    def signature(self) -> str:
        """The origin of the evaluator and a hash of its code."""
        return f"{self.name}={self.origin}"


def _by_trial(function: Callable[..., Any], trial: Trial) -> Any:
    return function(trial)


def _by_dicts(function: Callable[..., Any], trial: Trial) -> Any:
    return function(example(trial.case), processed_example(trial))


def _by_case(function: Callable[..., Any], trial: Trial) -> Any:
    case = suite_case(trial.case)
    if trial.output.latency_seconds is not None and "latency_ms" in inspect.signature(function).parameters:
        return function(case, trial.output.text, latency_ms=trial.output.latency_seconds * 1_000)
    return function(case, trial.output.text)


def _by_output(function: Callable[..., Any], trial: Trial) -> Any:
    return function(trial.output.text)


def _by_output_and_expected(function: Callable[..., Any], trial: Trial) -> Any:
    expected = trial.case.expected
    return function(trial.output.text, expected[0] if expected else None)


def _calling(function: Callable[..., Any]) -> Call:
    names = [
        item.name
        for item in inspect.signature(function).parameters.values()
        if item.default is item.empty and item.kind in (item.POSITIONAL_ONLY, item.POSITIONAL_OR_KEYWORD)
    ]
    if names == ["trial"]:
        return _by_trial
    if names[:1] == ["original"] or names[1:2] == ["processed"]:
        return _by_dicts
    if names[:1] == ["case"] and len(names) == 2:
        return _by_case
    if len(names) == 2:
        return _by_output_and_expected
    if len(names) == 1:
        return _by_output
    raise ConfigurationError(
        f"cannot tell how to call {name_of(function)!r} with parameters {names}: use (output), (output, expected), "
        "(original, processed), (case, output) or (trial)",
        value=function,
    )


def _as_score(result: Any, threshold: float) -> Score:
    if isinstance(result, Score):
        return result
    if isinstance(result, CheckResult) or (hasattr(result, "score") and hasattr(result, "passed")):
        metadata = dict(getattr(result, "metadata", None) or {})
        if result.score is None or metadata.get("skipped"):
            return Score.skipped(str(getattr(result, "reason", "")) or "skipped")
        return Score(
            float(result.score),
            status="scored",
            passed=bool(result.passed),
            reason=str(result.reason or ""),
            metadata=metadata,
        )
    if isinstance(result, Mapping):
        score = score_of(result)
        return score if score.value is None else replace(score, passed=score.value >= threshold)
    result = plain_value(result) if hasattr(result, "dtype") else result  # a number of numpy's
    if result is None:
        return Score.skipped("the evaluator returned None")
    if isinstance(result, (bool, int, float)):
        return Score(float(result), status="scored", passed=float(result) >= threshold)
    return Score.error(
        f"the evaluator returned {type(result).__name__}; a number, a dict of numbers or a Score is read"
    )


def _sync(function: Callable[..., Any]) -> Callable[..., Any]:
    if inspect.iscoroutinefunction(function):
        raise ConfigurationError(
            f"{name_of(function)!r} is asynchronous; a deterministic evaluator is a plain function"
        )
    return function
