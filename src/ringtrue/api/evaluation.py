"""`evaluate`: every system on every case, measured by every evaluator, kept, and summed up."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from ringtrue.api.journal import NoJournal, StoredJournal, answer_key
from ringtrue.api.result import EvalResult, counted, eval_row
from ringtrue.datasets.files import named_format, read_chunks
from ringtrue.dialects.fields import Fields
from ringtrue.dialects.suite import EvalCase, case_of
from ringtrue.errors import ConfigurationError, InputError
from ringtrue.evaluators.adapt import as_evaluator
from ringtrue.evaluators.spec import build
from ringtrue.evaluators.wiring import wired
from ringtrue.metrics.metric import Metric
from ringtrue.models.blocking import run as run_blocking
from ringtrue.records import Case, EvalRow, Row
from ringtrue.reports.live import Live
from ringtrue.runner.plan import Plan
from ringtrue.runner.trials import Budget, Loop, Task
from ringtrue.store.codec import digest, encode, encode_record
from ringtrue.store.database import DEFAULT, Database, StoredRun
from ringtrue.systems.answering import Answering, as_system


@dataclass(frozen=True)
class Options:
    """How a run is run: everything that does not change what is measured."""

    epochs: int = 1
    max_workers: int | None = None
    store: str | None = DEFAULT
    case_seconds: float | None = None
    max_cost: float | None = None
    max_tokens: int | None = None
    max_errors: int | None = None
    progress: bool = True
    run_id: str | None = None
    text_fields: Sequence[str] | None = None
    fresh: bool = False
    config: Mapping[str, Any] = field(default_factory=dict)


def evaluate(
    systems: Any,
    dataset: Any,
    evaluators: Sequence[Any] | None = None,
    metrics: Sequence[Metric] | None = None,
    max_examples: int | None = None,
    progress: bool = True,
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> EvalResult:
    """Ask every system every case, measure every answer, keep everything, and sum it up.

    `systems` are objects with `process(example)`, functions, or one of those alone; `dataset` is a file or an iterable
    of dicts, EvalCases or Cases; without `evaluators` they follow from the rows' `dataset`. `text_fields` are the
    fields whose tokens count as sent where a system reports no usage. Further options are the fields of
    `ringtrue.api.evaluation.Options`. Works with or without a running event loop.
    """
    rest = (metrics, max_examples, progress, text_fields, max_workers, cache_dir)
    return run_blocking(aevaluate(systems, dataset, evaluators, *rest, **options))


async def aevaluate(
    systems: Any,
    dataset: Any,
    evaluators: Sequence[Any] | None = None,
    metrics: Sequence[Metric] | None = None,
    max_examples: int | None = None,
    progress: bool = True,
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> EvalResult:
    """`evaluate` for a caller that awaits."""
    if cache_dir is not None:
        options["store"] = f"sqlite:///{Path(cache_dir) / 'ringtrue.db'}"
    chosen = Options(max_workers=max_workers, progress=progress, text_fields=text_fields, **options)
    asked = _systems(systems)
    cases = read_cases(dataset, max_examples)
    plan = _plan(evaluators, cases)
    _check_metrics(metrics or (), plan)
    return await _Evaluation(asked, cases, plan, tuple(metrics or ()), chosen).run()


def read_cases(dataset: Any, limit: int | None = None) -> list[Case]:
    """The cases of a file or an iterable; an endless one is read no further than the limit."""
    if limit is not None and limit < 0:
        raise ConfigurationError(
            f"max_examples must be at least 0; got {limit!r}", parameter="max_examples", value=limit
        )
    if isinstance(dataset, (str, os.PathLike)):
        found: Iterator[Any] = _rows_of_file(str(dataset))
        fields = Fields(blank_is_missing=named_format(str(dataset)) in ("csv", "tsv"))
    elif isinstance(dataset, Iterable) and not isinstance(dataset, (bytes, Mapping)):
        found, fields = iter(dataset), Fields()
    else:
        raise ConfigurationError(
            f"a dataset is a file or an iterable of dicts; got {type(dataset).__name__}",
            parameter="dataset",
            value=dataset,
        )
    return [_case(item, position, fields) for position, item in enumerate(islice(found, limit))]


def _rows_of_file(path: str) -> Iterator[Any]:
    for chunk in read_chunks(path):
        rows, problems = chunk.read()
        for problem in problems:
            raise InputError(f"{problem.where}: {problem.what}")
        yield from (row for _, row in rows)


def _case(item: Any, position: int, fields: Fields) -> Case:
    if isinstance(item, (Case, EvalCase)):
        return case_of(item)
    if not isinstance(item, Mapping):
        raise ConfigurationError(
            f"row {position + 1} of the dataset is {type(item).__name__}, not a dict", parameter="dataset", value=item
        )
    return fields.case(dict(item), position)


def _systems(systems: Any) -> list[Answering]:
    several = systems if isinstance(systems, (list, tuple)) else [systems]
    if not several:
        raise ConfigurationError("no system given", parameter="systems")
    asked = [as_system(system) for system in several]
    names = [system.name for system in asked]
    repeated = next((name for name in names if names.count(name) > 1), None)
    if repeated is not None:
        raise ConfigurationError(
            f"two systems are named {repeated!r}; give them different names", parameter="systems", value=repeated
        )
    return asked


def _plan(evaluators: Sequence[Any] | None, cases: Sequence[Case]) -> Plan:
    if evaluators is None:
        return Plan(*wired(dict.fromkeys(str(case.fields.get("dataset") or "") for case in cases)))
    return Plan(tuple(build(item) if isinstance(item, str) else as_evaluator(item) for item in evaluators))


def _check_metrics(metrics: Sequence[Metric], plan: Plan) -> None:
    if not all(hasattr(evaluator, "parts") for evaluator in plan.evaluators):
        return  # a user's evaluator says its keys only when it has measured
    keys = [key for evaluator in plan.evaluators for key in evaluator.keys]
    for metric in metrics:
        wanted = getattr(metric, "score_field", None)
        if wanted is not None and wanted not in keys:
            raise ConfigurationError(
                f"{metric.name} reads the score {wanted!r}, which no evaluator gives; there are {', '.join(keys)}",
                parameter="score_field",
                value=wanted,
            )


@dataclass
class _Evaluation:
    systems: list[Answering]
    cases: list[Case]
    plan: Plan
    metrics: tuple[Metric, ...]
    options: Options

    async def run(self) -> EvalResult:
        self._prepare()
        store = self.options.store
        with Database(store) if store else nullcontext() as database:
            run = self._begin(database)
            budget = Budget(self.options.max_cost, self.options.max_tokens, self.options.max_errors)
            journal = (
                StoredJournal(database, run.id, [sign for _, sign in self.plan.signed]) if database else NoJournal()
            )
            status = "interrupted"
            try:
                rows, timing = await self._rows(journal, run.id, budget)
                status = "stopped" if budget.spent else "finished"
            finally:
                if database:
                    database.end(run.id, status)
        config = {**run.config, "run": run.id, "status": status, "stopped_by": budget.spent or None}
        return EvalResult.of(rows, [system.name for system in self.systems], self.metrics, timing, config)

    async def _rows(
        self, journal: StoredJournal | NoJournal, run: str, budget: Budget
    ) -> tuple[list[EvalRow], dict[str, float]]:
        keys = {evaluator.name: evaluator.keys for evaluator in self.plan.evaluators}
        found: list[Row] = []
        timing: dict[str, float] = {}
        total = len(self.cases) * self.options.epochs * len(self.systems)
        with Live(total, shown=self.options.progress) as live:
            for system in self.systems:
                started = time.monotonic()
                workers = self.options.max_workers or system.in_flight
                loop = Loop(self.plan, journal, max(1, workers), self.options.case_seconds, budget)
                async for row in loop.rows(self._tasks(system, run)):
                    found.append(row)
                    live.finished(row)
                timing[system.name] = time.monotonic() - started
                await getattr(system, "close", _nothing)()
        order = {system.name: number for number, system in enumerate(self.systems)}
        found.sort(key=lambda row: (order[row.system], row.position, row.repeat))
        return [eval_row(counted(row, self.options.text_fields), keys) for row in found], timing

    def _tasks(self, system: Answering, run: str) -> Iterator[Task]:
        for position, case in enumerate(self.cases):
            for repeat in range(self.options.epochs):
                yield Task(system, case, repeat, position, answer_key(system, case, repeat, run))

    def _prepare(self) -> None:
        """Find out before the first call what would be found out at it."""
        for system in self.systems:
            if self.options.max_cost is not None and not getattr(system, "priced", lambda: False)():
                raise ConfigurationError(
                    f"--max-cost needs prices, and the price of {system.name!r} is not known; add its model to a price "
                    "table and name that in RINGTRUE_PRICES, or use --max-tokens",
                    parameter="max_cost",
                    value=self.options.max_cost,
                )
            getattr(system, "prepare", lambda: None)()

    def _begin(self, database: Database | None) -> StoredRun:
        config = {
            "systems": [system.name for system in self.systems],
            "evaluators": [evaluator.name for evaluator in self.plan.evaluators],
            "keys": {evaluator.name: evaluator.keys for evaluator in self.plan.evaluators},
            "metrics": [metric.name for metric in self.metrics],
            "num_examples": len(self.cases),
            "max_workers": self.options.max_workers or 1,
            "epochs": self.options.epochs,
            "signatures": {
                "systems": [system.signature() for system in self.systems],
                "evaluators": [signature for _, signature in self.plan.signed],
            },
            **self.options.config,
        }
        content = digest(*(encode_record(case) for case in self.cases))
        plan = digest(encode(config["signatures"]), content, str(self.options.epochs))
        owner = f"{socket.gethostname()}:{os.getpid()}"
        earlier = self._earlier(database, plan)
        run = StoredRun(
            earlier.id if earlier else self.options.run_id or secrets.token_hex(4),
            plan,
            "running",
            owner,
            earlier.created if earlier else time.time(),
            None,
            config,
        )
        if database:
            database.start(run)
        return run

    def _earlier(self, database: Database | None, plan: str) -> StoredRun | None:
        earlier = database.unfinished(plan) if database and not self.options.fresh else None
        if earlier and earlier.status == "running" and _alive(earlier.owner):
            raise ConfigurationError(
                f"run {earlier.id} is being worked on by {earlier.owner}; wait for it, or give another store",
                parameter="store",
                value=earlier.id,
            )
        return earlier


async def _nothing() -> None:
    pass


def _alive(owner: str) -> bool:
    host, _, pid = owner.rpartition(":")
    if host != socket.gethostname() or not pid.isdigit() or int(pid) == os.getpid():
        return False
    try:
        os.kill(int(pid), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
