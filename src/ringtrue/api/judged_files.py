"""The rows of files before judges: in order, a bounded number of them at once."""

from __future__ import annotations

import time
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import aclosing, nullcontext
from typing import NamedTuple

from ringtrue.api.given import Given
from ringtrue.api.planning import measured_at_once, remembering
from ringtrue.api.score_file import Job, Judging, Piece
from ringtrue.datasets.files.chunks import Chunk
from ringtrue.errors import RingtrueError
from ringtrue.records import Json, Output, Problem, Row
from ringtrue.runner.budget import Budget
from ringtrue.runner.loop import Known, Loop, Task
from ringtrue.runner.options import Options
from ringtrue.store.database import DEFAULT, Database

ROWS_AT_ONCE = 64
TELL_SECONDS = 0.5


async def judged(job: Job, chunks: Iterable[Chunk], judging: Judging) -> AsyncGenerator[Piece, None]:
    """What each row comes to, in the order of the rows; a budget that is used up raises."""
    options = Options(
        judge_workers=judging.judge_workers,
        case_seconds=judging.case_seconds,
        max_cost=judging.max_cost,
        max_tokens=judging.max_tokens,
        store=DEFAULT if judging.store == "" else judging.store,
    )
    source = _Source(job, chunks)
    budget = Budget(options.max_cost, options.max_tokens)
    in_flight = options.judge_workers or measured_at_once(job.plan, 1)
    with Database(options.store) if options.store else nullcontext() as database:
        async with remembering(job.plan, database) as plan:
            loop = Loop(plan, source, in_flight, options.case_seconds, budget)
            async with aclosing(loop.in_order(source.tasks())) as rows:
                async for row in rows:
                    source.done.append(row)
                    if source.is_due():
                        yield source.piece()
    if budget.spent:
        words = f"stopped: {budget.spent} after {source.finished + len(source.done):,} rows"
        kept = "; their replies are kept, and the same command with a higher limit goes on" if options.store else ""
        raise RingtrueError(words + kept)
    yield source.rest(budget)


class _Read(NamedTuple):
    """A row that was read, with its share of the input."""

    position: int
    row: Mapping[str, Json]
    size: float


class _Source(Given):
    """Rows of files as tasks whose answers are known; each is forgotten when its row is done."""

    def __init__(self, job: Job, chunks: Iterable[Chunk]) -> None:
        self.answers: dict[int, Output] = {}
        super().__init__((), "file")
        self.job, self.chunks = job, chunks
        self.under_way: dict[int, _Read] = {}
        self.left_out = self._nothing()
        self.done: list[Row] = []
        self.finished = 0
        self.told = time.monotonic()

    def tasks(self) -> Iterator[Task]:
        """One task for each row that holds a response, numbered in order."""
        number = 0
        for chunk in self.chunks:
            found, problems = self.job.read(chunk)
            rows = self.job.answered(chunk, found, problems)
            self.left_out.merge(self._nothing(0 if rows else chunk.size, problems))
            for position, row in rows:
                trial = self.job.replay_of(chunk).fields.trial(row, position)
                self.answers[number] = trial.output
                self.under_way[number] = _Read(position, row, chunk.size / len(rows))
                yield Task(self, trial.case, 0, number, str(number))
                number += 1

    async def known(self, tasks: Sequence[Task]) -> Mapping[str, Known]:
        """The answers of these tasks."""
        return {task.key: Known(self.answers.pop(task.position), {}) for task in tasks}

    def is_due(self) -> bool:
        """Whether there is enough to tell, or nothing was told for a while."""
        return len(self.done) >= ROWS_AT_ONCE or time.monotonic() - self.told >= TELL_SECONDS

    def piece(self) -> Piece:
        """The rows that are done, counted and encoded, and what was left out on the way to them."""
        read = [self.under_way.pop(row.position) for row in self.done]
        columns = [[row.scores[evaluator.name] for row in self.done] for evaluator in self.job.plan.evaluators]
        rows = [(one.position, one.row) for one in read]
        piece = self.job.piece(sum(one.size for one in read), rows, columns, ())
        piece.merge(self.left_out)
        self.left_out = self._nothing()
        self.finished += len(self.done)
        self.done, self.told = [], time.monotonic()
        return piece

    def rest(self, budget: Budget) -> Piece:
        """The last piece, with what all of them took."""
        piece = self.piece()
        piece.spent = {
            "calls": budget.calls,
            "cache_hits": budget.cache_hits,
            "tokens": budget.tokens,
            "cost": None if budget.unpriced else budget.cost,
        }
        return piece

    def _nothing(self, size: float = 0.0, problems: Sequence[Problem] = ()) -> Piece:
        return self.job.piece(size, [], [[] for _ in self.job.plan.evaluators], problems)
