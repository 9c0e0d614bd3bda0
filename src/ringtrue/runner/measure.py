"""`Measurer`: the scores of one trial, by evaluators of which several may wait at once."""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Awaitable, Callable, Sequence
from contextlib import AbstractAsyncContextManager, nullcontext
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, TypeVar

from ringtrue.errors import ModelError
from ringtrue.evaluators.adapt import AdaptedEvaluator, Evaluator
from ringtrue.records import Score, Trial
from ringtrue.runner.budget import JUDGE_ERROR
from ringtrue.runner.failures import error_score, no_answer_score
from ringtrue.runner.plan import Plan, is_awaited
from ringtrue.sync import in_caller_thread

Result = TypeVar("Result")
_Place: TypeAlias = AbstractAsyncContextManager[Any]

CODE_SECONDS = 600.0
"""How long an evaluator in a thread of its own may take, unless a case has its own time."""
AWAITED_AT_ONCE = 4
"""How many evaluators of one trial are awaited at once, unless the caller says otherwise."""


@dataclass(frozen=True, slots=True)
class Measurer:
    """The measuring of a trial: the time limit of an evaluator, and how many of them wait at the same time.

    `at_once` None is all of them. 0 is four that ask a model, and one that works on this machine (in a
    thread, or with the embedded model): code at work slows the system whose latency is being taken.
    """

    plan: Plan
    case_seconds: float | None
    at_once: int | None
    waiting: frozenset[str]
    working_here: frozenset[str]

    @classmethod
    def of(cls, plan: Plan, case_seconds: float | None, at_once: int | None) -> Measurer:
        """Find out once for all trials which evaluators wait, and which of them work on this machine."""
        here = [one.name for one in plan.evaluators if _blocks(one) or getattr(one, "local", False)]
        return cls(plan, case_seconds, at_once, waiting_evaluators(plan), frozenset(here))

    async def scores(self, evaluators: Sequence[Evaluator], trial: Trial) -> dict[str, Score]:
        """Each evaluator's score by its name; leaving cancels all that wait."""
        waiting = [one for one in evaluators if one.name in self.waiting and not trial.output.error]
        if len(waiting) < 2 or self.at_once == 1:
            return {one.name: await self._score(one, trial) for one in evaluators}
        place = self._places()
        async with asyncio.TaskGroup() as group:
            tasks = {one.name: group.create_task(self._in_place(place(one), one, trial)) for one in waiting}
            found = {one.name: await self._score(one, trial) for one in evaluators if one.name not in tasks}
        return found | {name: task.result() for name, task in tasks.items()}

    def _places(self) -> Callable[[Evaluator], _Place]:
        if self.at_once is None:
            return lambda evaluator: nullcontext()
        here, elsewhere = asyncio.Semaphore(1), asyncio.Semaphore(AWAITED_AT_ONCE)
        if self.at_once:
            here = elsewhere = asyncio.Semaphore(self.at_once)
        return lambda evaluator: here if evaluator.name in self.working_here else elsewhere

    async def _in_place(self, place: _Place, evaluator: Evaluator, trial: Trial) -> Score:
        async with place:
            return await self._score(evaluator, trial)

    async def _score(self, evaluator: Evaluator, trial: Trial) -> Score:
        if trial.output.error:
            return no_answer_score(trial.output)
        try:
            if _blocks(evaluator):
                # A user's evaluator may ask a model of its own, or never return.
                score = await within(self.case_seconds or CODE_SECONDS, in_caller_thread(evaluator.measure, trial))
            else:
                found = evaluator.measure(trial)
                score = await self._judge(found) if inspect.isawaitable(found) else found
            return self.plan.with_verdict(evaluator, trial.output, score)
        except ModelError as error:
            return Score.error(str(error), kind=JUDGE_ERROR, cause=error.kind)
        except (Exception, SystemExit) as error:  # an evaluator that fails costs its own score and no other
            return error_score(error)

    async def _judge(self, judgement: Awaitable[Score]) -> Score:
        """Return a judge's score; without a verdict it is the judge's error, and `cause` says what the model did."""
        try:
            score = await within(self.case_seconds, judgement)
        except TimeoutError as error:
            return Score.error(str(error) or "TimeoutError", kind=JUDGE_ERROR, cause="timeout")
        cause = score.metadata.get("kind")
        if score.status != "error" or cause == "evaluator_error":
            return score
        return replace(score, metadata={**score.metadata, "kind": JUDGE_ERROR, "cause": cause})


def waiting_evaluators(plan: Plan) -> frozenset[str]:
    """The evaluators that do not measure at once: they ask a model, or run in a thread of their own."""
    return frozenset(one.name for one in plan.evaluators if _blocks(one) or is_awaited(one))


def _blocks(evaluator: Evaluator) -> bool:
    blocking: bool = getattr(evaluator, "blocking", isinstance(evaluator, AdaptedEvaluator))
    return blocking


async def within(seconds: float | None, work: Awaitable[Result]) -> Result:
    """Return the result of the work, within its time; work that cancels itself has failed, and nothing else has."""
    try:
        if seconds is None:
            return await work
        async with asyncio.timeout(seconds) as limit:
            return await work
    except TimeoutError as error:
        late = seconds is not None and limit.expired()
        raise TimeoutError(f"no answer within {seconds:g} s") if late else error from None
    except asyncio.CancelledError:
        here = asyncio.current_task()
        if here is None or here.cancelling():
            raise
        raise RuntimeError("it cancelled itself") from None
