"""`ResultsAggregationJob`: all trials as manifest.json, summary.json and a page."""

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job, JobContext, JobResult, JobStatus
from eval_recipes.benchmarking.jobs.parts import problem_in
from eval_recipes.benchmarking.jobs.places import LOG, RESULTS, output_dir
from eval_recipes.benchmarking.jobs.result_files import copied, kept, written, zipped
from eval_recipes.benchmarking.jobs.score.agent_comparison_job import AgentComparisonJob
from eval_recipes.benchmarking.jobs.score.final_analysis_job import FinalAnalysisJob
from eval_recipes.benchmarking.jobs.score.measured import agent_metrics, task_metrics
from eval_recipes.benchmarking.jobs.score.trial_execution_job import TrialExecutionJob
from eval_recipes.benchmarking.reporting.create_html_report import create_html_report
from eval_recipes.benchmarking.schemas import (
    AgentDefinition,
    AgentMetrics,
    AgentSummary,
    BenchmarkManifest,
    BenchmarkSummary,
    ResultsAggregationJobInput,
    ResultsAggregationJobOutput,
    TaskDefinition,
    TrialExecutionJobOutput,
    TrialMetrics,
)

_LOGS = ("build_image", "agent_output", "agent_continuation", "test_output")
_SUMMARY, _FULL = "EXECUTIVE_SUMMARY.md", "FULL_REPORT.md"


