"""`score_file`: stored answers, scored in constant memory."""

from __future__ import annotations

import os
import pickle
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import closing, nullcontext
from inspect import signature
from os.path import samefile
from pathlib import Path
from typing import Any

from ringtrue._version import __version__
from ringtrue.datasets.files.chunks import Chunk, first_rows, numbered_through
from ringtrue.datasets.files.reader import read_chunks
from ringtrue.datasets.files.shards import expand
from ringtrue.datasets.row_sources import are_rows, held_rows, row_chunks
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.records import DatasetInfo, Made, Row, Rows, Run, RunFacts, SystemInfo
from ringtrue.reports.row_file import RowFile
from ringtrue.runner.failures import keep_warnings_harmless
from ringtrue.runner.file_job import (
    ANSWERS,
    SHOWN_PROBLEMS,
    ChunkListener,
    ChunkResult,
    FileJob,
    datasets_of_tally,
    file_summaries,
)
from ringtrue.runner.headline import with_headlines, with_threshold
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.runner.planning import plan_for
from ringtrue.stats.row_pages import PagedRows
from ringtrue.systems.replay import RowReader


def score_file(
    source: Any,
    evaluators: str | Sequence[Any],
    *,
    mapping: Mapping[str, str] | None = None,
    format: str | None = None,
    output: str | os.PathLike[str] | None = None,
    limit: int | None = None,
    dataset: str = "",
    encoding: str | None = None,
    workers: int = 1,
    listener: ChunkListener | None = None,
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    **options: Any,
) -> Run:
    """Score answers in files, data frames or rows; memory use does not grow with their number.

    `source` is a file, a folder written by `save_to_disk`, a data frame, a dataset of the `datasets` library, an
    iterable of dicts, or a list of these. `encoding` is for files that are not UTF-8.
    `evaluators` are names (`"word_count(max_words=100)"`), evaluators or functions; with more than one worker they
    must pickle. `mapping` names the fields of response, expected answer and so on; `meta.gold.0` reaches into objects
    and lists. `limit` is the largest number of rows to read. `dataset` names rows that have no dataset of their own.
    `output` is a file for the rows, which appears when everything is done.

    Judged evaluators ask `judge`. With a judge or a `store`, every finished row is stored. Further options are the
    fields of `ringtrue.runner.options.Options`.
    """
    chosen = Options.of(options, "score_file", signature(score_file).parameters)
    chosen = chosen.with_facts(mapping=mapping, limit=limit, format=format, encoding=encoding)
    names = _sources(source)
    dataset = dataset or _label(names)
    if chosen.executor == "ray":
        if limit is not None:
            raise ConfigurationError("leave out limit: shards are scored whole", parameter="limit", value=limit)
        reading = {"mapping": mapping, "format": format, "encoding": encoding, "dataset": dataset}
        return _score_shards(names, evaluators, chosen, output, judge=judge, judge_model=judge_model, **reading)
    plan = plan_for(evaluators, judge, judge_model, **chosen.judging)
    kept = plan.has_awaited or "store" in options
    if output is not None:
        _require_other_file(os.fspath(output), [name for name in names if isinstance(name, str)])
    job = FileJob(
        plan=with_threshold(plan, with_headlines([DatasetInfo(dataset)], plan.infos), chosen.threshold),
        reader=RowReader(Fields(mapping, blank_is_missing=True, answered=True)),
        dataset=dataset,
        writes_lines=output is not None,
    )

    def chunks() -> Iterator[Chunk]:
        each = (read_chunks(one, format, encoding) if isinstance(one, str) else row_chunks(one) for one in names)
        found = numbered_through(each)
        return found if limit is None else first_rows(found, limit)

    if not kept:
        return _score(job, chunks, workers, chosen, output, listener)
    from ringtrue.api.score_kept import score_kept  # scores that are not kept need no loop and no database

    read_once = [*chunks()] if any(isinstance(one, str) and one == "-" for one in names) else None  # standard input
    return score_kept(job, chunks if read_once is None else lambda: read_once, chosen, output, listener)


