"""`ExtractProjectJob`: an agent's work is taken out of its container, and the container removed."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.execute_agent_job import ExecuteAgentJob
from eval_recipes.benchmarking.jobs.parts import taken_out
from eval_recipes.benchmarking.jobs.places import output_dir
from eval_recipes.benchmarking.schemas import ExtractProjectJobInput, ExtractProjectJobOutput
from ringtrue.errors import RingtrueError


class ExtractProjectJob(Job[ExtractProjectJobOutput]):
    """Copies `/project` without what begins with a dot; links and what leads out of it are left out."""

    output_model = ExtractProjectJobOutput

    def __init__(self, job_input: ExtractProjectJobInput, execute_agent_job: ExecuteAgentJob) -> None:
        self._input = job_input
        self._execute_agent_job = execute_agent_job

    @property
    def job_id(self) -> str:
        """Agent, task and trial."""
        return f"extract:{self._input.agent_id}:{self._input.task_name}:{self._input.trial_number}"

    @property
    def dependencies(self) -> list[Job[Any]]:
        """The agent's work."""
        return [self._execute_agent_job]

    async def run(self, context: JobContext) -> JobResult[ExtractProjectJobOutput]:
        """Where the work lies now."""
        folder = output_dir(context.config) / self._input.agent_id / self._input.task_name / "project"
        try:
            await taken_out(self._execute_agent_job, context, folder, keep=_shown)
        except (RingtrueError, OSError) as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        output = ExtractProjectJobOutput(
            project_dir=str(folder.absolute()), agent_id=self._input.agent_id, task_name=self._input.task_name
        )
        return JobResult(status=JobStatus.COMPLETED, output=output)


def _shown(path: PurePosixPath) -> bool:
    return not any(part.startswith(".") for part in path.parts)
