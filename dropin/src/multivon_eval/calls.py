"""`Calls`: each call of a function under test, with what was seen of it, for the checks and for the record."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from multivon_eval.case import EvalCase
from multivon_eval.execution_evidence import DeclaredTarget, observed, target_snapshot
from multivon_eval.provider_evidence import ProviderCapture, opened, watched_by
from multivon_eval.trials import CaseSnapshot, capture_case
from ringtrue.records import Output, Trial
from ringtrue.systems.function import as_output

_CALL = "(call)"
"""Where an output holds its call."""

Place = tuple[str | int, int]
"""Which case was asked, and for which time."""

_RUN: ContextVar[asyncio.Task[Any] | None] = ContextVar("multivon_eval_run", default=None)


@dataclass(frozen=True)
class Call:
    """One call: the case as the checks see it, how it is written, and whether the function changed meanwhile."""

    case: EvalCase
    snapshot: CaseSnapshot
    execution: Mapping[str, Any]
    traced: bool
    capture: ProviderCapture


class Calls:
    """The calls of one function, which a tracer may watch one at a time."""

    def __init__(self, target: Any, tracer: Any = None) -> None:
        self.target, self.tracer = target, tracer
        self.before = target_snapshot(target)
        self._unchanged = observed(self.before, self.before)
        self._kept: dict[Place, Call] = {}
        self.labels: Callable[[Place], Mapping[str, Any]] = lambda place: {}

    def taken(self, place: Place) -> Call | None:
        """The call at a place, which is forgotten."""
        return self._kept.pop(place, None)

    def around(self, function: Callable[[Any], Any]) -> Callable[..., Any]:
        """The function of an argument, a case and a place, whose calls are kept; what it raises is an output, too."""
        if inspect.iscoroutinefunction(function) or inspect.iscoroutinefunction(getattr(function, "__call__", None)):  # noqa: B004

            async def waited(argument: Any, case: EvalCase, place: Place) -> Output:
                began = self._begin(place)
                with watched_by(began.capture):
                    return await self._later(function(argument), began, case, place)

            return waited

        def called(argument: Any, case: EvalCase, place: Place) -> Any:
            began = self._begin(place)
            try:
                with watched_by(began.capture):
                    said = function(argument)
            except Exception as error:
                said = _failed(error)
            if inspect.isawaitable(said):
                return self._later(said, began, case, place)
            return self._end(said, began, case, place)

        return called

    async def _later(self, said: Awaitable[Any], began: _Began, case: EvalCase, place: Place) -> Output:
        try:
            with ending_all():
                answer = await said
        except Exception as error:  # as documented: the message alone, and the case is a model_error
            answer = _failed(error)
        except BaseException as error:
            began.capture.finish(error)
            raise
        return self._end(answer, began, case, place)

    def _begin(self, place: Place) -> _Began:
        if self.tracer is not None:
            self.tracer.reset()
        target = self._target()
        capture = opened("trial", self.labels(place), execution={"target_before": target})
        return _Began(target, capture, time.monotonic())

    def _end(self, said: Any, began: _Began, case: EvalCase, place: Place) -> Output:
        seconds = time.monotonic() - began.time
        seen = case
        if self.tracer is not None:
            trace = list(self.tracer.get_trace())
            seen = replace(case, agent_trace=trace or case.agent_trace or [])
        before, after = began.target, self._target()
        still = before["digest"] == after["digest"] == self.before["digest"]
        execution = self._unchanged if still else observed(before, after)
        self._kept[place] = call = Call(seen, capture_case(seen), execution, self.tracer is not None, began.capture)
        output = as_output(said)
        late = seconds if output.latency_seconds is None else output.latency_seconds
        return replace(output, latency_seconds=late, fields={**output.fields, _CALL: call})

    def _target(self) -> dict[str, Any]:
        # Only what is declared can be seen to change.
        return target_snapshot(self.target) if isinstance(self.target, DeclaredTarget) else self.before


class _Began(NamedTuple):
    target: dict[str, Any]
    capture: ProviderCapture
    time: float


async def ended_together(run: Coroutine[Any, Any, None]) -> None:
    """Wait for a run that `ending_all` can end."""
    _RUN.set(asyncio.current_task())
    await run


@contextmanager
def ending_all() -> Iterator[None]:
    """Within a run that can be ended so, code that nobody but itself cancels ends it: the others are awaited."""
    try:
        yield
    except asyncio.CancelledError:
        run, own = _RUN.get(), asyncio.current_task()
        if run is not None and own is not None and not own.cancelling():
            run.cancel()
        raise


def watched(trial: Trial) -> AbstractContextManager[None]:
    """Within, what the checks of a trial ask is kept with it."""
    call: Call | None = trial.output.fields.get(_CALL)
    return watched_by(None if call is None else call.capture)


def case_seen(trial: Trial, original: EvalCase) -> EvalCase:
    """The case as it was when its call ended."""
    call: Call | None = trial.output.fields.get(_CALL)
    return original if call is None else call.case


def traced(trial: Trial) -> Trial:
    """The trial with what a tracer saw among the fields of its case."""
    call: Call | None = trial.output.fields.get(_CALL)
    if call is None or not call.traced:
        return trial
    return replace(trial, case=replace(trial.case, fields={**trial.case.fields, "agent_trace": call.case.agent_trace}))


def _failed(error: Exception) -> Output:
    return Output(problem=str(error) or type(error).__name__, error="system_error")
