"""`score_file`: stored answers, scored in constant memory."""

from __future__ import annotations

import asyncio
import os
import pickle
import time
from collections.abc import AsyncGenerator, Callable, Iterable, Mapping, Sequence
from contextlib import aclosing, nullcontext
from dataclasses import dataclass, field
from itertools import chain
from os.path import samefile
from pathlib import Path
from typing import Any

from ringtrue.api.planning import planned, prepare_judges
from ringtrue.datasets.files.chunks import Chunk
from ringtrue.datasets.files.reader import read_chunks
from ringtrue.datasets.hub.hf_objects import handed_chunks, is_handed
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.adapt import Evaluator
from ringtrue.evaluators.parts import counting_parts
from ringtrue.evaluators.parts import main_part as main_part
from ringtrue.records import Problem, Run
from ringtrue.reports.row_file import open_rows, piece_format
from ringtrue.reports.rows import Columns, encode
from ringtrue.runner.plan import Plan
from ringtrue.runner.process_map import in_order
from ringtrue.stats.tally import Tally
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay, Rows

SHOWN_PROBLEMS = 20
_NAMED_PROBLEMS = SHOWN_PROBLEMS + 1  # one more says that there are more

Listener = Callable[["Progress"], None]


@dataclass(frozen=True, slots=True)
class Progress:
    """What a listener hears after each piece of work."""

    rows: int
    read_bytes: int
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True)
class Judging:
    """Whom judged evaluators ask about the rows of files, how many at once, how long, for how much.

    `judge` and `judge_model` are those of `evaluate`. `store` keeps the replies, so that a second time costs no call;
    None keeps nothing, the empty text stands for `.ringtrue/ringtrue.db`.
    """

    judge: Any = None
    judge_model: str | Sequence[str] = ""
    judge_workers: int | None = None
    case_seconds: float | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    store: str | None = ""


