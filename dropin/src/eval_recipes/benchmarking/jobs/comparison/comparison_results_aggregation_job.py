"""`ComparisonResultsAggregationJob`: all rankings as comparison_manifest.json, comparison_summary.json and a page."""

from __future__ import annotations

import asyncio
import uuid
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.comparison.comparison_aggregation_job import ComparisonAggregationJob
from eval_recipes.benchmarking.jobs.comparison.comparison_final_analysis_job import ComparisonFinalAnalysisJob
from eval_recipes.benchmarking.jobs.comparison.comparison_trial_job import ComparisonTrialJob
from eval_recipes.benchmarking.jobs.comparison.ranked import overview_of, ranks_of
from eval_recipes.benchmarking.jobs.comparison.semantic_comparison_job import SemanticComparisonJob, unblinded
from eval_recipes.benchmarking.jobs.parts import problem_in
from eval_recipes.benchmarking.jobs.places import LOG, RESULTS, output_dir
from eval_recipes.benchmarking.jobs.result_files import copied, kept, zipped
from eval_recipes.benchmarking.reporting.create_comparison_html_report import create_comparison_html_report
from eval_recipes.benchmarking.schemas import (
    ComparisonBenchmarkManifest,
    ComparisonBenchmarkSummary,
    ComparisonResultsAggregationJobInput,
    ComparisonResultsAggregationJobOutput,
    ComparisonTaskMetrics,
    ComparisonTrialData,
    TaskDefinition,
)


class ComparisonResultsAggregationJob(Job[ComparisonResultsAggregationJobOutput]):
    """Reads what trials and judges left and writes `results/`; who failed is there, with the reason for it."""

    output_model = ComparisonResultsAggregationJobOutput

    def __init__(
        self,
        job_input: ComparisonResultsAggregationJobInput,
        comparison_trial_jobs: list[ComparisonTrialJob],
        semantic_comparison_jobs: list[SemanticComparisonJob],
        aggregation_jobs: list[ComparisonAggregationJob],
        final_analysis_job: ComparisonFinalAnalysisJob | None,
        tasks: dict[str, TaskDefinition],
    ) -> None:
        self._input = job_input
        self._once = uuid.uuid4().hex
        self._comparison_trial_jobs = comparison_trial_jobs
        self._semantic_comparison_jobs = semantic_comparison_jobs
        self._aggregation_jobs = aggregation_jobs
        self._final_analysis_job = final_analysis_job
        self._tasks = tasks

    @property
    def job_id(self) -> str:
        """There is one."""
        return "comparison_results_aggregation"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """Everything else, however it ended."""
        final = [self._final_analysis_job] if self._final_analysis_job else []
        return [*self._comparison_trial_jobs, *self._semantic_comparison_jobs, *self._aggregation_jobs, *final]

    @property
    def content(self) -> Any:
        """Never the same: what a report is made from lies in files that may have changed or gone."""
        return self._once

    async def run(self, context: JobContext) -> JobResult[ComparisonResultsAggregationJobOutput]:
        """The files, and where they lie."""
        return JobResult(status=JobStatus.COMPLETED, output=await asyncio.to_thread(self._aggregated, context))

    def _aggregated(self, context: JobContext) -> ComparisonResultsAggregationJobOutput:
        run = output_dir(context.config)
        results = run / RESULTS
        results.mkdir(parents=True, exist_ok=True)
        names = sorted({job._input.task.name for job in self._comparison_trial_jobs})
        tasks = [self._task(name, context, run) for name in names]
        final = context.try_get_output(self._final_analysis_job) if self._final_analysis_job else None
        logged = copied(run / LOG, results / LOG)
        manifest = ComparisonBenchmarkManifest(
            benchmark_timestamp=datetime.now(UTC).isoformat(),
            benchmark_log_path=LOG if logged else None,
            agent_ids=sorted({job._input.agent.id for job in self._comparison_trial_jobs}),
            overview=overview_of(tasks),
            final_analysis_report=final.analysis_report if final else None,
            final_analysis_report_path=final.report_path if final else None,
            tasks=tasks,
        )
        summary = kept(results / "comparison_summary.json", _summary(manifest))
        return ComparisonResultsAggregationJobOutput(
            manifest_path=str(kept(results / "comparison_manifest.json", manifest)),
            summary_path=str(summary),
            results_dir=str(results),
            html_report_path=str(create_comparison_html_report(manifest=manifest, results_dir=results)),
        )

    def _task(self, name: str, context: JobContext, run: Path) -> ComparisonTaskMetrics:
        judges = [job for job in self._semantic_comparison_jobs if job._input.task_name == name]
        judges.sort(key=lambda job: job._input.comparison_run_number)
        trials, problems = [], {}
        for job in judges:
            output = context.try_get_output(job)
            if output is None:
                problems[job._input.comparison_run_number] = job.problem(context)
            else:
                trials.append(
                    ComparisonTrialData(
                        comparison_run_number=output.comparison_run_number,
                        rankings=output.rankings,
                        reasoning=unblinded(output),
                    )
                )
        zips, errors = self._work(name, context, run / RESULTS)
        said = next((job for job in self._aggregation_jobs if job._input.task_name == name), None)
        analysis = context.try_get_output(said) if said else None
        task = next(job._input.task for job in self._comparison_trial_jobs if job._input.task.name == name)
        return ComparisonTaskMetrics(
            task_name=name,
            task_instructions=task.instructions or "",
            task_info=task.task_info,
            **ranks_of(trials),
            aggregate_analysis=analysis.analysis_report if analysis else "",
            aggregate_analysis_path=_below(run, analysis.report_path) if analysis else None,
            trials=trials,
            project_zip_paths=zips,
            agent_errors=errors,
            comparison_errors=problems,
        )

    def _work(self, name: str, context: JobContext, results: Path) -> tuple[dict[str, str], dict[str, str]]:
        """The archives of the agents' work on a task, and why some have none."""
        zips: dict[str, str] = {}
        errors: dict[str, str] = {}
        for job in self._comparison_trial_jobs:
            agent, output = job._input.agent.id, context.try_get_output(job)
            if job._input.task.name != name:
                continue
            if output is None:
                errors[agent] = problem_in(job._execute_job.trial_dir(context))
            elif self._input.include_project_zips and Path(output.project_dir).is_dir():
                zips[agent] = f"agents/{agent}/tasks/{name}/project.zip"
                zipped(Path(output.project_dir), results / zips[agent])
        return zips, errors


def _summary(manifest: ComparisonBenchmarkManifest) -> ComparisonBenchmarkSummary:
    return ComparisonBenchmarkSummary(
        benchmark_timestamp=manifest.benchmark_timestamp,
        num_tasks=len(manifest.tasks),
        num_comparison_runs_per_task=max((len(task.trials) for task in manifest.tasks), default=0),
        agent_ids=manifest.agent_ids,
        agent_avg_rank=manifest.overview.agent_avg_rank,
        agent_win_rate=manifest.overview.agent_win_rate,
        agent_task_wins=manifest.overview.agent_task_wins,
        mean_kendalls_w=manifest.overview.mean_kendalls_w,
    )


def _below(run: Path, path: str) -> str:
    return Path(path).relative_to(run).as_posix() if Path(path).is_relative_to(run) else path
