"""`TrialExecutionJob`: a whole trial, from the empty container to the analysis."""

from __future__ import annotations

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult
from eval_recipes.benchmarking.jobs.analyst import analyst
from eval_recipes.benchmarking.jobs.execute_agent_job import ExecuteAgentJob
from eval_recipes.benchmarking.jobs.parts import in_turn
from eval_recipes.benchmarking.jobs.score.execute_evaluations_job import ExecuteEvaluationsJob
from eval_recipes.benchmarking.jobs.score.task_analysis_job import TaskAnalysisJob
from eval_recipes.benchmarking.schemas import (
    ExecuteAgentJobInput,
    ExecuteEvaluationsJobInput,
    TaskAnalysisJobInput,
    TrialExecutionJobInput,
    TrialExecutionJobOutput,
)


class TrialExecutionJob(Job[TrialExecutionJobOutput]):
    """The agent works, the test scores, the analyst explains; the container lives no longer than this job."""

    output_model = TrialExecutionJobOutput

    def __init__(self, job_input: TrialExecutionJobInput) -> None:
        self._input = job_input
        task, number = job_input.task, job_input.trial_number
        self._execute_job = ExecuteAgentJob(ExecuteAgentJobInput.model_validate(job_input, from_attributes=True))
        self._eval_job = ExecuteEvaluationsJob(
            ExecuteEvaluationsJobInput(task=task, trial_number=number, agent_log_hint=job_input.agent_log_hint),
            self._execute_job,
        )
        threshold = job_input.analysis_score_threshold
        self._analysis_job = TaskAnalysisJob(
            TaskAnalysisJobInput(task=task, trial_number=number, analysis_score_threshold=threshold),
            self._execute_job,
            self._eval_job,
            who=analyst(job_input.continuation_provider, job_input.continuation_model),
        )

    @property
    def job_id(self) -> str:
        """Agent, task and trial."""
        return f"trial:{self._input.agent.id}:{self._input.task.name}:{self._input.trial_number}"

    async def run(self, context: JobContext) -> JobResult[TrialExecutionJobOutput]:
        """What the three parts gave; a part that failed fails the trial, which then has no score."""
        parts = (self._execute_job, self._eval_job, self._analysis_job)
        return await in_turn(parts, context, self._execute_job.trial_dir(context), TrialExecutionJobOutput)
