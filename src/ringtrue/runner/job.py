"""`Job`: every system on every case, measured by every evaluator, kept as it goes, and summed up in a `Run`."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import AsyncGenerator, Iterable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, aclosing
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain, islice
from typing import Literal, Protocol

from ringtrue._version import __version__
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest, digest_of
from ringtrue.jsontext import json_text
from ringtrue.metrics.metric import ComputedMetric
from ringtrue.metrics.row_tokens import Tokens
from ringtrue.records import Case, DatasetInfo, Made, Output, Row, Rows, Run, SystemInfo, Trial
from ringtrue.runner.budget import Budget
from ringtrue.runner.early_stop import OPTION, ROUND, EarlyStop
from ringtrue.runner.failures import keep_warnings_harmless
from ringtrue.runner.journal import Cases, Journal, RunKeeper
from ringtrue.runner.loop import Task, TrialLoop
from ringtrue.runner.measure import waiting_evaluators
from ringtrue.runner.occurrences import Occurrences
from ringtrue.runner.options import Options
from ringtrue.runner.plan import Plan, require_name
from ringtrue.runner.planning import measured_at_once, prepare_judges, with_memory
from ringtrue.runner.refusals import FIRST_ANSWER_SECONDS, Refusals
from ringtrue.runner.replay_rows import rows_with_answer_keys
from ringtrue.runner.run_from_rows import ROWS_AT_ONCE, RunSums
from ringtrue.stats.row_pages import ListRows
from ringtrue.systems.system import System, prepare_request

HELD_ROWS = 10_000
"""A run of more rows is read from where it is kept, and not held in memory."""
REPLAYED_AT_ONCE = 64
"""How many answers that exist already are kept in one write, where measuring them waits for nothing."""


class Listener(Protocol):
    """Hears of a run while it is under way."""

    def begin(self, total: int, budget: Budget, made: Made) -> None:
        """`total` rows are to come of a run made like this; the budget knows errors and cost so far."""

    def on_row(self, row: Row) -> None:
        """A row is finished and kept."""

    def end(self) -> None:
        """No more rows come."""


@dataclass(kw_only=True)
class Job:
    """One run: who is asked what, who measures, and how."""

    systems: Sequence[System]
    cases: Cases
    plan: Plan
    options: Options
    datasets: tuple[DatasetInfo, ...] = ()
    metrics: Mapping[str, Sequence[ComputedMetric]] = field(default_factory=dict)
    """Dataset -> metrics over all its rows, beside those that every run has."""
    kind: Literal["run", "score", "suite", "rescore", "calibrate", "assess"] = "run"
    listener: Listener | None = None
    budget: Budget | None = None
    """What is used up, where others use it up, too; else one of this run's own."""

    def __post_init__(self) -> None:
        for system in self.systems:
            require_name(system.name, "systems")

    async def run(self, keeper: RunKeeper) -> Run:
        """The finished run; each row is stored before it is reported, so that an interrupted run can resume."""
        self.prepare()
        async with keeper.at_work():
            return await self._run(keeper)

    async def _run(self, keeper: RunKeeper) -> Run:
        made = self.made_record()
        signatures = [*(one.signature for one in made.systems), *(one.signature for one in made.evaluators)]
        contents = keeper.keep_cases(self.cases)
        plan = digest_of(chain((str(len(made.systems)), *signatures), contents, (str(self.options.repeats),)))
        async with keeper.working_on(plan), with_memory(self.plan, keeper.responses) as measuring:
            run_id = keeper.begin(plan, made, resume=self.options.resume, fresh=self.options.fresh)
            if self.options.on_start:
                self.options.on_start(run_id)
            run: Run | None = None
            try:
                run = await self._finish(run_id, made, measuring, keeper)
            finally:
                keeper.end(run_id, run.status if run else "interrupted", run)
        return run

    def made_record(self) -> Made:
        """Return how the run is made, known before its first call."""
        about = {"repeats": self.options.repeats, "max_workers": self.options.max_workers, **self.options.facts}
        if self.options.stop_when_decided:
            about |= {OPTION: self.options.stop_when_decided, "seed": self.options.seed}
        return Made(
            job=self.kind,
            name=self.options.name,
            datasets=self.datasets,
            systems=tuple(SystemInfo(system.name, system.signature()) for system in self.systems),
            evaluators=self.plan.infos,
            options=about,
            trials=self._trials(),
            started=time.time(),
            version=__version__,
        )

    async def _finish(self, run_id: str, made: Made, plan: Plan, keeper: RunKeeper) -> Run:
        budget = self.budget or self.own_budget()
        kept = keeper.rows(run_id, made) if made.trials > HELD_ROWS else None
        sums = RunSums(made, self.options.text_fields, self.metrics)
        found: list[Row] = []
        seconds: dict[str, float] = {}
        refused = ""
        if self.listener:
            self.listener.begin(made.trials, budget, made)
        try:
            loops = self._loops(plan, budget, keeper.journal(run_id, made))
            async with AsyncExitStack() as stack:
                stack.enter_context(keep_warnings_harmless())
                rows = await stack.enter_async_context(aclosing(self._rows(run_id, made, loops, keeper, seconds)))
                async for row in rows:
                    found.append(row)
                    if kept is not None and len(found) == ROWS_AT_ONCE:
                        sums.add(found)
                        found.clear()
                    if self.listener:
                        self.listener.on_row(row)
            refused = next((one.refusals.stopped_by for one in loops.values() if one.refusals.stopped_by), "")
        finally:
            for system in self.systems:
                await getattr(system, "close", _nothing)()
            if self.listener:
                self.listener.end()
        order = {system.name: number for number, system in enumerate(self.systems)}
        found.sort(key=lambda row: (order[row.system], row.position, row.repeat))
        sums.add(found)
        return replace(
            sums.run(ListRows(found, made) if kept is None else kept),
            id=run_id,
            status="stopped" if budget.spent or refused else "finished",
            stopped_by=budget.spent or refused,
            seconds=seconds,
            unasked=self._unasked_cases(found) if kept is None and len(found) < made.trials else (),
            unasked_count=made.unasked_count(sums.tally.rows),
            spent=budget.judge_bill() if plan.has_awaited else {},
        )

    def _trials(self) -> int:
        return len(self.cases) * self.options.repeats * len(self.systems)

    def _unasked_cases(self, rows: Sequence[Row]) -> tuple[Case, ...]:
        asked = {row.position for row in rows}
        return tuple(case for position, case in enumerate(self.cases) if position not in asked)

    async def _rows(
        self, run_id: str, made: Made, loops: Mapping[str, TrialLoop], keeper: RunKeeper, seconds: dict[str, float]
    ) -> AsyncGenerator[Row, None]:
        """The rows of every system, one after the other; round by round where the run may stop when it is decided."""
        stop = EarlyStop(made) if self.options.stop_when_decided else None
        tasks = {system.name: self._tasks(system, run_id, keeper) for system in self.systems}
        size = max(ROUND, *(2 * self._workers(one) for one in self.systems)) * self.options.repeats if stop else None
        while True:
            found: list[Row] = []
            for name, loop in loops.items():
                started = time.monotonic()
                async with aclosing(loop.rows(islice(tasks[name], size))) as rows:
                    async for row in rows:
                        if stop:
                            found.append(row)
                        yield row
                seconds[name] = seconds.get(name, 0.0) + time.monotonic() - started
            if stop is None or not found or loop.budget.spent or loop.refusals.stopped_by:
                return
            stop.add(found)
            if stop.is_decided:
                return

    def _loops(self, plan: Plan, budget: Budget, journal: Journal) -> dict[str, TrialLoop]:
        loops = {system.name: self._loop(system, plan, budget) for system in self.systems}
        for loop in loops.values():
            loop.journal = journal
        return loops

    def _workers(self, system: System) -> int:
        return max(1, self.options.max_workers or system.in_flight)

    def _loop(self, system: System, plan: Plan, budget: Budget) -> TrialLoop:
        workers = self._workers(system)
        at_once = getattr(system, "replays", False) and not waiting_evaluators(plan)
        return TrialLoop(
            plan=plan,
            in_flight=max(workers, REPLAYED_AT_ONCE) if at_once else workers,
            case_seconds=self.options.timeout or getattr(system, "case_seconds", None),
            budget=budget,
            scorers=self.options.judge_workers or measured_at_once(plan, workers),
            evaluator_workers=self.options.evaluator_workers,
            in_caller_thread=workers == 1 and self.options.timeout is None,
            refusals=Refusals(patience_seconds=FIRST_ANSWER_SECONDS if hasattr(system, "allow_in_flight") else 0.0),
        )

    def _tasks(self, system: System, run: str, keeper: RunKeeper) -> Iterator[Task]:
        signature = system.signature()
        with Occurrences() as seen:
            for position, case in enumerate(self.cases):
                content = keeper.content(case, position)
                times = str(seen.count(content))
                for repeat in range(self.options.repeats):
                    asked = prepare_request(system, case, repeat)
                    # Code may change behind its signature: its answers serve the run they belong to.
                    reusable = asked.key is not None and self.options.reuse
                    origin = f"request:{asked.key}" if reusable else f"run:{run}"
                    key = digest(origin, signature, content, str(repeat), times)
                    yield Task(system, case, repeat, position, key, content, asked.ask)

    def own_budget(self) -> Budget:
        """Return the budget of this run alone."""
        options = self.options

        def count(trial: Trial) -> tuple[int, int]:
            tokens = Tokens.of(trial, options.text_fields)
            return tokens.sent, tokens.came

        return Budget(options.max_cost, options.max_tokens, options.max_errors, count)

    def prepare(self) -> None:
        """Find out before the first call what would be found out at it."""
        prepare_judges(self.plan, self.options.max_cost)
        for system in self.systems:
            free = getattr(system, "replays", False)
            if self.options.max_cost is not None and not free and not getattr(system, "has_price", lambda: False)():
                raise ConfigurationError(
                    f"--max-cost needs prices, and the price of {system.name!r} is not known; add its model to a price "
                    "table and name that in RINGTRUE_PRICES, or use --max-tokens",
                    parameter="max_cost",
                    value=self.options.max_cost,
                )
            if self.options.max_workers is not None:
                getattr(system, "allow_in_flight", _nothing_allowed)(self.options.max_workers)
            getattr(system, "prepare", lambda: None)()


