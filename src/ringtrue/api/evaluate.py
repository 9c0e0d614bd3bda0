"""`evaluate`: every system on every case, measured by every evaluator, kept, and summed up."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import aclosing, asynccontextmanager, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from ringtrue.api.planning import measured_at_once, planned, prepare_judges, remembering, with_judge
from ringtrue.api.row_tokens import Tokens
from ringtrue.api.rows import documented_rows
from ringtrue.datasets.cases import keep_contents, read_cases
from ringtrue.datasets.catalogue.benchmark import Benchmark
from ringtrue.datasets.catalogue.table import scorings
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.parts import told_by
from ringtrue.evaluators.wiring import wired
from ringtrue.metrics.metric import SCORE, Metric
from ringtrue.records import Case, Row, Trial
from ringtrue.reports.eval_result import EvalResult
from ringtrue.reports.live import Live
from ringtrue.runner.budget import Budget
from ringtrue.runner.loop import Loop, Task
from ringtrue.runner.options import Options as Options
from ringtrue.runner.plan import Plan, require_name
from ringtrue.store.codec import digest, encode
from ringtrue.store.database import Database, StoredRun, database_url
from ringtrue.store.journal import NoJournal, StoredJournal
from ringtrue.sync import synchronous
from ringtrue.systems.system import Answering, as_system, question


async def aevaluate(
    systems: Any,
    dataset: Any,
    evaluators: Sequence[Any] | Plan | None = None,
    metrics: Sequence[Metric] | None = None,
    max_examples: int | None = None,
    progress: bool = True,
    text_fields: Sequence[str] | None = None,
    max_workers: int | None = None,
    cache_dir: str | os.PathLike[str] | None = None,
    *,
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    data_dir: str | os.PathLike[str] | None = None,
    **options: Any,
) -> EvalResult:
    """Ask every system every case, measure every answer, keep everything, and sum it up.

    `systems` are objects with `process(example)`, functions, or one of those alone; `dataset` is a benchmark's name, a
    file, or an iterable of dicts, EvalCases or Cases; without `evaluators` they follow from the rows' `dataset`.
    `judge` (an endpoint's address, `local`, or a model) is asked by the judged evaluators that were given no model, as
    `judge_model`; without any, an LLMJudge is added. `text_fields` are the fields whose tokens count as sent where a
    system reports no usage; `data_dir` is a mirror of the hub's datasets. Further options are the fields of
    `ringtrue.runner.options.Options`.
    """
    if cache_dir is not None:
        options["store"] = database_url(cache_dir)
    chosen = Options(max_workers=max_workers, progress=progress, text_fields=text_fields, **options)
    asked = _systems(systems)
    cases = read_cases(dataset, max_examples, None if data_dir is None else os.fspath(data_dir))
    own = [dataset] if isinstance(dataset, Benchmark) else []
    plan = plan_of(evaluators, cases, judge, judge_model, own)
    _check_metrics(metrics or (), plan)
    return await Evaluation(asked, cases, plan, tuple(metrics or ()), chosen).run()


evaluate = synchronous(aevaluate, "evaluate")
"""`aevaluate` for a caller that does not await, with or without a running event loop."""


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


def plan_of(
    evaluators: Sequence[Any] | Plan | None,
    cases: Sequence[Case],
    judge: Any = None,
    judge_model: str | Sequence[str] = "",
    own: Sequence[Benchmark] = (),
) -> Plan:
    """Who measures the cases: a plan as it is, the evaluators, or those that the cases' datasets get.

    `own` are benchmarks that were handed over as objects, which no name leads to.
    """
    if isinstance(evaluators, Plan):
        return evaluators
    if evaluators is not None:
        return planned(evaluators, judge, judge_model)
    names = list(dict.fromkeys(str(case.fields.get("dataset") or "") for case in cases))
    return with_judge(Plan(*wired(scorings(names, own), judged=bool(judge))), judge, judge_model)


def _check_metrics(metrics: Sequence[Metric], plan: Plan) -> None:
    if not all(hasattr(evaluator, "parts") for evaluator in plan.evaluators):
        return  # a user's evaluator says its keys only when it has measured
    keys = [key for evaluator in plan.evaluators for key in evaluator.keys]
    for metric in metrics:
        wanted = getattr(metric, "score_field", None)
        if wanted is not None and wanted not in (SCORE, *keys):
            raise ConfigurationError(
                f"{metric.name} reads the score {wanted!r}, which no evaluator gives; there are {', '.join(keys)}",
                parameter="score_field",
                value=wanted,
            )


@dataclass
class Evaluation:
    """One run: who is asked what, who measures, and how."""

    systems: list[Answering]
    cases: list[Case]
    plan: Plan
    metrics: tuple[Metric, ...]
    options: Options

    def __post_init__(self) -> None:
        for system in self.systems:
            require_name(system.name, "systems")

    async def run(self) -> EvalResult:
        """The rows and what they sum up to."""
        rows, timing, config = await self.rows()
        documented = documented_rows(rows, config["keys"], config["mains"], self.options.text_fields)
        return EvalResult.of(documented, [system.name for system in self.systems], self.metrics, timing, config)

    async def rows(self) -> tuple[list[Row], dict[str, float], dict[str, Any]]:
        """The finished rows in order, seconds per system, and how they were made."""
        self._prepare()
        with Database(self.options.store) if self.options.store else nullcontext() as database:
            contents = keep_contents(self.cases, database)
            config = self._config()
            plan = digest(encode(config["signatures"]), *contents, str(self.options.epochs))
            async with _working(database, plan), remembering(self.plan, database) as measuring:
                run = self._begin(database, plan, config)
                budget = self._budget()
                status = "interrupted"
                try:
                    rows, timing = await self._finished(measuring, database, run.id, contents, budget)
                    status = "stopped" if budget.spent else "finished"
                finally:
                    if database:
                        database.end(run.id, status)
        return rows, timing, {**run.config, "run": run.id, "status": status, "stopped_by": budget.spent or None}

    async def _finished(
        self, plan: Plan, database: Database | None, run: str, contents: Sequence[str], budget: Budget
    ) -> tuple[list[Row], dict[str, float]]:
        signatures = [signature for _, signature in plan.signed]
        journal = StoredJournal(database, run, signatures) if database else NoJournal()
        found: list[Row] = []
        timing: dict[str, float] = {}
        total = len(self.cases) * self.options.epochs * len(self.systems)
        with Live(total, budget, shown=self.options.progress) as live:
            for system in self.systems:
                started = time.monotonic()
                workers = self.options.max_workers or system.in_flight
                patience = self.options.case_seconds or getattr(system, "case_seconds", None)
                scorers = self.options.judge_workers or measured_at_once(plan, workers)
                at_once = self.options.evaluator_workers
                loop = Loop(plan, journal, max(1, workers), patience, budget, scorers, at_once)
                try:
                    async with aclosing(loop.rows(self._tasks(system, run, contents))) as rows:
                        async for row in rows:
                            found.append(row)
                            live.finished(row)
                finally:
                    await getattr(system, "close", _nothing)()
                timing[system.name] = time.monotonic() - started
        order = {system.name: number for number, system in enumerate(self.systems)}
        found.sort(key=lambda row: (order[row.system], row.position, row.repeat))
        return found, timing

    def _tasks(self, system: Answering, run: str, contents: Sequence[str]) -> Iterator[Task]:
        signature = system.signature()
        seen: Counter[str] = Counter()
        for position, (case, content) in enumerate(zip(self.cases, contents, strict=True)):
            seen[content] += 1
            for repeat in range(self.options.epochs):
                asked = question(system, case, repeat)
                # Code may change behind its signature: its answers serve the run they belong to.
                origin = f"run:{run}" if asked.key is None else f"request:{asked.key}"
                key = digest(origin, signature, content, str(repeat), str(seen[content]))
                yield Task(system, case, repeat, position, key, content, asked.ask)

    def _budget(self) -> Budget:
        options = self.options

        def count(trial: Trial) -> tuple[int, int]:
            return Tokens.of(trial, options.text_fields)[:2]

        return Budget(options.max_cost, options.max_tokens, options.max_errors, count)

    def _prepare(self) -> None:
        """Find out before the first call what would be found out at it."""
        prepare_judges(self.plan, self.options.max_cost)
        for system in self.systems:
            if self.options.max_cost is not None and not getattr(system, "priced", lambda: False)():
                raise ConfigurationError(
                    f"--max-cost needs prices, and the price of {system.name!r} is not known; add its model to a price "
                    "table and name that in RINGTRUE_PRICES, or use --max-tokens",
                    parameter="max_cost",
                    value=self.options.max_cost,
                )
            getattr(system, "prepare", lambda: None)()

    def _config(self) -> dict[str, Any]:
        return {
            "systems": [system.name for system in self.systems],
            **told_by(self.plan.evaluators),
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

    def _begin(self, database: Database | None, plan: str, config: dict[str, Any]) -> StoredRun:
        earlier = self._earlier(database, plan) if database else None
        owner = f"{socket.gethostname()}:{os.getpid()}"
        run = StoredRun(secrets.token_hex(6), plan, "running", owner, time.time(), None, config)
        if earlier:
            run = replace(run, id=earlier.id, created=earlier.created)
        if database:
            database.start(run)
        if self.options.begun:
            self.options.begun(run.id)
        return run

    def _earlier(self, database: Database, plan: str) -> StoredRun | None:
        wanted = self.options.run_id
        if wanted is None:
            return None if self.options.fresh else database.unfinished(plan)
        found = database.run(wanted)
        if found is None or found.digest != plan:
            raise ConfigurationError(
                f"run {wanted} cannot go on: its cases, systems or evaluators have changed since; start a new one"
                if found
                else f"there is no run {wanted!r}; 'ringtrue list runs' shows all",
                parameter="run",
                value=wanted,
            )
        return found


@asynccontextmanager
async def _working(database: Database | None, plan: str) -> AsyncIterator[None]:
    """Nobody else works on this plan meanwhile."""
    if database is None:
        yield
        return
    lease = database.lease(plan)
    if not await lease.wait():
        other = database.unfinished(plan)
        who = f"run {other.id} is being worked on by {other.owner}" if other else "another process is at work on it"
        raise ConfigurationError(f"{who}; wait for it, or give another store", parameter="store", value=plan)
    try:
        yield
    finally:
        lease.release()


async def _nothing() -> None:
    pass
