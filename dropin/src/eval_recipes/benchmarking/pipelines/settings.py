"""`Settings`: what all jobs of a pipeline share, and what both kinds of pipeline have in common."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar, Generic, TypeVar

from ringtrue.sandbox.engine import Engine

from eval_recipes.benchmarking.job_framework.base import Job, JobState
from eval_recipes.benchmarking.job_framework.runner import JobRunner
from eval_recipes.benchmarking.jobs import leftovers
from eval_recipes.benchmarking.schemas import AgentDefinition, TaskDefinition

Benchmark = TypeVar("Benchmark")


@dataclass(frozen=True)
class Settings:
    """Where a run's files go, how many jobs run at once, and what containers are made from and given.

    Agents get `environment` and tests `test_environment`, the same where that is None; nothing else of the host's
    variables gets into a container. `base_dockerfile` is a template in place of the built-in one.
    """

    output_dir: Path
    max_parallel: int = 5
    environment: Mapping[str, str] | None = None
    test_environment: Mapping[str, str] | None = None
    base_dockerfile: str = ""
    engine: Engine | None = None

    async def run(self, jobs: list[Job[Any]], state: str, *, retry_failed: bool) -> dict[str, JobState]:
        """The states of these jobs at the end; EngineError before the first where containers cannot be had."""
        self.output_dir.mkdir(parents=True, exist_ok=True)
        engine = await asyncio.to_thread(Engine.found) if self.engine is None else self.engine
        config = {
            "output_dir": self.output_dir,
            "environment": dict(self.environment or {}),
            "test_environment": None if self.test_environment is None else dict(self.test_environment),
            "base_dockerfile": self.base_dockerfile,
            "engine": engine,
            "building": Lock(),
        }
        runner = JobRunner(self.output_dir / state, max_parallel=self.max_parallel, config=config)
        runner.add_jobs(jobs)
        try:
            return await runner.run(retry_failed=retry_failed)
        finally:
            await asyncio.to_thread(leftovers.remove_images, engine, self.output_dir)


class Pipeline(ABC, Generic[Benchmark]):
    """A benchmark's jobs; one that names what is not defined raises here.

    What is given by name only is explained in `Settings`.
    """

    state: ClassVar[str]
    """The file in which its jobs are kept."""

    def __init__(
        self,
        benchmark: Benchmark,
        agents: dict[str, AgentDefinition],
        tasks: dict[str, TaskDefinition],
        output_dir: Path,
        max_parallel: int = 5,
        environment: dict[str, str] | None = None,
        *,
        test_environment: dict[str, str] | None = None,
        base_dockerfile: str = "",
        engine: Engine | None = None,
    ) -> None:
        self.benchmark = benchmark
        self.agents = agents
        self.tasks = tasks
        self.output_dir = output_dir
        self.max_parallel = max_parallel
        self.environment = environment or {}
        self._settings = Settings(
            Path(output_dir), max_parallel, self.environment, test_environment, base_dockerfile, engine
        )
        self._check()

    @abstractmethod
    def create_jobs(self) -> list[Job[Any]]:
        """The jobs of the benchmark."""

    async def run(self, *, retry_failed: bool = False) -> dict[str, JobState]:
        """The states of all jobs at the end; what succeeded before is not done again."""
        return await self._settings.run(self.create_jobs(), self.state, retry_failed=retry_failed)

    @abstractmethod
    def _check(self) -> None:
        """Raise a ConfigurationError for what cannot be run."""
