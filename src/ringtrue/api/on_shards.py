"""Runs in shards: the rows of many files, scored or asked by workers of a cluster, each shard written as one part."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from typing import Any, Literal, NamedTuple

from ringtrue._version import __version__
from ringtrue.datasets.cases import CasesOfFiles
from ringtrue.datasets.files.reader import read_chunks
from ringtrue.datasets.files.shards import is_remote
from ringtrue.datasets.selection import Selection
from ringtrue.dialects.fields import Fields
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.jsontext import json_text
from ringtrue.records import DatasetInfo, Made, Problem, Row, Rows, Run, SystemInfo
from ringtrue.reports.manifest import (
    Part,
    PartFolder,
    PartRows,
    is_manifest,
    manifest_folder,
    parts_of,
    plan_in,
    read_manifest,
    write_manifest,
)
from ringtrue.reports.progress import ProgressLine
from ringtrue.reports.row_file import encode_rows
from ringtrue.reports.run_file import FileRows, is_row_file
from ringtrue.runner.budget import Budget
from ringtrue.runner.file_job import SHOWN_PROBLEMS, FileJob, file_summaries
from ringtrue.runner.file_job import datasets_of as datasets_of_tally
from ringtrue.runner.headline import benchmark_metrics, with_headlines, with_threshold
from ringtrue.runner.job import CasesOfRows, Job, ReplayJob, datasets_of
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.on_ray import WorkerLimits, map_shards, require_success
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.runner.planning import plan_for
from ringtrue.runner.run_from_rows import RunSums
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay, RowReader
from ringtrue.systems.system import System

ANSWERS = "answers"


class Shard(NamedTuple):
    """A file of the input: its number among them, its place, and for a run in parts the folder it is in."""

    number: int
    source: str
    folder: str = ""

    @property
    def part(self) -> str:
        """The name of the part that its rows go to."""
        return f"part-{self.number:06}.parquet"


@dataclass
class ShardResult:
    """What a shard came to."""

    part: Part
    made: Made
    sums: RunSums
    broken: int = 0
    problems: tuple[Problem, ...] = ()
    spent: Mapping[str, float | None] = field(default_factory=dict)
    stopped_by: str = ""


@dataclass(frozen=True, kw_only=True)
class ShardJob:
    """From a shard to its part and its sums; it travels to workers, where evaluators and systems are made.

    `mapping`, `format` and `encoding` are those of the files; `dataset` is the name of rows that have none.
    """

    kind: Literal["score", "run", "rescore"]
    folder: str
    evaluators: Sequence[Any]
    options: Options
    judge: Any = None
    judge_model: str | Sequence[str] = ""
    mapping: Mapping[str, str] | None = None
    format: str | None = None
    encoding: str | None = None
    dataset: str = ""
    headline: str | None = None
    selection: Selection = field(default_factory=lambda: Selection(first=True))
    systems: Callable[[], Sequence[System]] | None = None
    plan_id: str = ""
    home: str = field(default_factory=os.getcwd)

    def plan(self) -> Plan:
        """Who measures."""
        plan = plan_for(self.evaluators, self.judge, self.judge_model, **self.options.judging)
        guess = with_headlines([DatasetInfo(self.dataset)], plan.infos, self.headline)
        return with_threshold(plan, guess, self.options.threshold)

    def __call__(self, shard: Shard, limits: WorkerLimits) -> ShardResult | None:
        """Work on a shard, unless its part is there already; None if the run's budget is used up."""
        with suppress(OSError):  # another machine may not have the folder; modules are then found on its own path
            os.chdir(self.home)
        folder = PartFolder(self.folder)
        plan = self.plan()
        if (done := self._finished(folder, shard, plan)) is not None:
            return done
        if limits.enter():
            return None
        if self.kind == "score" and not plan.awaited:
            return self._score(folder, shard, plan)
        return self._ask(folder, shard, plan, limits)

    def sums(self, made: Made, plan: Plan) -> RunSums:
        """Where the rows of a shard are counted."""
        return RunSums(
            made,
            self.options.text_fields,
            benchmark_metrics(made.datasets),
            metrics=self.kind != "score" or plan.awaited,
        )

    def _finished(self, folder: PartFolder, shard: Shard, plan: Plan) -> ShardResult | None:
        if not folder.exists(shard.part):
            return None
        rows = PartRows(folder, shard.part)
        about = rows.made.options.get("shard") or {}
        if about.get("plan") != self.plan_id or not about.get("whole"):
            return None
        sums = self.sums(rows.made, plan)
        sums.add(rows)
        part = Part(shard.part, shard.source, len(rows))
        return ShardResult(part, rows.made, sums, int(about.get("broken") or 0))

    def _score(self, folder: PartFolder, shard: Shard, plan: Plan) -> ShardResult:
        job = FileJob(
            plan=plan,
            reader=self._reader(),
            evaluators=plan.infos,
            dataset=self.dataset,
            system=ANSWERS,
            encode=encode_rows,
        )
        total = job.nothing()
        with folder.part(shard.part) as file:
            for chunk in read_chunks(shard.source, self.format, self.encoding):
                result = job(chunk)
                file.write(result.encoded)
                total.merge(result)
            datasets = datasets_of_tally(total.tally) or (DatasetInfo(self.dataset),)
            systems = dict.fromkeys(system for _, system in total.tally.blocks) or {ANSWERS: None}
            made = self.made(plan, datasets, [SystemInfo(name) for name in systems], shard, total.broken)
            file.made = made
        sums = self.sums(made, plan)
        sums.tally = total.tally
        part = Part(shard.part, shard.source, total.tally.rows)
        return ShardResult(part, made, sums, total.broken, total.problems[:SHOWN_PROBLEMS])

    def _ask(self, folder: PartFolder, shard: Shard, plan: Plan, limits: WorkerLimits) -> ShardResult:
        job, broken = self._job(shard, plan)
        job.prepare()
        for endpoint in _endpoints(job):
            maximum = max(getattr(endpoint.limiter, "maximum", 0), self.options.max_workers or 1)
            endpoint.limiter = limits.limiter(f"{endpoint.base_url} {endpoint.owner}", maximum)
        job.budget = limits.budget(job.own_budget())
        run = run_sync(job.run(KeepNothing()))
        made = replace(run.made, options={**run.made.options, **self._about(shard, len(broken), not run.stopped_by)})
        with folder.part(shard.part) as file:
            file.write(encode_rows(list(run.rows)))
            file.made = made
        sums = self.sums(made, plan)
        sums.add(run.rows)
        part = Part(shard.part, shard.source, len(run.rows), whole=not run.stopped_by)
        return ShardResult(part, made, sums, len(broken), tuple(broken[:SHOWN_PROBLEMS]), run.spent, run.stopped_by)

    def _job(self, shard: Shard, plan: Plan) -> tuple[Job, list[Problem]]:
        options = replace(self.options, store=None, progress=False, resume=None, on_start=None)
        broken: list[Problem] = []
        if self.kind == "run":
            cases = list(CasesOfFiles([shard.source], self.selection, self.mapping, self.encoding, self.dataset))
            systems = self.systems() if self.systems else ()
            datasets = with_headlines(datasets_of(cases), plan.infos, self.headline)
            metrics = benchmark_metrics(datasets)
            job = Job(systems=systems, cases=cases, plan=plan, options=options, datasets=datasets, metrics=metrics)
            return job, broken
        answers = list(self._answers(shard, broken) if self.kind == "score" else self._earlier(shard))
        names = dict.fromkeys(row.system for row in answers)
        replay = ReplayJob(
            systems=[Replay(name=name) for name in names],
            cases=CasesOfRows(answers),
            answers=answers,
            plan=plan,
            options=options,
            datasets=with_headlines(datasets_of(CasesOfRows(answers)), plan.infos, self.headline),
            kind=self.kind,
        )
        return replay, broken

    def _answers(self, shard: Shard, broken: list[Problem]) -> Iterable[Row]:
        from ringtrue.api.score_kept import AnswersOfFiles

        plan = self.plan()
        job = FileJob(plan, self._reader(), plan.infos, self.dataset, ANSWERS)
        answers = AnswersOfFiles(job, lambda: read_chunks(shard.source, self.format, self.encoding))
        for _, _, problems in answers.read():
            broken += problems
        return answers

    def _earlier(self, shard: Shard) -> Rows:
        return PartRows(PartFolder(shard.folder), shard.source) if shard.folder else FileRows(shard.source)

    def _reader(self) -> RowReader:
        return RowReader(Fields(self.mapping, blank_is_missing=True, answered=True))

    def made(
        self, plan: Plan, datasets: Iterable[DatasetInfo], systems: Iterable[SystemInfo], shard: Shard, broken: int
    ) -> Made:
        """How the rows of a shard were made."""
        return Made(
            job=self.kind,
            name=self.options.name,
            datasets=with_headlines(datasets, plan.infos, self.headline),
            systems=tuple(systems),
            evaluators=plan.infos,
            options={**self.options.about, **self._about(shard, broken, True)},
            started=time.time(),
            version=__version__,
        )

    def _about(self, shard: Shard, broken: int, whole: bool) -> dict[str, Any]:
        about = {"number": shard.number, "source": shard.source, "plan": self.plan_id, "whole": whole, "broken": broken}
        return {"shard": about}