@dataclass(kw_only=True)
class ReplayJob(Job):
    """A job whose answers exist already: each of `answers` is a row that is measured again, or for the first time."""

    answers: Rows | Sequence[Row]
    unasked: int = 0
    """How many further answers the run they are from never asked for."""

    def _tasks(self, system: System, run: str, keeper: RunKeeper) -> Iterator[Task]:
        for place, (row, kept) in enumerate(rows_with_answer_keys(self.answers)):
            if row.system == system.name:
                case, output = row.trial.case, row.trial.output
                content = keeper.content(case, place)
                key = kept or digest("replay", system.name, content, str(row.repeat), json_text(output))
                yield Task(system, case, row.repeat, row.position, key, content, partial(_immediately, output), row)

    def _trials(self) -> int:
        return len(self.answers) + self.unasked

    def _unasked_cases(self, rows: Sequence[Row]) -> tuple[Case, ...]:
        asked = {row.position for row in rows}
        return tuple({row.position: row.trial.case for row in self.answers if row.position not in asked}.values())


async def _immediately(output: Output) -> Output:
    return output


async def _nothing() -> None:
    pass


def _nothing_allowed(count: int) -> None:
    pass


def datasets_of(cases: Iterable[Case]) -> tuple[DatasetInfo, ...]:
    """The datasets that cases name, in the order in which they first occur."""
    found: dict[str, DatasetInfo] = {}
    counts: Counter[str] = Counter()
    for case in cases:
        name = str(case.fields.get("dataset") or "")
        counts[name] += 1
        if name not in found:
            found[name] = DatasetInfo(name, revision=str(case.fields.get("source") or "") if name else "")
    return tuple(replace(one, cases=counts[one.name]) for one in found.values())
