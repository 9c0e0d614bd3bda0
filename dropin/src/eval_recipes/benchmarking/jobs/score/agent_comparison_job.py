"""`AgentComparisonJob`: what the failures of several agents tell about their differences."""

from __future__ import annotations

from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.analyst import analyst
from eval_recipes.benchmarking.jobs.places import output_dir
from eval_recipes.benchmarking.jobs.report_writer import joined, report
from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.jobs.score.final_analysis_job import FinalAnalysisJob
from eval_recipes.benchmarking.schemas import AgentComparisonJobInput, AgentComparisonJobOutput
from ringtrue.errors import RingtrueError


class AgentComparisonJob(Job[AgentComparisonJobOutput]):
    """Compares the agents that have a report; with fewer than two, nobody is asked."""

    output_model = AgentComparisonJobOutput

    def __init__(self, job_input: AgentComparisonJobInput, final_analysis_jobs: list[FinalAnalysisJob]) -> None:
        self._input = job_input
        self._final_analysis_jobs = final_analysis_jobs

    @property
    def job_id(self) -> str:
        """There is one."""
        return "agent_comparison"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """The agents' reports, however they ended."""
        return list(self._final_analysis_jobs)

    async def run(self, context: JobContext) -> JobResult[AgentComparisonJobOutput]:
        """The reports."""
        reports = {}
        for job in self._final_analysis_jobs:
            output = context.try_get_output(job)
            if output is not None and output.report_generated:
                reports[f"Agent {job._input.agent_id}"] = f"{output.executive_summary}\n\n{output.full_report}"
        if len(reports) < 2:
            nothing = AgentComparisonJobOutput(executive_summary="", full_report="", num_agents_compared=len(reports))
            return JobResult(status=JobStatus.COMPLETED, output=nothing)
        who = analyst(self._input.provider, self._input.model)
        fields = ("full_report", "executive_summary")
        try:
            made = await report("agent_differences", fields, {"reports": joined(reports)}, who)
        except RingtrueError as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        folder = output_dir(context.config)
        compared = AgentComparisonJobOutput(
            **made,
            executive_summary_path=str(written(folder / "COMPARISON_SUMMARY.md", made["executive_summary"])),
            full_report_path=str(written(folder / "COMPARISON_FULL.md", made["full_report"])),
            num_agents_compared=len(reports),
        )
        return JobResult(status=JobStatus.COMPLETED, output=compared)