def run_shards(job: ShardJob, sources: Sequence[str], folder_of_sources: str = "") -> Run:
    """Work on every shard, and write the manifest; parts that are there already are not worked on again."""
    plan = job.plan()
    signatures = [signature for _, signature in plan.signed]
    named = [system.signature() for system in job.systems()] if job.systems else []
    settings = json_text([job.kind, list(sources), job.dataset, dict(job.mapping or {}), job.options.repeats])
    job = replace(job, plan_id=digest(settings, *signatures, *named))
    folder = PartFolder(job.folder)
    earlier = plan_in(folder)
    if earlier not in (None, job.plan_id):
        raise ConfigurationError(
            f"the folder {folder.place!r} holds another run; give another -o", parameter="output", value=folder.place
        )
    shards = [
        Shard(number, source if is_remote(source) or folder_of_sources else os.path.abspath(source), folder_of_sources)
        for number, source in enumerate(sources)
    ]
    collected = _Collected(job, plan, time.time())
    write_manifest(folder, collected.run("running"), [], job.plan_id)
    budget = Budget(job.options.max_cost, job.options.max_tokens, job.options.max_errors)
    line = ProgressLine(shown=job.options.progress)
    try:
        for number, result in map_shards(job, shards, job.options.ray_address, budget):
            collected.add(shards[number], result)
            if line.is_due():
                line.show(collected.done, len(shards), collected.words(len(shards)))
    finally:
        line.stop()
    require_success(collected.failures, len(shards))
    run = collected.run()
    write_manifest(folder, run, collected.parts(), job.plan_id)
    return read_manifest(folder.place)


