"""`JobStateStore`: the states of a run's jobs, in ringtrue's job ledger; any number of runs share a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from pydantic import BaseModel
from ringtrue.store.jobs import JobLedger, StoredJob

from eval_recipes.benchmarking.job_framework.base import JobState, JobStatus
from ringtrue.store.database import Database


class JobStateStore:
    """The states of the jobs of one run; the file is open only while a method runs."""

    def __init__(self, db_path: Path, run_id: str | None = None) -> None:
        self.db_path = db_path
        self.run_id = run_id or "default"
        with self.opened():
            pass  # a file that cannot be used is found here

    @contextmanager
    def opened(self) -> Iterator[JobLedger]:
        """The ledger that holds the states."""
        with Database(str(self.db_path)) as database:
            yield JobLedger(database, self.run_id)

    def get(self, job_id: str) -> JobState | None:
        """The state of a job, or None."""
        with self.opened() as ledger:
            found = ledger.job(job_id)
        return _state(found) if found else None

    def get_all(self) -> list[JobState]:
        """The states of all jobs of this run, oldest first."""
        with self.opened() as ledger:
            return [_state(job) for job in ledger.kept().values()]

    def get_by_status(self, status: JobStatus) -> list[JobState]:
        """The states of the jobs with this status, oldest first."""
        return [state for state in self.get_all() if state.status == status]

    def create(self, job_id: str) -> JobState:
        """The state of a new job; one that is there raises a ValueError."""
        if self.get(job_id) is not None:
            raise ValueError(f"job {job_id!r} already exists in run {self.run_id!r}; create_or_get takes it")
        return self.create_or_get(job_id)

    def create_or_get(self, job_id: str) -> JobState:
        """The state of a job, which is made if need be."""
        with self.opened() as ledger:
            ledger.expect([job_id])
            return _state(ledger.kept()[job_id])

    def update_status(
        self,
        job_id: str,
        status: JobStatus,
        outputs: dict[str, Any] | BaseModel | None = None,
        error: str | None = None,
    ) -> JobState:
        """The state of a job after the change; outputs and error stay unless given. An unknown job is a ValueError."""
        given = outputs.model_dump(mode="json") if isinstance(outputs, BaseModel) else outputs
        changes = {"output": given, "error": error}
        with self.opened() as ledger:
            known = ledger.amend(job_id, JobStatus(status).value, **{k: v for k, v in changes.items() if v is not None})
        if not known:
            raise ValueError(f"job {job_id!r} is not in run {self.run_id!r}; create it first")
        return self.create_or_get(job_id)

    def reset_running_jobs(self) -> int:
        """How many jobs were left running; they are pending again."""
        with self.opened() as ledger:
            return ledger.reset("running")

    def reset_failed_jobs(self) -> int:
        """How many jobs had failed; they are pending again."""
        with self.opened() as ledger:
            return ledger.reset("failed")

    def delete(self, job_id: str) -> bool:
        """Whether the job was there; it no longer is."""
        with self.opened() as ledger:
            return bool(ledger.forget(job_id))

    def clear(self) -> int:
        """How many jobs this run had; it has none now."""
        with self.opened() as ledger:
            return ledger.forget()

    def list_runs(self) -> list[str]:
        """The runs in this file."""
        with self.opened() as ledger:
            return ledger.runs()


def _state(job: StoredJob) -> JobState:
    return JobState(
        job_id=job.job,
        status=JobStatus.PENDING if job.status == "blocked" else JobStatus(job.status),
        outputs=job.output or {},
        error=job.error or None,
        attempt_count=job.attempts,
        created_at=_moment(job.created) or datetime.now(UTC),
        started_at=_moment(job.started),
        completed_at=None if job.status == "blocked" else _moment(job.ended),
        blocked_by=list(job.blocked_by),
        content_hash=job.digest,
    )


def _moment(seconds: float | None) -> datetime | None:
    return None if seconds is None else datetime.fromtimestamp(seconds, UTC)
