"""The trial loop: ask a system every case, store each answer before it is scored and each row before it is reported."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from contextvars import copy_context
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TypeAlias

from ringtrue.errors import ModelError
from ringtrue.records import Case, Output, Row, StoredAnswer, Trial
from ringtrue.runner.budget import Budget
from ringtrue.runner.failures import error_text, traceback_text
from ringtrue.runner.journal import Journal, NoJournal
from ringtrue.runner.measure import Measurer, within
from ringtrue.runner.plan import Plan
from ringtrue.runner.refusals import ENOUGH, Refusals
from ringtrue.sync import leave_caller_thread
from ringtrue.systems.system import System

LOOKED_UP_AT_ONCE = 256


@dataclass(frozen=True, slots=True)
class Task:
    """One case to be answered once by one system; `key` identifies its answer for good, `content` its case.

    `ask` asks what the key identifies; without it the system is asked for the case. `earlier` is the row that is
    measured again.
    """

    system: System
    case: Case
    repeat: int
    position: int
    key: str
    content: str = ""
    ask: Callable[[], Awaitable[Output]] | None = None
    earlier: Row | None = None


_UNKNOWN = Row(Trial(Case(), Output()), {})


class _AllRefused(Exception):
    """The system refuses every question: those that wait to be asked are not."""


_Answered: TypeAlias = "asyncio.Queue[tuple[Task, StoredAnswer | None, Output] | None]"
"""Answers that wait to be measured, and None for each scorer that may leave."""
_Done: TypeAlias = "asyncio.Queue[Row | BaseException | None]"
"""Finished rows, the error that ends the run, and None from each worker that leaves."""


@dataclass
class TrialLoop:
    """The loop over trials: its plan, its journal, the number of trials at the same time, and their time limits.

    `scorers` is how many are measured at once, as many as are in flight unless given: judges have limits of their own.
    `evaluator_workers` is how many evaluators of one trial wait at once, as `Measurer` has it. `in_caller_thread` calls
    a user's synchronous code in the thread that waits for the run, if one does: then no time limit can end it.
    """

    plan: Plan
    journal: Journal = field(default_factory=NoJournal)
    in_flight: int = 1
    case_seconds: float | None = None
    budget: Budget = field(default_factory=Budget)
    scorers: int = 0
    evaluator_workers: int | None = 0
    in_caller_thread: bool = False
    refusals: Refusals = field(default_factory=Refusals)

    async def rows(self, tasks: Iterable[Task]) -> AsyncGenerator[Row, None]:
        """Rows as they finish; an endless source of tasks is read no further than the work at hand.

        Where evaluators wait for something, an answer that is kept makes room for the next question while a scorer
        measures it; where none does, it is measured at once.
        """
        feed = _Feed(iter(tasks), self.journal)
        scorers = (self.scorers or self.in_flight) if self._measurer.waiting else 0
        answered: _Answered = asyncio.Queue(self.in_flight)
        done: _Done = asyncio.Queue(self.in_flight)
        work = [self._askers(feed, answered, done, scorers), *(self._scorer(answered, done) for _ in range(scorers))]
        working = len(work)
        context = copy_context()
        if not self.in_caller_thread:
            context.run(leave_caller_thread)
        workers = [asyncio.create_task(_report(part, done), context=context.copy()) for part in work]
        try:
            while working:
                item = await done.get()
                if item is None:
                    working -= 1
                elif isinstance(item, BaseException):
                    raise item
                else:
                    yield item
        finally:
            await _cancel_all(workers)

    async def _askers(self, feed: _Feed, answered: _Answered, done: _Done, scorers: int) -> None:
        askers = [
            asyncio.create_task(self._asker(feed, answered, done, waits=place >= ENOUGH))
            for place in range(self.in_flight)
        ]
        try:
            with suppress(_AllRefused):
                await asyncio.gather(*askers)
        finally:
            await _cancel_all(askers)
        for _ in range(scorers):
            await answered.put(None)
        await done.put(None)

    async def _asker(self, feed: _Feed, answered: _Answered, done: _Done, *, waits: bool) -> None:
        if waits:
            await self.refusals.wait_for_first_answer()
        while not self.budget.spent and not self.refusals.stopped_by and (pair := await feed.next()) is not None:
            task, known = pair[0], _with_price(*pair)
            output = known.output if known else await self._answer(task)
            if self._measurer.waiting:
                await answered.put((task, known, output))
            else:
                await done.put(await self._row(task, known, output))
        if self.refusals.stopped_by:
            raise _AllRefused
        self.refusals.end_waiting()

    async def _scorer(self, answered: _Answered, done: _Done) -> None:
        while (item := await answered.get()) is not None:
            # What was answered is kept; measuring it may cost as much again, and waits for the next time.
            if not self.budget.passed_limit or not self.plan.has_awaited:
                await done.put(await self._row(*item))
        await done.put(None)

    @cached_property
    def _measurer(self) -> Measurer:
        return Measurer.of(self.plan, self.case_seconds, self.evaluator_workers)

    async def _row(self, task: Task, stored: StoredAnswer | None, output: Output) -> Row:
        trial = Trial(task.case, output)
        found = stored.scores if stored else {}
        signed = self.plan.signed_for(task.case)
        missing = [evaluator for evaluator, sign in signed if sign not in found]
        made = await self._measurer.scores(missing, trial)
        scores = {evaluator.name: found.get(sign) or made[evaluator.name] for evaluator, sign in signed}
        new = {sign: scores[evaluator.name] for evaluator, sign in signed if sign not in found}
        self.budget.count_scores(new.values())
        known = None if getattr(task.system, "replays", False) else stored
        earlier = task.earlier or _UNKNOWN
        row = Row(
            trial=trial,
            scores=scores,
            position=task.position,
            system=task.system.name,
            repeat=task.repeat,
            reused=not known.is_own if known else earlier.reused,
            answered_at=known.created if known else earlier.answered_at,
            answered_in=known.run if known else earlier.answered_in,
        )
        await self.journal.keep_row(row, task.key, task.content, new)
        return row

    async def _answer(self, task: Task) -> Output:
        output = await self._ask(task)
        self.budget.charge(task.case, output)
        await self.journal.keep_answer(task.key, output)
        return output

    async def _ask(self, task: Task) -> Output:
        started = time.monotonic()
        try:
            output = await within(
                self.case_seconds, task.ask() if task.ask else task.system.answer(task.case, task.repeat)
            )
            if output.latency_seconds is None and not getattr(task.system, "replays", False):
                output = replace(output, latency_seconds=time.monotonic() - started)
            self.refusals.note_answer()
            return output
        except ModelError as error:
            self.refusals.note_failure(error)
            kind = "timeout" if error.kind == "timeout" else "model_error"
            return _failed_output(str(error), kind, started)
        except TimeoutError as error:
            return _failed_output(str(error) or "TimeoutError", "timeout", started)
        except (Exception, SystemExit) as error:  # a system may raise anything; it costs its own row and no other
            return _failed_output(error_text(error), "system_error", started, traceback_text(error))


def _with_price(task: Task, stored: StoredAnswer | None) -> StoredAnswer | None:
    """A stored answer that was asked before its price was known has one when it is."""
    if stored is None or stored.output.cost is not None or stored.output.error:
        return stored
    cost = getattr(task.system, "cost_of", lambda _: None)(stored.output)
    return stored if cost is None else replace(stored, output=replace(stored.output, cost=cost))


async def _cancel_all(tasks: Sequence[asyncio.Task[None]]) -> None:
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


async def _report(work: Awaitable[None], done: _Done) -> None:
    try:
        await work
    except asyncio.CancelledError:
        raise
    except BaseException as error:  # the store failed or the source broke: the run ends, and says why
        await done.put(error)


def _failed_output(message: str, kind: str, started: float, traceback: str = "") -> Output:
    return Output(problem=message, error=kind, latency_seconds=time.monotonic() - started, traceback=traceback)


class _Feed:
    """Tasks with what is known of them, looked up many at once."""

    def __init__(self, tasks: Iterator[Task], journal: Journal) -> None:
        self.tasks, self.journal = tasks, journal
        self.ready: list[tuple[Task, StoredAnswer | None]] = []
        self.lock = asyncio.Lock()

    async def next(self) -> tuple[Task, StoredAnswer | None] | None:
        """The next task, or None when there is none."""
        async with self.lock:
            if not self.ready:
                block = [task for _, task in zip(range(LOOKED_UP_AT_ONCE), self.tasks, strict=False)]
                known = await self.journal.stored_answers([task.key for task in block]) if block else {}
                self.ready = [(task, known.get(task.key)) for task in reversed(block)]
            return self.ready.pop() if self.ready else None
