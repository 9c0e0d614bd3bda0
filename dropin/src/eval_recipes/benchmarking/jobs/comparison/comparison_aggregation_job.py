"""`ComparisonAggregationJob`: why the judges of a task ranked as they did."""

from __future__ import annotations

from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.analyst import analyst
from eval_recipes.benchmarking.jobs.comparison.semantic_comparison_job import SemanticComparisonJob, unblinded
from eval_recipes.benchmarking.jobs.places import COMPARISONS, output_dir
from eval_recipes.benchmarking.jobs.report_writer import joined, report
from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.schemas import (
    ComparisonAggregationJobInput,
    ComparisonAggregationJobOutput,
    SemanticComparisonJobOutput,
)
from ringtrue.errors import RingtrueError

_NOTHING = "There are no rankings."


class ComparisonAggregationJob(Job[ComparisonAggregationJobOutput]):
    """Sums up the rankings of one task; without any, nobody is asked."""

    output_model = ComparisonAggregationJobOutput

    def __init__(
        self, job_input: ComparisonAggregationJobInput, semantic_comparison_jobs: list[SemanticComparisonJob]
    ) -> None:
        self._input = job_input
        self._semantic_comparison_jobs = semantic_comparison_jobs

    @property
    def job_id(self) -> str:
        """One for each task."""
        return f"comparison_aggregation:{self._input.task_name}"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """The rankings, however they ended."""
        return list(self._semantic_comparison_jobs)

    async def run(self, context: JobContext) -> JobResult[ComparisonAggregationJobOutput]:
        """The report."""
        rankings = {}
        for job in self._semantic_comparison_jobs:
            output = context.try_get_output(job)
            if output is not None:
                rankings[f"Judge {output.comparison_run_number}"] = _told(output)
        try:
            said = await self._said(rankings) if rankings else _NOTHING
        except RingtrueError as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        path = output_dir(context.config) / COMPARISONS / self._input.task_name / "AGGREGATE_REPORT.md"
        made = ComparisonAggregationJobOutput(
            task_name=self._input.task_name,
            analysis_report=said,
            report_path=str(written(path, said)),
            num_comparisons_analyzed=len(rankings),
        )
        return JobResult(status=JobStatus.COMPLETED, output=made)

    async def _said(self, rankings: dict[str, str]) -> str:
        texts = {"task": self._input.task_instructions, "rankings": joined(rankings)}
        who = analyst(self._input.provider, self._input.model)
        return (await report("task_rankings", ("report",), texts, who))["report"]


def _told(output: SemanticComparisonJobOutput) -> str:
    places = sorted(output.rankings.items(), key=lambda place: place[1])
    return "\n".join([*(f"{rank}. {agent}" for agent, rank in places), "", unblinded(output)])