def rescore_shards(
    run: Any,
    evaluators: Sequence[Any],
    options: Options,
    judge: tuple[Any, str | Sequence[str]],
    output: str | os.PathLike[str] | None,
) -> Run:
    """Measure the answers of a run in parts, or of a file of rows, again: each part is a shard."""
    name = os.fspath(run) if isinstance(run, (str, os.PathLike)) else ""
    if not is_manifest(name) and not is_row_file(name):
        raise ConfigurationError(
            "with --executor ray a run is rescored from its parts or from a file of rows: 'ringtrue export' writes one",
            parameter="run",
            value=name,
        )
    sources, folder = [name], ""
    if is_manifest(name):
        folder = manifest_folder(name).place
        sources = [part.file for part in parts_of(folder)]
    job = ShardJob(
        kind="rescore",
        folder=shard_output(output),
        evaluators=evaluators,
        options=options,
        judge=judge[0],
        judge_model=judge[1],
    )
    return run_shards(job, sources, folder)


def shard_output(output: str | os.PathLike[str] | None) -> str:
    """The folder of the parts, which must be given."""
    if output is None:
        raise ConfigurationError(
            "workers write the rows as parts into a folder that all of them see: add -o FOLDER", parameter="output"
        )
    return os.fspath(output)


def shard_sources(names: Sequence[Any]) -> list[str]:
    """The files of a run in shards; rows that a program holds are none."""
    if not all(isinstance(name, str) and name != "-" for name in names):
        raise ConfigurationError(
            "with --executor ray every input is a file or a pattern such as 'shards/*.parquet'", parameter="executor"
        )
    return list(names)


