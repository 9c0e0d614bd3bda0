"""`ComparisonTrialJob`: an agent's work on a task that is ranked."""

from __future__ import annotations

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult
from eval_recipes.benchmarking.jobs.comparison.extract_project_job import ExtractProjectJob
from eval_recipes.benchmarking.jobs.execute_agent_job import ExecuteAgentJob
from eval_recipes.benchmarking.jobs.parts import in_turn
from eval_recipes.benchmarking.schemas import (
    ComparisonTrialJobInput,
    ComparisonTrialJobOutput,
    ExecuteAgentJobInput,
    ExtractProjectJobInput,
)


class ComparisonTrialJob(Job[ComparisonTrialJobOutput]):
    """The agent works, and its work is taken out; the container lives no longer than this job."""

    output_model = ComparisonTrialJobOutput

    def __init__(self, job_input: ComparisonTrialJobInput) -> None:
        self._input = job_input
        agent, task, number = job_input.agent, job_input.task, job_input.trial_number
        # A folder of its own: the same agent's trials at the same task may be scored, too.
        self._execute_job = ExecuteAgentJob(
            ExecuteAgentJobInput.model_validate(job_input, from_attributes=True), folder="comparison_trial"
        )
        self._extract_job = ExtractProjectJob(
            ExtractProjectJobInput(agent_id=agent.id, task_name=task.name, trial_number=number), self._execute_job
        )

    @property
    def job_id(self) -> str:
        """Agent, task and trial."""
        return f"comparison_trial:{self._input.agent.id}:{self._input.task.name}:{self._input.trial_number}"

    async def run(self, context: JobContext) -> JobResult[ComparisonTrialJobOutput]:
        """What both parts gave."""
        parts = (self._execute_job, self._extract_job)
        return await in_turn(parts, context, self._execute_job.trial_dir(context), ComparisonTrialJobOutput)
