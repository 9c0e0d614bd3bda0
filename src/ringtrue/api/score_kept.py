"""Scoring files whose rows are kept: judged ones, which cost something, and those for which a store is named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace
from functools import cached_property

from ringtrue.atomic_file import check_place
from ringtrue.datasets.files.chunks import Chunk
from ringtrue.dialects.fields import is_row_record
from ringtrue.records import Made, Problem, Row, Run
from ringtrue.reports.row_file import write_rows
from ringtrue.runner.file_job import SHOWN_PROBLEMS, ChunkListener, FileJob
from ringtrue.runner.headline import with_headlines
from ringtrue.runner.job import ReplayJob, datasets_of
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.options import Options
from ringtrue.runner.replay_rows import CasesOfRows
from ringtrue.stats.pairs import are_in_order, in_places_of_their_own
from ringtrue.stats.row_pages import PagedRows
from ringtrue.store.runs import RunStore
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay, shapes_of


def score_kept(
    job: FileJob,
    chunks: Callable[[], Iterable[Chunk]],
    options: Options,
    output: str | os.PathLike[str] | None,
    listener: ChunkListener | None,
) -> Run:
    """Every row through the loop of all runs: kept as it is finished, and judged once."""
    answers = AnswersOfFiles(job, chunks)
    for rows, size, broken in answers.read():
        if listener is not None:
            listener(rows, size, broken)
    if output is not None:
        check_place(os.fspath(output), "output")
    cases = CasesOfRows(answers)
    replay = ReplayJob(
        systems=[Replay(name=name) for name in answers.systems],
        cases=cases,
        answers=answers,
        plan=job.plan,
        options=options,
        datasets=with_headlines(datasets_of(cases), job.evaluators),
        kind="score",
    )
    with RunStore.open(options.store) if options.store else KeepNothing() as keeper:
        run = run_sync(replay.run(keeper))
    if output is not None and not run.stopped_by:  # a file of rows is whole, or is not there
        write_rows(output, run.rows, run.made)
    return replace(run, problems=answers.broken, first_problems=tuple(answers.problems))


class AnswersOfFiles(PagedRows):
    """The rows of files, not yet scored; they are read again whenever they are iterated."""

    def __init__(self, job: FileJob, chunks: Callable[[], Iterable[Chunk]]) -> None:
        self.job, self.chunks, self.made = job, chunks, Made(evaluators=job.evaluators)
        self.systems: dict[str, None] = {}
        self.count = self.broken = 0
        self.problems: list[Problem] = []
        self._has_own = False  # rows that ringtrue wrote, which say their place themselves

    def read(self) -> Iterator[tuple[int, float, Sequence[Problem]]]:
        """Read all once: how many rows and bytes there are so far, and what cannot be read, piece by piece."""
        size = 0.0
        for chunk in self.chunks():
            rows, problems = self.job.answered_rows(chunk)
            self.systems |= dict.fromkeys(str(row.get("system") or self.job.system) for _, row in rows)
            self._has_own = self._has_own or any(map(is_row_record, shapes_of(rows)))
            self.count += len(rows)
            self.broken += len(problems)
            self.problems += problems[: SHOWN_PROBLEMS - len(self.problems)]
            size += chunk.size
            yield self.count, size, problems

    def __iter__(self) -> Iterator[Row]:
        return in_places_of_their_own(self._read_again()) if self._places_clash else self._read_again()

    @cached_property
    def _places_clash(self) -> bool:
        return self._has_own and not are_in_order(self._read_again())

    def _read_again(self) -> Iterator[Row]:
        for chunk in self.chunks():
            rows, _ = self.job.answered_rows(chunk)
            yield from self.job.rows(self.job.reader.trials(rows), rows)

    def __len__(self) -> int:
        return self.count
