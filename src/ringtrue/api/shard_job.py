"""`ShardJob`: the rows of one file, scored or asked by a worker of a cluster, and written as one part."""

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
from ringtrue.datasets.selection import Selection
from ringtrue.dialects.fields import Fields
from ringtrue.dialects.run_record import row_record
from ringtrue.jsontext import json_lines
from ringtrue.records import DatasetInfo, Made, Problem, Row, Rows, SystemInfo
from ringtrue.reports.file_rows import FileRows
from ringtrue.reports.manifest import (
    Part,
    PartFolder,
    PartRows,
)
from ringtrue.runner.file_job import ANSWERS, SHOWN_PROBLEMS, FileJob, datasets_of_tally
from ringtrue.runner.headline import benchmark_metrics, with_headlines, with_threshold
from ringtrue.runner.job import Job, ReplayJob, datasets_of
from ringtrue.runner.journal import KeepNothing
from ringtrue.runner.on_ray import WorkerLimits
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan
from ringtrue.runner.planning import plan_for
from ringtrue.runner.replay_rows import CasesOfRows
from ringtrue.runner.run_from_rows import RunSums
from ringtrue.sync import run_sync
from ringtrue.systems.replay import Replay, RowReader
from ringtrue.systems.system import System


class Shard(NamedTuple):
    """A file of the input: its number among them and its place.

    A part of an earlier run has the folder it is in, and the number of its first row.
    """

    number: int
    source: str
    folder: str = ""
    first: int = 0

    @property
    def part(self) -> str:
        """The name of the part that its rows go to."""
        return f"part-{self.number:06}.parquet"


@dataclass
class ShardResult:
    """The results of one shard."""

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
        """The evaluators of the job."""
        plan = plan_for(self.evaluators, self.judge, self.judge_model, **self.options.judging)
        guess = with_headlines([DatasetInfo(self.dataset)], plan.infos, self.headline)
        return with_threshold(plan, guess, self.options.threshold)

    def __call__(self, shard: Shard, limits: WorkerLimits) -> ShardResult | None:
        """Work on a shard, unless its part is there already; None if the run's budget is used up."""
        with suppress(OSError):  # another machine may not have the folder; modules are then found on its own path
            os.chdir(self.home)
        folder = PartFolder(self.folder)
        plan = self.plan()
        if (done := self._read_part(folder, shard, plan)) is not None:
            return done
        if limits.enter():
            return None
        if self.kind == "score" and not plan.has_awaited:
            return self._score(folder, shard, plan)
        return self._ask(folder, shard, plan, limits)

    def sums(self, made: Made, plan: Plan) -> RunSums:
        """Return the sums that count the rows of a shard."""
        return RunSums(
            made,
            self.options.text_fields,
            benchmark_metrics(made.datasets),
            metrics=self.kind != "score" or plan.has_awaited,
        )

    def _read_part(self, folder: PartFolder, shard: Shard, plan: Plan) -> ShardResult | None:
        if not folder.exists(shard.part):
            return None
        rows = PartRows(folder, shard.part)
        about = rows.made.options.get("shard") or {}
        if about.get("plan") != self.plan_id or not about.get("whole"):
            return None
        sums = self.sums(rows.made, plan)
        sums.add(rows)
        part = Part(shard.part, shard.source, len(rows), shard.first, places=_places(rows))
        return ShardResult(part, rows.made, sums, int(about.get("broken") or 0))

    def _score(self, folder: PartFolder, shard: Shard, plan: Plan) -> ShardResult:
        job = FileJob(
            plan=plan,
            reader=self._reader(),
            dataset=self.dataset,
            writes_lines=True,
        )
        total, places = job.nothing(), 0
        with folder.part(shard.part) as file:
            for chunk in read_chunks(shard.source, self.format, self.encoding):
                result = job(chunk)
                file.write(result.lines)
                total.merge(result)
                places = chunk.end
            datasets = datasets_of_tally(total.tally) or (DatasetInfo(self.dataset),)
            systems = dict.fromkeys(system for _, system in total.tally.blocks) or {ANSWERS: None}
            made = self.made_record(plan, datasets, [SystemInfo(name) for name in systems], shard, total.broken)
            file.made = made
        sums = self.sums(made, plan)
        sums.tally, sums.facts.causes = total.tally, total.causes
        part = Part(shard.part, shard.source, total.tally.rows, places=places)
        return ShardResult(part, made, sums, total.broken, total.problems[:SHOWN_PROBLEMS])

    def _ask(self, folder: PartFolder, shard: Shard, plan: Plan, limits: WorkerLimits) -> ShardResult:
        job, broken = self._job(shard, plan)
        job.prepare()
        for endpoint, at_once in _endpoints(job):
            own: int = getattr(endpoint.limiter, "maximum", 1)
            endpoint.limiter = limits.limiter(f"{endpoint.base_url} {endpoint.owner}", at_once or own)
        job.budget = limits.budget(job.own_budget())
        run = run_sync(job.run(KeepNothing()))
        made = replace(run.made, options={**run.made.options, **self._about(shard, len(broken), not run.stopped_by)})
        with folder.part(shard.part) as file:
            file.write(json_lines(map(row_record, run.rows)))
            file.made = made
        sums = self.sums(made, plan)
        sums.add(run.rows)
        part = Part(
            shard.part, shard.source, len(run.rows), shard.first, whole=not run.stopped_by, places=_places(run.rows)
        )
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
        job = FileJob(plan, self._reader(), self.dataset)
        answers = AnswersOfFiles(job, lambda: read_chunks(shard.source, self.format, self.encoding))
        for _, _, problems in answers.read():
            broken += problems
        return answers

    def _earlier(self, shard: Shard) -> Rows:
        return PartRows(PartFolder(shard.folder), shard.source) if shard.folder else FileRows(shard.source)

    def _reader(self) -> RowReader:
        return RowReader(Fields(self.mapping, blank_is_missing=True, answered=True))

    def made_record(
        self, plan: Plan, datasets: Iterable[DatasetInfo], systems: Iterable[SystemInfo], shard: Shard, broken: int
    ) -> Made:
        """The record of how the rows of a shard were made."""
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


def _places(rows: Iterable[Row]) -> int:
    """The number of places that rows take, counted from the first of their shard."""
    return max((row.position for row in rows), default=-1) + 1


def _endpoints(job: Job) -> list[tuple[Any, int | None]]:
    """The endpoints that a job asks, each with how many requests at once the caller allows."""
    found = (getattr(system, "endpoint", None) for system in job.systems)
    asked = [(endpoint(), job.options.max_workers) for endpoint in found if callable(endpoint)]
    if job.plan.has_awaited:
        from ringtrue.runner.judges import judge_endpoints

        asked += [(endpoint, job.options.judge_workers) for endpoint in judge_endpoints(job.plan)]
    return asked
