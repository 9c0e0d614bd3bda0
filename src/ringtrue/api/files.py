"""`score_file`: stored answers, scored in constant memory."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

from ringtrue.datasets.chunks import Chunk
from ringtrue.datasets.files import named_format, read_chunks
from ringtrue.dialects.fields import Fields
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

Listener = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a listener hears after each piece of work."""

    rows: int
    read_bytes: int
    problems: tuple[Problem, ...]


def score_file(
    paths: str | Sequence[str],
    evaluators: Sequence[Any],
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
    paths = [paths] if isinstance(paths, str) else list(paths)
    plan = Plan(tuple(build(item) if isinstance(item, str) else as_evaluator(item) for item in evaluators))
    blank = all((format or named_format(path)) in ("csv", "tsv") for path in paths)
    replay = Replay(Fields(mapping, blank_is_missing=blank))
    job = _Job(plan, replay, format_of(output) if output else None)
    chunks = (chunk for path in paths for chunk in read_chunks(path, format))
    return asyncio.run(_scored(job, chunks, output, workers, listener))


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


def _by_key(evaluator: Measuring, tally: Tally) -> dict[str, Any]:
    keys = dict(zip(getattr(evaluator, "parts", ()), evaluator.keys, strict=False))
    return {keys.get(part, part): summary for part, summary in tally.summaries().items()}


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
        return [Tally((getattr(ev, "parts", None) or ev.keys)[0]) for ev in self.plan.evaluators]

    def __call__(self, chunk: Chunk) -> _Piece:
        rows, problems = chunk.read()
        columns = self._columns_of_texts(rows)
        if columns is None:
            rows = self._answered(chunk.source, rows, problems)
            columns = self.plan.measure(self.replay.trials(rows))
        piece = _Piece(self.tallies(), len(rows), len(problems), tuple(problems[:SHOWN_PROBLEMS]))
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

    def _answered(self, source: str, rows: Rows, problems: list[Problem]) -> list[tuple[int, Any]]:
        """The rows that hold a response; the others join the problems."""
        found = [(item, self.replay.problem(item[1], f"{source}:{item[0] + 1}")) for item in rows]
        problems += [problem for _, problem in found if problem]
        return [item for item, problem in found if not problem]