def score_file(
    paths: Any,
    evaluators: str | Sequence[Any],
    *,
    mapping: Mapping[str, str] | None = None,
    format: str | None = None,
    output: str | None = None,
    workers: int = 1,
    listener: Listener | None = None,
    judging: Judging | None = None,
) -> Run:
    """Score the answers stored in files; memory does not grow with them.

    `paths` is a file, a folder that `save_to_disk` left, an object of the `datasets` library, or several of those.
    `evaluators` are specs (`"word_count(max_words=100)"`), evaluators of any dialect, or functions; with more than one
    worker they must pickle. `mapping` says where a row keeps its response, its expected answer and the like, and
    `meta.gold.0` leads into objects and lists. `output` takes a line per row and appears only when everything is done.
    `judging` says whom judged evaluators ask; with one of them everything happens in this process.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) or is_handed(paths) else paths
    names = [path if is_handed(path) else os.fspath(path) for path in several]
    given = [evaluators] if isinstance(evaluators, str) else evaluators
    judging = judging or Judging()
    plan = planned(given, judging.judge, judging.judge_model)
    prepare_judges(plan, judging.max_cost)
    if output:
        _check_output(output, [name for name in names if not is_handed(name)])
    replay, cells = (Replay(Fields(mapping, blank_is_missing=blank, answered=True)) for blank in (False, True))
    job = Job(plan, replay, cells, piece_format(output, plan.evaluators) if output else None)
    read = (handed_chunks(name) if is_handed(name) else read_chunks(name, format) for name in names)
    chunks = chain.from_iterable(read)
    if plan.awaited:
        from ringtrue.api.judged_files import judged

        return run_sync(_scored(job, judged(job, chunks, judging), output, listener))
    if workers > 1:
        _must_pickle(plan)
    return asyncio.run(_scored(job, _measured(job, chunks, workers), output, listener))


def _check_output(output: str, inputs: Iterable[str]) -> None:
    if Path(output).exists() and any(name != "-" and Path(name).exists() and samefile(output, name) for name in inputs):
        raise ConfigurationError(
            f"the output {output!r} is one of the files that are read; give it another name",
            parameter="output",
            value=output,
        )


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


async def _measured(job: Job, chunks: Iterable[Chunk], workers: int) -> AsyncGenerator[Piece, None]:
    async for _, piece in in_order(job, chunks, workers=workers):
        yield piece


async def _scored(job: Job, pieces: AsyncGenerator[Piece, None], output: str | None, listener: Listener | None) -> Run:
    started = time.monotonic()
    total = Piece(job.tallies())
    async with aclosing(pieces):
        with open_rows(output, job.plan.evaluators) if output else nullcontext() as file:
            async for piece in pieces:
                if file is not None:
                    file.write(piece.encoded)
                total.merge(piece)
                if listener is not None:
                    listener(Progress(total.rows, int(total.size), piece.problems))
    return Run(
        {ev.name: _by_key(ev, tally) for ev, tally in zip(job.plan.evaluators, total.tallies, strict=True)},
        {ev.name: ev.signature() for ev in job.plan.evaluators},
        total.rows,
        total.broken,
        total.problems[:SHOWN_PROBLEMS],
        time.monotonic() - started,
        total.spent,
        {ev.name: tally.why for ev, tally in zip(job.plan.evaluators, total.tallies, strict=True) if tally.skipped},
    )


def _by_key(evaluator: Evaluator, tally: Tally) -> dict[str, Any]:
    found = tally.summaries()
    keys = dict(zip(getattr(evaluator, "parts", ()), evaluator.keys, strict=False))
    nothing = next(iter(found.values()))
    if nothing.n == 0:  # every part is as unmeasured as the first
        found = dict.fromkeys(keys, nothing) or found
    return {keys.get(part, part): summary for part, summary in found.items()}


@dataclass(slots=True)
class Piece:
    """What one piece of the input came to."""

    tallies: list[Tally]
    size: float = 0.0
    rows: int = 0
    broken: int = 0
    problems: tuple[Problem, ...] = ()
    encoded: Any = field(default=b"", repr=False)
    spent: Mapping[str, float | None] = field(default_factory=dict)

    def merge(self, other: Piece) -> None:
        """Take another piece in; what was spent is told in all."""
        self.size += other.size
        self.spent = other.spent or self.spent
        for mine, theirs in zip(self.tallies, other.tallies, strict=True):
            mine.merge(theirs)
        self.rows += other.rows
        self.broken += other.broken
        self.problems = (*self.problems, *other.problems)[:_NAMED_PROBLEMS]


@dataclass(frozen=True)
class Job:
    """From a chunk to its scores; it travels to worker processes."""

    plan: Plan
    replay: Replay
    cells: Replay
    """For rows of a format that cannot leave a field out."""
    format: str | None

    def tallies(self) -> list[Tally]:
        """Empty tallies, one for each evaluator."""
        return [Tally(main_part(ev), counting_parts(ev)) for ev in self.plan.evaluators]

    def __call__(self, chunk: Chunk) -> Piece:
        """What a chunk comes to."""
        rows, problems = self.read(chunk)
        replay = self.replay_of(chunk)
        texts = replay.texts(rows) if self.plan.reads_only_texts else None
        if texts is not None:  # every response is text and nothing else is looked at: no trial has to be built
            columns = self.plan.measure_texts(texts)
        else:
            rows = self.answered(chunk, rows, problems)
            columns = self.plan.measure(replay.trials(rows))
        return self.piece(chunk.size, rows, columns, problems)

    def replay_of(self, chunk: Chunk) -> Replay:
        """Who answers with the rows of a chunk."""
        return self.cells if chunk.is_separated else self.replay

    def read(self, chunk: Chunk) -> tuple[Rows, list[Problem]]:
        """The rows of a chunk with their positions, and a Problem for each that cannot be read."""
        rows, problems = chunk.read()
        fields = self.replay.fields
        return [(position, fields.lift_paths(row)) for position, row in rows] if fields.paths else rows, problems

    def piece(self, size: float, rows: Rows, columns: Columns, problems: Sequence[Problem]) -> Piece:
        """Scored rows, counted and encoded."""
        piece = Piece(self.tallies(), size, len(rows), len(problems), tuple(problems[:_NAMED_PROBLEMS]))
        for tally, column in zip(piece.tallies, columns, strict=True):
            tally.add(column)
        if self.format:
            identity = self.replay.fields.identity
            ids = [identity(row, position + 1) for position, row in rows]
            positions = [position for position, _ in rows]
            piece.encoded = encode(self.format, self.plan.evaluators, ids, positions, columns)
        return piece

    def answered(self, chunk: Chunk, rows: Rows, problems: list[Problem]) -> list[tuple[int, Any]]:
        """The rows that hold a response; the others join the problems."""
        found = [(item, self.replay.problem(item[1], chunk.place(item[0]))) for item in rows]
        problems += [problem for _, problem in found if problem]
        return [item for item, problem in found if not problem]
