"""Runs in shards on a cluster: `run_shards` and `rescore_shards`, and what all shards come to."""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from ringtrue._version import __version__
from ringtrue.api.shard_job import Shard, ShardJob, ShardResult
from ringtrue.datasets.files.shards import is_remote
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.jsontext import json_text
from ringtrue.records import DatasetInfo, Made, Problem, Run, SystemInfo
from ringtrue.reports.manifest import (
    Part,
    PartFolder,
    is_manifest,
    manifest_folder,
    parts_of,
    plan_in,
    read_manifest,
    write_manifest,
)
from ringtrue.reports.progress import ProgressLine
from ringtrue.reports.run_file import is_row_file
from ringtrue.runner.budget import Budget
from ringtrue.runner.file_job import SHOWN_PROBLEMS, file_summaries
from ringtrue.runner.on_ray import map_shards, require_success
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan


def run_shards(job: ShardJob, sources: Sequence[str]) -> Run:
    """Work on every file, and write the manifest; parts that are there already are not worked on again."""
    places = (source if is_remote(source) else os.path.abspath(source) for source in sources)
    return _run_shards(job, [Shard(number, place) for number, place in enumerate(places)])


def _run_shards(job: ShardJob, shards: Sequence[Shard]) -> Run:
    plan = job.plan()
    signatures = [signature for _, signature in plan.signed_evaluators]
    named = [system.signature() for system in job.systems()] if job.systems else []
    sources = [one.source for one in shards]
    settings = json_text([job.kind, sources, job.dataset, dict(job.mapping or {}), job.options.repeats])
    job = replace(job, plan_id=digest(settings, *signatures, *named))
    folder = PartFolder(job.folder)
    earlier = plan_in(folder)
    if earlier not in (None, job.plan_id):
        raise ConfigurationError(
            f"the folder {folder.place!r} holds another run; give another -o", parameter="output", value=folder.place
        )
    collected = _CollectedShards(job, plan, time.time())
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
    shards = [Shard(0, os.path.abspath(name))]
    if is_manifest(name):
        folder = manifest_folder(name).place
        shards = [Shard(number, part.file, folder, part.first) for number, part in enumerate(parts_of(folder))]
    job = ShardJob(
        kind="rescore",
        folder=shard_output(output),
        evaluators=evaluators,
        options=options,
        judge=judge[0],
        judge_model=judge[1],
    )
    return _run_shards(job, shards)


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


class _CollectedShards:
    """The results of all shards together."""

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
        """The parts in the order of their shards; rows are numbered through them."""
        found, first = [], 0
        numbered = self.job.kind in ("run", "score")
        for number in sorted(self.results):
            part = self.results[number].part
            found.append(replace(part, first=first) if numbered else part)
            first += part.places
        return found

    def run(self, status: Any = None) -> Run:
        """The run so far."""
        ordered = [self.results[number] for number in sorted(self.results)]
        made = self._made_record(ordered)
        sums = self.job.sums(made, self.plan)
        for one in ordered:
            sums.merge(one.sums)
        stops = [one.stopped_by for one in ordered if one.stopped_by]
        problems = [*(problem for one in ordered for problem in one.problems), *self._failed_shards()]
        stopped = stops[-1] if stops else "the budget is used up" if self.left else ""
        stopped = stopped or (f"{len(self.failures)} shards failed" if self.failures else "")
        only_files = self.job.kind == "score" and not self.plan.has_awaited
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
            facts=sums.facts.facts(),
            unasked_count=made.unasked_count(sum(one.part.rows for one in ordered)),
        )

    def _failed_shards(self) -> list[Problem]:
        return [Problem(source, f"the shard failed: {why}") for source, why in self.failures]

    def _made_record(self, ordered: Sequence[ShardResult]) -> Made:
        datasets: dict[str, DatasetInfo] = {}
        systems: dict[str, SystemInfo] = {}
        for one in ordered:
            for dataset in one.made.datasets:
                known = datasets.get(dataset.name)
                datasets[dataset.name] = replace(dataset, cases=dataset.cases + (known.cases if known else 0))
            systems |= {system.name: system for system in one.made.systems}
        about = {"repeats": self.job.options.repeats, **self.job.options.facts, "executor": "ray"}
        return Made(
            job=self.job.kind,
            name=self.job.options.name,
            datasets=tuple(datasets.values()) or (DatasetInfo(self.job.dataset),),
            systems=tuple(systems.values()),
            evaluators=self.plan.infos,
            options=about,
            trials=sum(one.made.trials for one in ordered),
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
