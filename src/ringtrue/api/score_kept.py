"""Scoring files whose rows are kept: judged ones, which cost something, and those for which a store is named."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from ringtrue.atomic_file import check_place
from ringtrue.datasets.files.chunks import Chunk
from ringtrue.records import Problem, Row, Run
from ringtrue.reports.row_file import RowFile, encode_rows
from ringtrue.runner.file_job import SHOWN_PROBLEMS, FileJob
from ringtrue.runner.headline import with_headlines
from ringtrue.runner.job import ReplayJob, datasets_of
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.options import Options
from ringtrue.store.runs import RunStore
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay

Listener = Callable[[int, float, Sequence[Problem]], None]


def score_kept(
    job: FileJob,
    chunks: Iterable[Chunk],
    options: Options,
    output: str | os.PathLike[str] | None,
    listener: Listener | None,
) -> Run:
    """Every row through the loop of all runs: kept as it is finished, and judged once."""
    answers: list[Row] = []
    problems: list[Problem] = []
    size = 0.0
    for chunk in chunks:
        found, broken = job.read(chunk)
        rows = job.with_dataset(job.rows_with_answers(chunk, found, broken))
        problems += broken
        size += chunk.size
        answers += job.rows(job.reader.trials(rows), rows, first=len(answers))
        if listener is not None:
            listener(len(answers), size, broken)
    if output is not None:
        check_place(os.fspath(output), "output")
    datasets = with_headlines(datasets_of(row.trial.case for row in answers), job.evaluators)
    replay = ReplayJob(
        systems=[Replay(name=name) for name in dict.fromkeys(row.system for row in answers)],
        cases=[row.trial.case for row in answers],
        answers=answers,
        plan=job.plan,
        options=options,
        datasets=datasets,
        kind="score",
    )
    with RunStore.open(options.store) if options.store else KeepNothing() as keeper:
        run = run_sync(replay.run(keeper))
    if output is not None and not run.stopped_by:  # a file of rows is whole, or is not there
        with RowFile(output) as file:
            file.write(encode_rows(list(run.rows)))
            file.made = run.made
    return replace(run, problems=len(problems), first_problems=tuple(problems[:SHOWN_PROBLEMS]))