class ResultsAggregationJob(Job[ResultsAggregationJobOutput]):
    """Reads what the trials left and writes `results/`; a trial that failed is there, without a score."""

    output_model = ResultsAggregationJobOutput

    def __init__(
        self,
        job_input: ResultsAggregationJobInput,
        trial_execution_jobs: list[TrialExecutionJob],
        final_analysis_jobs: list[FinalAnalysisJob],
        agent_comparison_job: AgentComparisonJob | None,
        tasks: dict[str, TaskDefinition],
        agents: dict[str, AgentDefinition],
    ) -> None:
        self._input = job_input
        self._once = uuid.uuid4().hex
        self._trial_execution_jobs = trial_execution_jobs
        self._final_analysis_jobs = final_analysis_jobs
        self._agent_comparison_job = agent_comparison_job
        self._tasks = tasks
        self._agents = agents

    @property
    def job_id(self) -> str:
        """There is one."""
        return "results_aggregation"

    @property
    def soft_dependencies(self) -> list[Job[Any]]:
        """Everything else, however it ended."""
        comparison = [self._agent_comparison_job] if self._agent_comparison_job else []
        return [*self._trial_execution_jobs, *self._final_analysis_jobs, *comparison]

    @property
    def content(self) -> Any:
        """Never the same: what a report is made from lies in files that may have changed or gone."""
        return self._once

    async def run(self, context: JobContext) -> JobResult[ResultsAggregationJobOutput]:
        """The files, and where they lie."""
        return JobResult(status=JobStatus.COMPLETED, output=await asyncio.to_thread(self._aggregated, context))

    def _aggregated(self, context: JobContext) -> ResultsAggregationJobOutput:
        results = output_dir(context.config) / RESULTS
        results.mkdir(parents=True, exist_ok=True)
        now = datetime.now(UTC).isoformat()
        copied(output_dir(context.config) / LOG, results / LOG)
        agents = [self._agent(agent_id, context, results) for agent_id in self._agent_ids()]
        manifest = BenchmarkManifest(
            benchmark_timestamp=now,
            benchmark_log_path=LOG,
            **self._compared(context, results),
            agents=agents,
        )
        return ResultsAggregationJobOutput(
            manifest_path=str(kept(results / "manifest.json", manifest)),
            summary_path=str(kept(results / "summary.json", _summary(manifest))),
            results_dir=str(results),
            html_report_path=str(create_html_report(manifest=manifest, results_dir=results)),
        )

    def _agent_ids(self) -> list[str]:
        return sorted({job._input.agent.id for job in self._trial_execution_jobs})

    def _agent(self, agent_id: str, context: JobContext, results: Path) -> AgentMetrics:
        folder = results / "agents" / agent_id
        paths: dict[str, str | None] = {}
        for job in self._final_analysis_jobs:
            output = context.try_get_output(job) if job._input.agent_id == agent_id else None
            if output and output.report_generated:
                paths["executive_summary_path"] = _beside(written(folder / _SUMMARY, output.executive_summary), results)
                paths["full_report_path"] = _beside(written(folder / _FULL, output.full_report), results)
        trials: dict[str, list[TrialExecutionJob]] = {}
        for trial in self._trial_execution_jobs:
            if trial._input.agent.id == agent_id:
                trials.setdefault(trial._input.task.name, []).append(trial)
        tasks = []
        for task_name, jobs in sorted(trials.items()):
            inside = folder / "tasks" / task_name / "trials"
            ordered = sorted(jobs, key=lambda job: job._input.trial_number)
            measured = [self._trial(job, context, results, inside) for job in ordered]
            tasks.append(task_metrics(jobs[0]._input.task, measured))
        name = self._agents[agent_id].agent_name if agent_id in self._agents else agent_id
        return agent_metrics(agent_id, name, tasks, **paths)

    def _trial(self, job: TrialExecutionJob, context: JobContext, results: Path, folder: Path) -> TrialMetrics:
        source = job._execute_job.trial_dir(context)
        target = folder / f"trial_{job._input.trial_number}"
        output = context.try_get_output(job)
        report, archive = target / "FAILURE_REPORT.md", target / "project.zip"
        copied(source / "test_results.json", target / "test_results.json")
        reported = output is not None and copied(source / report.name, report)
        project = source / "project"
        archived = self._input.include_project_zips and output is not None and project.is_dir()
        if archived:
            zipped(project, archive)
        return TrialMetrics(
            trial_number=job._input.trial_number,
            score=output.score if output else None,
            agent_duration_seconds=output.agent_duration_seconds if output else None,
            test_duration_seconds=output.test_duration_seconds if output else None,
            valid_trial=output is not None and output.valid_trial and output.score is not None,
            failure_category=output.failure_category if output else "infrastructure_error",
            failure_report_path=_beside(report, results) if reported else None,
            rubric=output.rubric if output else {},
            logs=dict(self._logs(source, target, results)),
            project_zip_path=_beside(archive, results) if archived else None,
            error=_error(output, source),
        )

    def _logs(self, source: Path, target: Path, results: Path) -> Iterator[tuple[str, str]]:
        for name in _LOGS if self._input.include_logs else ():
            if copied(source / f"{name}.log", target / f"{name}.log"):
                yield name, _beside(target / f"{name}.log", results)

    def _compared(self, context: JobContext, results: Path) -> dict[str, Any]:
        job = self._agent_comparison_job
        output = context.try_get_output(job) if job else None
        reports = {"executive_summary": _SUMMARY, "full_report": _FULL}
        found: dict[str, Any] = {}
        for name, file in reports.items():
            text = getattr(output, name, "") if output and output.full_report else ""
            found[f"comparison_{name}"] = text or None
            path = _beside(written(results / "comparison" / file, text), results) if text else None
            found[f"comparison_{name}_path"] = path
        return found


def _error(output: TrialExecutionJobOutput | None, source: Path) -> str | None:
    """Why a trial has no score."""
    if output is not None:
        return None if output.score is not None else str(output.rubric.get("error", "the test gave no score"))
    return problem_in(source)


def _summary(manifest: BenchmarkManifest) -> BenchmarkSummary:
    agents = manifest.agents
    return BenchmarkSummary(
        benchmark_timestamp=manifest.benchmark_timestamp,
        total_agents=len(agents),
        total_tasks=len({task.task_name for agent in agents for task in agent.tasks}),
        total_trials=sum(agent.total_trials for agent in agents),
        agent_summaries=[
            AgentSummary.model_validate(agent.model_dump(include=set(AgentSummary.model_fields))) for agent in agents
        ],
    )


def _beside(path: Path, results: Path) -> str:
    return path.relative_to(results).as_posix()
