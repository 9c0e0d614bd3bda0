"""`run_jobs`: work that depends on other work, done once; a run that was killed goes on where it was."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Literal, Protocol

from ringtrue.errors import ConfigurationError
from ringtrue.records import Json
from ringtrue.runner.jobs_content import Fingerprints
from ringtrue.runner.jobs_thread import in_own_loop
from ringtrue.runner.measuring import said

JobStatus = Literal["pending", "running", "completed", "skipped", "failed", "blocked"]
GOOD: tuple[JobStatus, ...] = ("completed", "skipped")


class MissingDependency(ConfigurationError):
    """A job depends on one that is not there."""


class CyclicDependency(ConfigurationError):
    """Jobs depend on themselves, by way of one another."""


@dataclass(frozen=True, slots=True)
class JobEnd:
    """How a job ended: `output` is any JSON value, `blocked_by` names the jobs for whose sake it could not run."""

    status: JobStatus = "completed"
    output: Json = None
    error: str = ""
    blocked_by: tuple[str, ...] = ()
    reused: bool = False


Given = Mapping[str, JobEnd]
Work = Callable[[Given], "Json | Awaitable[Json]"]


@dataclass(frozen=True, slots=True)
class Job:
    """A piece of work with a name.

    `work` is given the ends of the jobs this one names, and returns its output, or a `JobEnd` if it has more to say;
    it may block or be asynchronous. It runs after every job in `needs` succeeded and every job in `waits_for` ended.
    `content` is what it is made from: a kept result is used again as long as this, and what the other jobs gave it,
    are the same. A `Path` in it stands for the bytes of that file or folder.
    """

    id: str
    work: Work
    needs: Sequence[str] = ()
    waits_for: Sequence[str] = ()
    content: Json = None
    retries: int = 0

    def __post_init__(self) -> None:
        if self.retries < 0:
            raise ConfigurationError(f"retries={self.retries} of job {self.id!r} must be 0 or more")

    @property
    def before(self) -> tuple[str, ...]:
        """The names of all the jobs that end before this one starts."""
        return (*self.needs, *self.waits_for)


class Kept(Protocol):
    """What an earlier run left of a job; an empty `digest` says that a person wrote it."""

    @property
    def status(self) -> JobStatus: ...
    @property
    def digest(self) -> str: ...
    @property
    def output(self) -> Json: ...
    @property
    def error(self) -> str: ...


class Ledger(Protocol):
    """Where jobs are kept; each call returns when its record would survive `kill -9`."""

    def hold(self) -> AbstractAsyncContextManager[None]:
        """The right to work on these jobs, which one process has at a time."""

    def digest(self, *parts: Json) -> str:
        """A hash that differs where the values do."""

    def expect(self, jobs: Sequence[str]) -> None:
        """Write down jobs that are to come."""

    def kept(self) -> Mapping[str, Kept]:
        """All jobs there are."""

    def began(self, job: str, digest: str) -> None:
        """Write down that a job is tried."""

    def ended(self, job: str, status: str, *, output: Json, error: str, blocked_by: Sequence[str]) -> Json:
        """Write down how a job ended; the output as it will be read again."""


async def run_jobs(
    jobs: Iterable[Job],
    ledger: Ledger,
    *,
    at_once: int = 10,
    retry_failed: bool = False,
    take_over: bool = True,
    on_end: Callable[[str, JobEnd], None] = lambda job, end: None,
) -> dict[str, JobEnd]:
    """How every job ended, each in a thread of its own; a graph that cannot be worked through raises before the first.

    What ended before, from the same content and the same things given, is not done again, but with `retry_failed` what
    failed is. A job whose needs failed is blocked, which is an end: those that only wait for it go on. A job that a
    dead run was at is done again, unless `take_over` is false.
    """
    if at_once < 1:
        raise ConfigurationError(f"at_once={at_once} must be 1 or more", parameter="at_once", value=at_once)
    graph = _named(jobs)
    order = _ordered(graph)
    prints = Fingerprints()
    contents = {name: ledger.digest(prints.of(job.content)) for name, job in graph.items()}
    async with ledger.hold():
        ledger.expect(list(graph))
        return await _Run(graph, contents, ledger, ledger.kept(), retry_failed, take_over, on_end).all(order, at_once)


def _named(jobs: Iterable[Job]) -> dict[str, Job]:
    graph: dict[str, Job] = {}
    for job in jobs:
        if job.id in graph:
            raise ConfigurationError(f"two jobs are named {job.id!r}; each needs a name of its own", parameter="jobs")
        graph[job.id] = job
    return graph


def _ordered(graph: Mapping[str, Job]) -> TopologicalSorter[str]:
    for name, job in graph.items():
        for other in job.before:
            if other not in graph:
                raise MissingDependency(f"job {name!r} depends on {other!r}, which is not among the jobs; add it")
    order = TopologicalSorter({name: job.before for name, job in graph.items()})
    try:
        order.prepare()
    except CycleError as error:
        ring = " -> ".join(map(repr, reversed(error.args[1])))
        raise CyclicDependency(f"jobs wait for one another in a ring: {ring}; take one dependency out") from error
    return order


@dataclass
class _Run:
    graph: Mapping[str, Job]
    contents: Mapping[str, str]
    ledger: Ledger
    known: Mapping[str, Kept]
    retry_failed: bool
    take_over: bool
    on_end: Callable[[str, JobEnd], None]
    ends: dict[str, JobEnd] = field(default_factory=dict)

    async def all(self, order: TopologicalSorter[str], at_once: int) -> dict[str, JobEnd]:
        """The ends of all jobs; leaving it ends those that are under way."""
        waiting: deque[tuple[Job, str]] = deque()
        working: set[asyncio.Task[str]] = set()
        try:
            while order.is_active():
                settled = False
                for name in order.get_ready():
                    job, digest = self.graph[name], self._digest(name)
                    if self._settled(job, digest):
                        order.done(name)
                        settled = True
                    else:
                        waiting.append((job, digest))
                while waiting and len(working) < at_once:
                    working.add(asyncio.create_task(self._worked(*waiting.popleft())))
                if not settled:
                    finished, working = await asyncio.wait(working, return_when=asyncio.FIRST_COMPLETED)
                    order.done(*[task.result() for task in finished])
        finally:
            for task in working:
                task.cancel()
            await asyncio.gather(*working, return_exceptions=True)
        return {name: self.ends[name] for name in self.graph}

    def _given(self, job: Job) -> dict[str, JobEnd]:
        return {other: self.ends[other] for other in job.before}

    def _digest(self, name: str) -> str:
        given = {other: [end.status, end.output] for other, end in self._given(self.graph[name]).items()}
        return self.ledger.digest(self.contents[name], given)

    def _settled(self, job: Job, digest: str) -> bool:
        """Whether a job has its end without being run."""
        kept = self.known[job.id]
        in_the_way = [name for name in job.needs if self.ends[name].status not in GOOD]
        in_the_way += [name for name in job.waits_for if self.ends[name].status == "running"]
        if kept.status == "running" and not self.take_over:
            self.ends[job.id] = JobEnd("running")
        elif in_the_way:
            said_so = ", ".join(f"{name!r} {_became(self.ends[name])}" for name in in_the_way)
            self._end(job, JobEnd("blocked", error=f"not run: {said_so}", blocked_by=tuple(in_the_way)))
        elif self._still_holds(kept, digest):
            self.ends[job.id] = JobEnd(kept.status, kept.output, kept.error, reused=True)
            self.on_end(job.id, self.ends[job.id])
        else:
            return False
        return True

    def _still_holds(self, kept: Kept, digest: str) -> bool:
        lasting = kept.status in GOOD or (kept.status == "failed" and not self.retry_failed)
        return lasting and kept.digest in ("", digest)

    async def _worked(self, job: Job, digest: str) -> str:
        for _ in range(job.retries + 1):
            self.ledger.began(job.id, digest)
            end = await _tried(job, self._given(job))
            if end.status != "failed":
                break
        try:
            self._end(job, end)
        except ConfigurationError as error:  # an output that nobody can keep
            self._end(job, JobEnd("failed", error=said(error)))
        return job.id

    def _end(self, job: Job, end: JobEnd) -> None:
        """Write an end down, then tell it."""
        output = self.ledger.ended(
            job.id, end.status, output=end.output, error=end.error, blocked_by=list(end.blocked_by)
        )
        self.ends[job.id] = replace(end, output=output)
        self.on_end(job.id, self.ends[job.id])


def _became(end: JobEnd) -> str:
    return {"blocked": "could not run", "running": "is under way elsewhere"}.get(end.status, end.status)


async def _tried(job: Job, given: Given) -> JobEnd:
    try:
        value = await in_own_loop(job.work, given)
    except Exception as error:  # a job may raise anything; it costs those that need it and no other
        return JobEnd("failed", error=said(error))
    end = value if isinstance(value, JobEnd) else JobEnd(output=value)
    if end.status not in (*GOOD, "failed"):
        return JobEnd("failed", error=f"it ended as {end.status!r}; a job ends as completed, skipped or failed")
    return replace(end, output=None) if end.status == "failed" else end
