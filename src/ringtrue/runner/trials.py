"""The trial loop: ask a system every case, store each answer before it is scored and each row before it is reported."""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

from ringtrue.errors import ModelError
from ringtrue.evaluators.adapt import Measuring
from ringtrue.records import Case, Output, Row, Score, Trial
from ringtrue.runner.plan import Plan
from ringtrue.systems.answering import Answering

LOOKED_UP_AT_ONCE = 64


@dataclass(frozen=True, slots=True)
class Task:
    """One case to be answered once by one system; `key` identifies its answer for good."""

    system: Answering
    case: Case
    repeat: int
    position: int
    key: str


@dataclass(frozen=True, slots=True)
class Known:
    """What an earlier attempt left of a task."""

    output: Output
    scores: Mapping[str, Score]


class Journal(Protocol):
    """Where work is kept; each call returns when its record would survive `kill -9`."""

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]: ...

    async def answered(self, task: Task, output: Output) -> None: ...

    async def scored(self, task: Task, output: Output, scores: Mapping[str, Score]) -> None: ...


@dataclass
class Budget:
    """What a run may use up; the first limit that is passed stops it."""

    max_cost: float | None = None
    max_tokens: int | None = None
    max_errors: int | None = None
    cost: float = 0.0
    tokens: int = 0
    errors: int = 0
    spent: str = ""

    def charge(self, output: Output) -> None:
        """Count what an answer used."""
        self.cost += output.cost or 0.0
        self.tokens += (output.input_tokens or 0) + (output.output_tokens or 0)
        self.errors += bool(output.error)
        for name, used, limit in (
            ("cost", self.cost, self.max_cost),
            ("tokens", self.tokens, self.max_tokens),
            ("errors", self.errors, self.max_errors),
        ):
            if limit is not None and used > limit and not self.spent:
                self.spent = f"--max-{name} {limit:g} is used up ({used:g})"


@dataclass
class Loop:
    """How trials are run: who measures, where it is kept, how many at once, how long each may take."""

    plan: Plan
    journal: Journal
    in_flight: int = 1
    case_seconds: float | None = None
    budget: Budget = field(default_factory=Budget)

    async def rows(self, tasks: Iterable[Task]) -> AsyncIterator[Row]:
        """Rows as they finish; an endless source of tasks is read no further than the work at hand."""
        feed = _Feed(iter(tasks), self.journal)
        done: asyncio.Queue[Row | BaseException | None] = asyncio.Queue(self.in_flight)
        workers = [asyncio.create_task(self._worker(feed, done)) for _ in range(self.in_flight)]
        working = len(workers)
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
            for worker in workers:
                worker.cancel()
            await asyncio.gather(*workers, return_exceptions=True)

    async def _worker(self, feed: _Feed, done: asyncio.Queue[Row | BaseException | None]) -> None:
        try:
            while not self.budget.spent and (pair := await feed.next()) is not None:
                await done.put(await self._row(*pair))
            await done.put(None)
        except Exception as error:  # the store failed or the source broke: the run ends, and says why
            await done.put(error)

    async def _row(self, task: Task, known: Known | None) -> Row:
        output = known.output if known else await self._answer(task)
        trial = Trial(task.case, output)
        found = known.scores if known else {}
        signed = self.plan.signed_for(task.case)
        scores = {ev.name: found.get(sign) or await _measured(ev, trial) for ev, sign in signed}
        new = {sign: scores[ev.name] for ev, sign in signed if sign not in found}
        await self.journal.scored(task, output, new)
        return Row(trial, scores, task.position, task.system.name, task.repeat, known is not None)

    async def _answer(self, task: Task) -> Output:
        output = await self._asked(task)
        self.budget.charge(output)
        await self.journal.answered(task, output)
        return output

    async def _asked(self, task: Task) -> Output:
        started = time.monotonic()
        try:
            async with asyncio.timeout(self.case_seconds):
                output = await task.system.answer(task.case, task.repeat)
        except ModelError as error:
            kind = "timeout" if error.kind == "timeout" else "model_error"
            return _failed(str(error), kind, started)
        except TimeoutError:
            return _failed(f"no answer within {self.case_seconds:g} s", "timeout", started)
        except Exception as error:  # a system may raise anything; it costs its own row and no other
            return _failed(f"{type(error).__name__}: {error}", "system_error", started)
        if output.latency_seconds is None:
            output = replace(output, latency_seconds=time.monotonic() - started)
        return output


def _failed(message: str, kind: str, started: float) -> Output:
    return Output(problem=message, error=kind, latency_seconds=time.monotonic() - started)


async def _measured(evaluator: Measuring, trial: Trial) -> Score:
    if trial.output.error:
        return Score.error(f"no answer: {trial.output.problem}", kind=trial.output.error)
    try:
        if getattr(evaluator, "blocking", False):
            return await asyncio.to_thread(evaluator.measure, trial)
        score = evaluator.measure(trial)
        return await score if inspect.isawaitable(score) else score
    except Exception as error:  # an evaluator that fails costs its own score and no other
        return Score.error(f"{type(error).__name__}: {error}", kind="evaluator_error")


class _Feed:
    """Tasks with what is known of them, looked up many at once."""

    def __init__(self, tasks: Iterator[Task], journal: Journal) -> None:
        self.tasks, self.journal = tasks, journal
        self.ready: list[tuple[Task, Known | None]] = []
        self.lock = asyncio.Lock()

    async def next(self) -> tuple[Task, Known | None] | None:
        """The next task, or None when there is none."""
        async with self.lock:
            if not self.ready:
                block = [task for _, task in zip(range(LOOKED_UP_AT_ONCE), self.tasks, strict=False)]
                known = await self.journal.known(block) if block else {}
                self.ready = [(task, known.get(task.key)) for task in reversed(block)]
            return self.ready.pop() if self.ready else None
