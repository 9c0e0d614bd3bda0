"""`FinalAnalysisJob`: why an agent failed, over all its trials."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.analyst import Analyst, analyst
from eval_recipes.benchmarking.jobs.places import output_dir
from eval_recipes.benchmarking.jobs.report_writer import joined, report
from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.schemas import (
    ANALYSIS_MODEL,
    AnalysisProvider,
    FinalAnalysisJobInput,
    FinalAnalysisJobOutput,
)
from ringtrue.errors import RingtrueError

if TYPE_CHECKING:
    from eval_recipes.benchmarking.jobs.score.trial_execution_job import TrialExecutionJob


class FinalAnalysisJob(Job[FinalAnalysisJobOutput]):
    """Sums up the failure reports of one agent; without any there is nothing to sum up, and nobody is asked."""

    output_model = FinalAnalysisJobOutput

    def __init__(self, job_input: FinalAnalysisJobInput, trial_execution_jobs: list[TrialExecutionJob]) -> None:
        self._input = job_input
        self._trial_execution_jobs = trial_execution_jobs

    @property
    def job_id(self) -> str:
        """One for each agent."""
        return f"final_analysis:{self._input.agent_id}"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """The agent's trials, however they ended."""
        return list(self._trial_execution_jobs)

    async def run(self, context: JobContext) -> JobResult[FinalAnalysisJobOutput]:
        """The reports."""
        reports = {}
        for job in self._trial_execution_jobs:
            output = context.try_get_output(job)
            if output is not None and output.failure_report:
                reports[f"Task {job._input.task.name}, trial {job._input.trial_number}"] = output.failure_report
        folder = output_dir(context.config) / self._input.agent_id
        try:
            made = await _consolidated(reports, folder, analyst(self._input.provider, self._input.model))
        except RingtrueError as error:
            return JobResult(status=JobStatus.FAILED, error=str(error))
        return JobResult(status=JobStatus.COMPLETED, output=made)


async def generate_consolidated_report(
    agent_id: str,
    failure_reports: list[str],
    output_dir: Path,
    provider: AnalysisProvider = "openai",
    model: str = ANALYSIS_MODEL,
) -> FinalAnalysisJobOutput:
    """The reports on an agent, made from failure reports outside a run."""
    reports = {f"Report {number}": text for number, text in enumerate(failure_reports, 1)}
    return await _consolidated(reports, output_dir / agent_id, analyst(provider, model))


async def _consolidated(reports: dict[str, str], folder: Path, who: Analyst) -> FinalAnalysisJobOutput:
    if not reports:
        return FinalAnalysisJobOutput(
            executive_summary_path="",
            full_report_path="",
            executive_summary="",
            full_report="",
            report_generated=False,
            num_reports_analyzed=0,
        )
    made = await report("agent_failures", ("full_report", "executive_summary"), {"reports": joined(reports)}, who)
    return FinalAnalysisJobOutput(
        **made,
        executive_summary_path=str(written(folder / "EXECUTIVE_SUMMARY.md", made["executive_summary"])),
        full_report_path=str(written(folder / "FULL_REPORT.md", made["full_report"])),
        report_generated=True,
        num_reports_analyzed=len(reports),
    )
