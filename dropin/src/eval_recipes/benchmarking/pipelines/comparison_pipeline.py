"""`ComparisonPipeline`: agents at tasks whose results a judge ranks."""

from __future__ import annotations

from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job
from eval_recipes.benchmarking.jobs.analyst import analyst
from eval_recipes.benchmarking.jobs.comparison.comparison_aggregation_job import ComparisonAggregationJob
from eval_recipes.benchmarking.jobs.comparison.comparison_final_analysis_job import ComparisonFinalAnalysisJob
from eval_recipes.benchmarking.jobs.comparison.comparison_results_aggregation_job import (
    ComparisonResultsAggregationJob,
)
from eval_recipes.benchmarking.jobs.comparison.comparison_trial_job import ComparisonTrialJob
from eval_recipes.benchmarking.jobs.comparison.semantic_comparison_job import SemanticComparisonJob
from eval_recipes.benchmarking.jobs.places import COMPARISON_STATE
from eval_recipes.benchmarking.pipelines.definitions import defined, require_once
from eval_recipes.benchmarking.pipelines.settings import Pipeline
from eval_recipes.benchmarking.schemas import (
    ComparisonAggregationJobInput,
    ComparisonBenchmarkDefinition,
    ComparisonEvalConfig,
    ComparisonFinalAnalysisJobInput,
    ComparisonResultsAggregationJobInput,
    ComparisonTrialJobInput,
    SemanticComparisonJobInput,
    TaskDefinition,
)
from ringtrue.errors import ConfigurationError


class ComparisonPipeline(Pipeline[ComparisonBenchmarkDefinition]):
    """One job for each agent at each task, then the rankings, then the report, which no failure holds up."""

    state = COMPARISON_STATE

    def create_jobs(self) -> list[Job[Any]]:
        """The jobs of the benchmark."""
        who = analyst(self.benchmark.continuation_provider, self.benchmark.continuation_model)
        trials: list[ComparisonTrialJob] = []
        judges: list[SemanticComparisonJob] = []
        reports: list[ComparisonAggregationJob] = []
        for wanted in self.benchmark.comparison_benchmarks:
            task = self.tasks[wanted.task_name]
            told = {"task_name": task.name, "task_instructions": task.instructions or ""}
            own = [self._trial(agent_id, task) for agent_id in wanted.agent_ids]
            ranked = [
                SemanticComparisonJob(
                    SemanticComparisonJobInput(**told, comparison_run_number=number, guidelines=_guidelines(task)),
                    own,
                    who=who,
                )
                for number in range(1, self.benchmark.comparison_runs + 1)
            ]
            reports.append(ComparisonAggregationJob(ComparisonAggregationJobInput(**told, **who), ranked))
            trials += own
            judges += ranked
        final = ComparisonFinalAnalysisJob(ComparisonFinalAnalysisJobInput(**who), reports)
        results = ComparisonResultsAggregationJob(
            job_input=ComparisonResultsAggregationJobInput(),
            comparison_trial_jobs=trials,
            semantic_comparison_jobs=judges,
            aggregation_jobs=reports,
            final_analysis_job=final,
            tasks=self.tasks,
        )
        return [*trials, *judges, *reports, final, results]

    def _trial(self, agent_id: str, task: TaskDefinition) -> ComparisonTrialJob:
        return ComparisonTrialJob(
            ComparisonTrialJobInput(
                agent=self.agents[agent_id],
                task=task,
                continuation_provider=self.benchmark.continuation_provider,
                continuation_model=self.benchmark.continuation_model,
            )
        )

    def _check(self) -> None:
        wanted = self.benchmark.comparison_benchmarks
        for one in wanted:
            defined("task", one.task_name, self.tasks)
            for agent_id in one.agent_ids:
                defined("agent", agent_id, self.agents)
            require_once(f"an agent of the task {one.task_name!r}", one.agent_ids)
            if len(one.agent_ids) < 2:
                raise ConfigurationError(
                    f"a comparison needs two agents; the task {one.task_name!r} has {len(one.agent_ids)}", value=one
                )
        require_once("a task", (one.task_name for one in wanted))


def _guidelines(task: TaskDefinition) -> str | None:
    configs = (config for config in task.evaluation_configs if isinstance(config, ComparisonEvalConfig))
    return next((config.guidelines for config in configs), None)
