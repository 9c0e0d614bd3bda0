"""`score_file`: stored answers, scored in constant memory."""

from __future__ import annotations

import asyncio
import os
import pickle
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from ringtrue.datasets.chunks import Chunk
from ringtrue.datasets.files import named_format, read_chunks
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Measuring, as_evaluator
from ringtrue.evaluators.spec import build
from ringtrue.metrics.tally import Tally
from ringtrue.records import Problem, Run, Score
from ringtrue.reports.row_file import open_rows
from ringtrue.reports.rows import encode, format_of
from ringtrue.runner.local import in_order
from ringtrue.runner.plan import Plan
from ringtrue.systems.replay import Replay, Rows

SHOWN_PROBLEMS = 20
_NAMED_PROBLEMS = SHOWN_PROBLEMS + 1  # of a chunk: one more says that there are more

Listener = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a listener hears after each piece of work."""

    rows: int
    read_bytes: int
    problems: tuple[Problem, ...]


def score_file(
    paths: str | os.PathLike[str] | Sequence[str | os.PathLike[str]],
    evaluators: str | Sequence[Any],
    *,
    mapping: Mapping[str, str] | None = None,
    format: str | None = None,
    output: str | None = None,
    workers: int = 1,
    listener: Listener | None = None,
) -> Run:
    """Score the answers stored in files; memory does not grow with them.

    `evaluators` are specs (`"word_count(max_words=100)"`), evaluators of any tongue, or functions; with more than one
    worker they must pickle. `output` takes a line per row and appears only when everything is done.
    """
    names = [os.fspath(path) for path in ([paths] if isinstance(paths, (str, os.PathLike)) else paths)]
    given = [evaluators] if isinstance(evaluators, str) else evaluators
    plan = Plan(tuple(build(item) if isinstance(item, str) else as_evaluator(item) for item in given))
    blank = all((format or named_format(name)) in ("csv", "tsv") for name in names)
    replay = Replay(Fields(mapping, blank_is_missing=blank, answered=True))
    job = _Job(plan, replay, format_of(output) if output else None)
    if workers > 1:
        _must_pickle(plan)
    chunks = (chunk for name in names for chunk in read_chunks(name, format))
    return asyncio.run(_scored(job, chunks, output, workers, listener))


def _must_pickle(plan: Plan) -> None:
    for evaluator in plan.evaluators:
        try:
            pickle.dumps(evaluator)
        except (pickle.PicklingError, AttributeError, TypeError) as error:
            raise ConfigurationError(
                f"{evaluator.name!r} cannot be sent to other processes ({error}); "
                "define it at the top level of a module, or use workers=1",
                parameter="evaluators",
                value=evaluator,
            ) from error


async def _scored(
    job: _Job, chunks: Iterable[Chunk], output: str | None, workers: int, listener: Listener | None
) -> Run:
    started = time.monotonic()
    total = _Piece(job.tallies())
    read_bytes = 0
    with open_rows(output, job.plan.evaluators) if output else nullcontext() as file:
        async for chunk, piece in in_order(job, chunks, workers=workers):
            read_bytes += chunk.size
            if file is not None:
                file.write(piece.encoded)
            total.merge(piece)
            if listener is not None:
                listener(Progress(total.rows, read_bytes, piece.problems))
    return Run(
        {ev.name: _by_key(ev, tally) for ev, tally in zip(job.plan.evaluators, total.tallies, strict=True)},
        {ev.name: ev.signature() for ev in job.plan.evaluators},
        total.rows,
        total.broken,
        total.problems,
        time.monotonic() - started,
    )


def main_part(evaluator: Measuring) -> str:
    """The part an evaluator's verdict is about."""
    parts: Sequence[str] = getattr(evaluator, "parts", ())
    return getattr(evaluator, "main", "") or (parts[0] if parts else evaluator.name)


def _by_key(evaluator: Measuring, tally: Tally) -> dict[str, Any]:
    found = tally.summaries()
    keys = dict(zip(getattr(evaluator, "parts", ()), evaluator.keys, strict=False))
    nothing = next(iter(found.values()))
    if nothing.n == 0:  # every part is as unmeasured as the first
        found = dict.fromkeys(keys, nothing) or found
    return {keys.get(part, part): summary for part, summary in found.items()}


@dataclass(slots=True)
class _Piece:
    """What one chunk came to."""

    tallies: list[Tally]
    rows: int = 0
    broken: int = 0
    problems: tuple[Problem, ...] = ()
    encoded: Any = field(default=b"", repr=False)

    def merge(self, other: _Piece) -> None:
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        self.rows += other.rows
        self.broken += other.broken
        self.problems = (*self.problems, *other.problems)[:SHOWN_PROBLEMS]


@dataclass(frozen=True)
class _Job:
    """From a chunk to its scores; it travels to worker processes."""

    plan: Plan
    replay: Replay
    format: str | None

    def tallies(self) -> list[Tally]:
        return [Tally(main_part(ev)) for ev in self.plan.evaluators]

    def __call__(self, chunk: Chunk) -> _Piece:
        rows, problems = chunk.read()
        columns = self._columns_of_texts(rows)
        if columns is None:
            rows = self._answered(chunk, rows, problems)
            columns = self.plan.measure(self.replay.trials(rows))
        piece = _Piece(self.tallies(), len(rows), len(problems), tuple(problems[:_NAMED_PROBLEMS]))
        for tally, column in zip(piece.tallies, columns, strict=True):
            tally.add(column)
        if self.format:
            identity = self.replay.fields.identity
            ids = [identity(row, position + 1) for position, row in rows]
            positions = [position for position, _ in rows]
            piece.encoded = encode(self.format, self.plan.evaluators, ids, positions, columns)
        return piece

    def _columns_of_texts(self, rows: Rows) -> list[list[Score]] | None:
        """The scores without building trials, where every response is text and nothing else is looked at."""
        texts = self.replay.texts(rows) if self.plan.reads_only_texts else None
        return None if texts is None else self.plan.measure_texts(texts)

    def _answered(self, chunk: Chunk, rows: Rows, problems: list[Problem]) -> list[tuple[int, Any]]:
        """The rows that hold a response; the others join the problems."""
        found = [(item, self.replay.problem(item[1], chunk.place(item[0]))) for item in rows]
        problems += [problem for _, problem in found if problem]
        return [item for item, problem in found if not problem]
