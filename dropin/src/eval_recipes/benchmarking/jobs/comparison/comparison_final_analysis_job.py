"""`ComparisonFinalAnalysisJob`: what the rankings of all tasks say."""

from __future__ import annotations

from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.analyst import analyst
from eval_recipes.benchmarking.jobs.comparison.comparison_aggregation_job import ComparisonAggregationJob
from eval_recipes.benchmarking.jobs.places import output_dir
from eval_recipes.benchmarking.jobs.report_writer import joined, report
from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.schemas import ComparisonFinalAnalysisJobInput, ComparisonFinalAnalysisJobOutput
from ringtrue.errors import RingtrueError

_NOTHING = "There are no reports on tasks."


class ComparisonFinalAnalysisJob(Job[ComparisonFinalAnalysisJobOutput]):
    """Sums up the reports on the tasks; without any, nobody is asked."""

    output_model = ComparisonFinalAnalysisJobOutput

    def __init__(
        self,
        job_input: ComparisonFinalAnalysisJobInput,
        comparison_aggregation_jobs: list[ComparisonAggregationJob],
    ) -> None:
        self._input = job_input
        self._comparison_aggregation_jobs = comparison_aggregation_jobs

    @property
    def job_id(self) -> str:
        """There is one."""
        return "comparison_final_analysis"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """The reports on the tasks, however they ended."""
        return list(self._comparison_aggregation_jobs)

    async def run(self, context: JobContext) -> JobResult[ComparisonFinalAnalysisJobOutput]:
        """The report."""
        reports = {}
        for job in self._comparison_aggregation_jobs:
            output = context.try_get_output(job)
            if output is not None and output.num_comparisons_analyzed:
                reports[f"Task {output.task_name}"] = output.analysis_report
        who = analyst(self._input.provider, self._input.model)
        try:
            texts = {"reports": joined(reports)}
            said = (await report("all_rankings", ("report",), texts, who))["report"] if reports else _NOTHING
        except RingtrueError as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        made = ComparisonFinalAnalysisJobOutput(
            analysis_report=said,
            report_path=str(written(output_dir(context.config) / "COMPARISON_FINAL_REPORT.md", said)),
            num_tasks_analyzed=len(reports),
        )
        return JobResult(status=JobStatus.COMPLETED, output=made)
