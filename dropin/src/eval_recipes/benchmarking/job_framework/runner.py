"""`JobRunner`: jobs by their dependencies, many at once, on ringtrue's job graph."""

from __future__ import annotations

import logging
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any

from ringtrue.runner.jobs import CyclicDependency as CyclicDependencyError
from ringtrue.runner.jobs import MissingDependency as MissingDependencyError

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobState, JobStatus, dumped
from eval_recipes.benchmarking.job_framework.state import JobStateStore
from ringtrue.errors import ConfigurationError
from ringtrue.runner import jobs as native

__all__ = ["CyclicDependencyError", "JobRunner", "MissingDependencyError"]

_log = logging.getLogger("eval_recipes.benchmarking")


class JobRunner:
    """Runs jobs after those they depend on; a run id has its own states, in which an interrupted run goes on.

    Each job has a thread and an event loop of its own, so that one that blocks holds up nobody.
    """

    def __init__(
        self,
        state_path: Path,
        max_parallel: int = 10,
        config: dict[str, Any] | None = None,
        run_id: str | None = None,
    ) -> None:
        if max_parallel < 1:
            raise ConfigurationError(f"max_parallel={max_parallel} must be 1 or more", parameter="max_parallel")
        self.state_path = state_path
        self.max_parallel = max_parallel
        self.config = config or {}
        self.run_id = run_id or "default"
        self._store = JobStateStore(state_path, run_id=self.run_id)
        self._jobs: dict[str, Job[Any]] = {}

    def add_job(self, job: Job[Any]) -> None:
        """Take a job in; the same job may be added again, another one of its name may not."""
        there = self._jobs.get(job.job_id)
        if there is not None and there.content != job.content:
            raise ConfigurationError(f"two different jobs are named {job.job_id!r}; each needs a name of its own")
        self._jobs[job.job_id] = job

    def add_jobs(self, jobs: Sequence[Job[Any]]) -> None:
        """Take jobs in."""
        for job in jobs:
            self.add_job(job)

    async def run(self, reset_running: bool = True, *, retry_failed: bool = False) -> dict[str, JobState]:
        """The states of all jobs at the end; with `retry_failed`, what failed in an earlier run is done again.

        What a dead run left running is done again unless `reset_running` is false. What succeeded is done again only
        if its `content` or an output it depends on has changed.
        """
        with self._store.opened() as ledger:
            await native.run_jobs(
                [self._native(job) for job in self._jobs.values()],
                ledger,
                at_once=self.max_parallel,
                retry_failed=retry_failed,
                take_over=reset_running,
                on_end=_tell,
            )
        states = {state.job_id: state for state in self.get_all_states()}
        return {job_id: states[job_id] for job_id in self._jobs}

    def _native(self, job: Job[Any]) -> native.Job:
        return native.Job(
            id=job.job_id,
            work=self._work(job),
            needs=job.dependency_ids,
            waits_for=job.soft_dependency_ids,
            content=dumped(job.content),
            retries=job.max_retries,
        )

    def _work(self, job: Job[Any]) -> Callable[[native.Given], Coroutine[Any, Any, native.JobEnd]]:
        async def work(given: native.Given) -> native.JobEnd:
            jobs = {other.job_id: other for other in (*job.dependencies, *job.soft_dependencies)}
            result = await job.run(
                JobContext({name: end.output or {} for name, end in given.items()}, jobs, self.config)
            )
            output = result.output.model_dump(mode="json") if result.output is not None else None
            return native.JobEnd(JobStatus(result.status).value, output, result.error or "")

        return work

    def get_state(self, job_id: str) -> JobState | None:
        """The state of a job, or None."""
        return self._store.get(job_id)

    def get_all_states(self) -> list[JobState]:
        """The states of all jobs of this run id, oldest first."""
        return self._store.get_all()

    def reset_failed(self) -> int:
        """How many jobs had failed; they are pending again."""
        return self._store.reset_failed_jobs()

    def clear_state(self) -> int:
        """How many jobs there were; none of them has been run now."""
        return self._store.clear()


def _tell(job_id: str, end: native.JobEnd) -> None:
    level = logging.ERROR if end.status in ("failed", "blocked") else logging.INFO
    _log.log(level, "%s: %s%s%s", job_id, end.status, " before" * end.reused, f": {end.error}" * bool(end.error))