class _Collected:
    """What all shards come to."""

    def __init__(self, job: ShardJob, plan: Plan, started: float) -> None:
        self.job, self.plan, self.started = job, plan, started
        self.results: dict[int, ShardResult] = {}
        self.failures: list[tuple[str, str]] = []
        self.left = 0

    @property
    def done(self) -> int:
        return len(self.results) + len(self.failures) + self.left

    def add(self, shard: Shard, result: ShardResult | str | None) -> None:
        """Take the result of a shard in."""
        if result is None:
            self.left += 1
        elif isinstance(result, str):
            self.failures.append((shard.source, result))
        else:
            self.results[shard.number] = result

    def words(self, shards: int) -> str:
        rows = sum(one.part.rows for one in self.results.values())
        failed = f", {len(self.failures)} failed" if self.failures else ""
        return f"{self.done:,} of {shards:,} shards, {rows:,} rows{failed}"

    def parts(self) -> list[Part]:
        """The parts in the order of their shards; rows of a run are numbered through them."""
        found, first = [], 0
        numbered = self.job.kind == "run" or (self.job.kind == "score" and self.plan.awaited)
        for number in sorted(self.results):
            part = self.results[number].part
            found.append(replace(part, first=first if numbered else 0))
            first += part.rows
        return found

    def run(self, status: Any = None) -> Run:
        """The run so far."""
        ordered = [self.results[number] for number in sorted(self.results)]
        made = self._made(ordered)
        sums = self.job.sums(made, self.plan)
        for one in ordered:
            sums.merge(one.sums)
        stops = [one.stopped_by for one in ordered if one.stopped_by]
        problems = [*(problem for one in ordered for problem in one.problems), *self._failed_shards()]
        stopped = stops[-1] if stops else "the budget is used up" if self.left else ""
        stopped = stopped or (f"{len(self.failures)} shards failed" if self.failures else "")
        only_files = self.job.kind == "score" and not self.plan.awaited
        return Run(
            made=made,
            rows=(),  # type: ignore[arg-type]  # they are in the parts
            summaries=file_summaries(sums.tally, made) if only_files else sums.summaries(),
            status=status or ("stopped" if stopped else "finished"),
            stopped_by=stopped,
            seconds={one.name: time.time() - self.started for one in made.systems},
            problems=sum(one.broken for one in ordered) + len(self.failures),
            first_problems=tuple(problems[:SHOWN_PROBLEMS]),
            spent=_sum_spent([one.spent for one in ordered]),
            first_skips=sums.tally.first_skips(),
        )

    def _failed_shards(self) -> list[Problem]:
        return [Problem(source, f"the shard failed: {why}") for source, why in self.failures]

    def _made(self, ordered: Sequence[ShardResult]) -> Made:
        datasets: dict[str, DatasetInfo] = {}
        systems: dict[str, SystemInfo] = {}
        for one in ordered:
            for dataset in one.made.datasets:
                known = datasets.get(dataset.name)
                datasets[dataset.name] = replace(dataset, cases=dataset.cases + (known.cases if known else 0))
            systems |= {system.name: system for system in one.made.systems}
        about = {"repeats": self.job.options.repeats, **self.job.options.about, "executor": "ray"}
        return Made(
            job=self.job.kind,
            name=self.job.options.name,
            datasets=tuple(datasets.values()) or (DatasetInfo(self.job.dataset),),
            systems=tuple(systems.values()),
            evaluators=self.plan.infos,
            options=about,
            started=self.started,
            version=__version__,
        )


def _sum_spent(bills: Sequence[Mapping[str, float | None]]) -> dict[str, float | None]:
    found: dict[str, float | None] = {}
    for bill in bills:
        for name, value in bill.items():
            before = found.get(name, 0.0)
            found[name] = None if value is None or before is None else before + value
    return found


def _endpoints(job: Job) -> list[Any]:
    found = (getattr(system, "endpoint", None) for system in job.systems)
    asked = [endpoint() for endpoint in found if callable(endpoint)]
    if job.plan.awaited:
        from ringtrue.runner.judges import judge_endpoints

        asked += judge_endpoints(job.plan)
    return asked
