"""`Job`, what it is given (`JobContext`), what it gives (`JobResult`) and what is kept of it (`JobState`)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from datetime import UTC, datetime
from enum import Enum
from typing import Any, Generic, TypeVar

from pydantic import BaseModel, Field, ValidationError

TOutput = TypeVar("TOutput", bound=BaseModel)


class JobStatus(str, Enum):  # noqa: UP042 (a StrEnum prints differently)
    """How far a job is; the last three are ends."""

    PENDING = "pending"
    RUNNING = "running"
    COMPLETED = "completed"
    FAILED = "failed"
    SKIPPED = "skipped"


class JobResult(BaseModel, Generic[TOutput]):
    """What a job says at its end."""

    status: JobStatus
    output: TOutput | None = None
    error: str | None = None


class JobState(BaseModel):
    """What is kept of a job.

    A job that cannot run because of what became of the jobs it needs stays PENDING, as documented; `blocked_by` names
    them, and those who would take whatever it gives go on without it. `content_hash` is what it was made from.
    """

    job_id: str
    status: JobStatus = JobStatus.PENDING
    outputs: dict[str, Any] = Field(default_factory=dict)
    error: str | None = None
    attempt_count: int = 0
    created_at: datetime = Field(default_factory=lambda: datetime.now(UTC))
    started_at: datetime | None = None
    completed_at: datetime | None = None
    blocked_by: list[str] = Field(default_factory=list)
    content_hash: str = ""


class JobContext:
    """What a job is given: the outputs of the jobs it depends on, and the settings all jobs share."""

    def __init__(
        self,
        dependency_outputs: dict[str, dict[str, Any]],
        dependency_jobs: dict[str, Job[Any]],
        config: dict[str, Any] | None = None,
    ) -> None:
        self._dependency_outputs = dependency_outputs
        self._dependency_jobs = dependency_jobs
        self._config = config or {}

    def get_output(self, job: Job[TOutput]) -> TOutput:
        """The output of a job this one depends on; one that is not there raises pydantic's ValidationError."""
        return job.output_model.model_validate(self._dependency_outputs.get(job.job_id, {}))  # type: ignore[return-value]

    def try_get_output(self, job: Job[TOutput]) -> TOutput | None:
        """The output of a job this one depends on, or None if it gave none."""
        if not self._dependency_outputs.get(job.job_id):
            return None
        try:
            return self.get_output(job)
        except ValidationError:
            return None

    @property
    def config(self) -> dict[str, Any]:
        """The settings all jobs share."""
        return self._config


class Job(ABC, Generic[TOutput]):
    """A piece of work that is known by its `job_id`, needs other jobs, and gives an `output_model`."""

    output_model: type[BaseModel]

    @property
    @abstractmethod
    def job_id(self) -> str:
        """Its name, the same whenever the same job is described."""

    @property
    def dependencies(self) -> list[Job[Any]]:
        """The jobs that must have succeeded before this one."""
        return []

    @property
    def dependency_ids(self) -> list[str]:
        """The names of the jobs it needs."""
        return [job.job_id for job in self.dependencies]

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """The jobs that must have ended, in whatever way, before this one."""
        return []

    @property
    def soft_dependency_ids(self) -> list[str]:
        """The names of the jobs it waits for."""
        return [job.job_id for job in self.soft_dependencies]

    @property
    def max_retries(self) -> int:
        """How often it is tried again after a failure."""
        return 0

    @property
    def content(self) -> Any:
        """What it is made from: where this, or a file that a `Path` in it names, changes, no kept result is used again.

        Its class and the pydantic models among its attributes, unless a job says otherwise.
        """
        made_from = {name: value for name, value in vars(self).items() if _models(value)}
        return [type(self).__qualname__, dumped(made_from)]

    @abstractmethod
    async def run(self, context: JobContext) -> JobResult[TOutput]:
        """Do the work."""

    def __repr__(self) -> str:
        return f"{type(self).__name__}(job_id={self.job_id!r})"


def _models(value: Any) -> bool:
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else [value]
    return any(isinstance(item, BaseModel) for item in inside)


def dumped(value: Any) -> Any:
    """Plain values, with what pydantic models hold in their place."""
    if isinstance(value, BaseModel):
        return value.model_dump()
    if isinstance(value, dict):
        return {name: dumped(item) for name, item in value.items()}
    return [dumped(item) for item in value] if isinstance(value, (list, tuple)) else value