def _score_shards(
    names: Sequence[Any],
    evaluators: str | Sequence[Any],
    options: Options,
    output: str | os.PathLike[str] | None,
    **given: Any,
) -> Run:
    """Score files on a cluster, each as a shard; `given` are further fields of the job."""
    from ringtrue.api.on_shards import run_shards, shard_output, shard_sources
    from ringtrue.api.shard_job import ShardJob

    several = [evaluators] if isinstance(evaluators, str) else list(evaluators)
    job = ShardJob(kind="score", folder=shard_output(output), evaluators=several, options=options, **given)
    return run_shards(job, shard_sources(names))


def _score(
    job: FileJob,
    chunks: Callable[[], Iterator[Chunk]],
    workers: int,
    options: Options,
    output: str | os.PathLike[str] | None,
    listener: ChunkListener | None,
) -> Run:
    if workers > 1:
        _must_pickle(job.plan)
    started, clock = time.time(), time.monotonic()
    total = job.nothing()
    with keep_warnings_harmless(), RowFile(output) if output is not None else nullcontext() as file:
        with closing(job.results(chunks(), workers)) as results:
            for result in results:
                if file is not None:
                    file.write(result.lines)
                total.merge(result)
                if listener is not None:
                    listener(total.tally.rows, total.size, result.problems)
        made = _made_record(job, total, options, started)
        if file is not None:
            file.made = made
    rows = _file_rows(output, total.tally.rows) or _ScoredRows(job, chunks, made, total)
    return Run(
        made=made,
        rows=rows,
        summaries=file_summaries(total.tally, made),
        seconds={ANSWERS: time.monotonic() - clock},
        problems=total.broken,
        first_problems=total.problems[:SHOWN_PROBLEMS],
        first_skips=total.tally.first_skips(),
        facts=RunFacts(causes=total.causes.by_frequency()),
    )


def _made_record(job: FileJob, total: ChunkResult, options: Options, started: float) -> Made:
    datasets = datasets_of_tally(total.tally) or (DatasetInfo(job.dataset),)
    systems = dict.fromkeys(system for _, system in total.tally.blocks) or {job.system: None}
    return Made(
        job="score",
        name=options.name,
        datasets=with_headlines(datasets, job.evaluators),
        systems=tuple(SystemInfo(name) for name in systems),
        evaluators=job.evaluators,
        options=options.facts,
        started=started,
        version=__version__,
    )


class _ScoredRows(PagedRows):
    """The rows of files, read and scored again whenever they are iterated: nothing of them is held."""

    def __init__(self, job: FileJob, chunks: Callable[[], Iterator[Chunk]], made: Made, total: ChunkResult) -> None:
        self.job, self.chunks, self.made, self.count = job, chunks, made, total.tally.rows

    def __iter__(self) -> Iterator[Row]:
        for chunk in self.chunks():
            yield from self.job.scored_rows(chunk)

    def __len__(self) -> int:
        return self.count


def _sources(source: Any) -> list[Any]:
    """The files by name, and rows that can be read again."""
    if isinstance(source, (str, os.PathLike)):
        return expand([os.fspath(source)])
    if source is None or isinstance(source, (bool, int, float)):
        words = f"give a file, several files, or rows (a list of dicts, a data frame); got {type(source).__name__}"
        raise ConfigurationError(words, parameter="source", value=source)
    again = held_rows(source)
    several = [again] if are_rows(again) else list(again)
    return [one for given in several for one in ([held_rows(given)] if are_rows(given) else expand([os.fspath(given)]))]


def _label(names: Sequence[Any]) -> str:
    if len(names) != 1:
        return f"{len(names)} files"
    return "rows" if not isinstance(names[0], str) or names[0] == "-" else os.path.basename(os.path.normpath(names[0]))


def _file_rows(output: str | os.PathLike[str] | None, count: int) -> Rows | None:
    """The rows of the file that was written, where it can be read as a run."""
    if output is None or Path(output).suffix.lower() == ".csv":
        return None
    from ringtrue.reports.file_rows import FileRows

    return FileRows(output, count)


def _require_other_file(output: str, inputs: Iterable[str]) -> None:
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
