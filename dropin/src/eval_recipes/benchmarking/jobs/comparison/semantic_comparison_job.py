"""`SemanticComparisonJob`: one blind ranking of what several agents made of a task."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from eval_recipes.benchmarking.evaluation.semantic_test_comparison import semantic_test_comparison
from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.analyst import Analyst, analyst
from eval_recipes.benchmarking.jobs.comparison.comparison_trial_job import ComparisonTrialJob
from eval_recipes.benchmarking.jobs.places import COMPARISONS, output_dir
from eval_recipes.benchmarking.jobs.result_files import kept, written
from eval_recipes.benchmarking.schemas import (
    ANALYSIS_MODEL,
    ComparisonResult,
    ComparisonTrialJobOutput,
    SemanticComparisonJobInput,
    SemanticComparisonJobOutput,
)
from ringtrue.errors import RingtrueError


class SemanticComparisonJob(Job[SemanticComparisonJobOutput]):
    """Ranks the work of the agents that have any; an agent whose trial failed holds up nobody, and has no rank."""

    output_model = SemanticComparisonJobOutput

    def __init__(
        self,
        job_input: SemanticComparisonJobInput,
        comparison_trial_jobs: list[ComparisonTrialJob],
        *,
        who: Analyst | None = None,
    ) -> None:
        self._input = job_input
        self._comparison_trial_jobs = comparison_trial_jobs
        self._who = who or analyst("none", ANALYSIS_MODEL)
        self._agent_ids = [job._input.agent.id for job in comparison_trial_jobs]

    @property
    def job_id(self) -> str:
        """Task, agents and run."""
        agents = "_".join(sorted(self._agent_ids))
        return f"semantic_comparison:{self._input.task_name}:{agents}:run{self._input.comparison_run_number}"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """The agents' work, however it ended."""
        return list(self._comparison_trial_jobs)

    @property
    def content(self) -> Any:
        """The task, and who judges."""
        return [self._input.model_dump(), dict(self._who)]

    async def run(self, context: JobContext) -> JobResult[SemanticComparisonJobOutput]:
        """The ranking; with the work of fewer than two agents there is none."""
        problem = self._problem_file(context)
        problem.unlink(missing_ok=True)
        work = [output for job in self._comparison_trial_jobs if (output := context.try_get_output(job)) is not None]
        try:
            ranked = await self._ranked(work, context)
        except (RingtrueError, OSError, ValueError, RuntimeError) as error:
            written(problem, str(error))
            return JobResult(status=JobStatus.FAILED, error=str(error))
        return JobResult(status=JobStatus.COMPLETED, output=ranked)

    def problem(self, context: JobContext) -> str:
        """Why there is no ranking."""
        path = self._problem_file(context)
        return path.read_text(encoding="utf-8", errors="replace") if path.is_file() else "the ranking did not end"

    def _problem_file(self, context: JobContext) -> Path:
        return self._folder(context) / f"error_{self._input.comparison_run_number}.txt"

    def _folder(self, context: JobContext) -> Path:
        return output_dir(context.config) / COMPARISONS / self._input.task_name

    async def _ranked(self, work: list[ComparisonTrialJobOutput], context: JobContext) -> SemanticComparisonJobOutput:
        if len(work) < 2:
            raise ValueError(f"a ranking needs the work of two agents; that of {len(work)} is there")
        number = self._input.comparison_run_number
        agents = [output.agent_id for output in work]
        folder = self._folder(context)
        found = await semantic_test_comparison(
            original_task=self._input.task_instructions,
            directories=[Path(output.project_dir) for output in work],
            guidelines=self._input.guidelines,
            log_file=folder / f"comparison_{number}.log",
            run=number - 1,
            **self._who,
        )
        output = self._named(found, agents)
        kept(folder / f"result_{number}.json", output)
        return output

    def _named(self, found: ComparisonResult, agents: list[str]) -> SemanticComparisonJobOutput:
        """A ranking of folders as one of agents; ValueError where it does not rank each of them once."""
        if sorted(found.rankings) != list(range(len(agents))):
            raise ValueError(f"the judge did not rank each of {len(agents)} agents once: {found.rankings!r}")
        return SemanticComparisonJobOutput(
            task_name=self._input.task_name,
            comparison_run_number=self._input.comparison_run_number,
            reasoning=found.reasoning,
            rankings={agents[index]: rank for rank, index in enumerate(found.rankings, 1)},
            anonymous_to_agent_id={name: agents[index] for name, index in found.anonymous_to_index.items()},
        )


def unblinded(output: SemanticComparisonJobOutput) -> str:
    """The judge's reasoning with the agents' names in place of those it knew them by."""
    reasoning = output.reasoning
    for anonymous, agent in output.anonymous_to_agent_id.items():
        reasoning = reasoning.replace(anonymous, agent)
    return reasoning
