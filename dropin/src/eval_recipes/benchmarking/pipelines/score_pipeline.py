"""`ScorePipeline`: agents at tasks whose results a script scores."""

from __future__ import annotations

from typing import Any

from eval_recipes.benchmarking.job_framework.base import Job
from eval_recipes.benchmarking.jobs.analyst import analyst
from eval_recipes.benchmarking.jobs.places import SCORE_STATE
from eval_recipes.benchmarking.jobs.score.agent_comparison_job import AgentComparisonJob
from eval_recipes.benchmarking.jobs.score.execute_evaluations_job import score_config
from eval_recipes.benchmarking.jobs.score.final_analysis_job import FinalAnalysisJob
from eval_recipes.benchmarking.jobs.score.results_aggregation_job import ResultsAggregationJob
from eval_recipes.benchmarking.jobs.score.trial_execution_job import TrialExecutionJob
from eval_recipes.benchmarking.pipelines.definitions import defined, require_once
from eval_recipes.benchmarking.pipelines.settings import Pipeline
from eval_recipes.benchmarking.schemas import (
    AgentComparisonJobInput,
    FinalAnalysisJobInput,
    ResultsAggregationJobInput,
    ScoreBenchmarkDefinition,
    TrialExecutionJobInput,
)
from ringtrue.errors import ConfigurationError


class ScorePipeline(Pipeline[ScoreBenchmarkDefinition]):
    """One job for each agent, task and trial, then the analyses, then the report, which no failure holds up."""

    state = SCORE_STATE

    def create_jobs(self) -> list[Job[Any]]:
        """The jobs of the benchmark."""
        trials = self._trials()
        who = analyst(self.benchmark.continuation_provider, self.benchmark.continuation_model)
        finals = []
        for agent_id in dict.fromkeys(job._input.agent.id for job in trials):
            own = [job for job in trials if job._input.agent.id == agent_id]
            wanted = FinalAnalysisJobInput(agent_id=agent_id, **who)
            finals.append(FinalAnalysisJob(wanted, own))
        comparison = None
        if len(finals) >= 2:
            comparison = AgentComparisonJob(AgentComparisonJobInput(**who), finals)
        results = ResultsAggregationJob(
            job_input=ResultsAggregationJobInput(),
            trial_execution_jobs=trials,
            final_analysis_jobs=finals,
            agent_comparison_job=comparison,
            tasks=self.tasks,
            agents=self.agents,
        )
        return [*trials, *finals, *([comparison] if comparison else []), results]

    def _trials(self) -> list[TrialExecutionJob]:
        return [
            TrialExecutionJob(
                TrialExecutionJobInput(
                    agent=(agent := self.agents[wanted.agent_id]),
                    task=self.tasks[task_name],
                    trial_number=trial,
                    continuation_provider=self.benchmark.continuation_provider,
                    continuation_model=self.benchmark.continuation_model,
                    agent_log_hint=agent.agent_logs_paths[0] if agent.agent_logs_paths else None,
                    analysis_score_threshold=self.benchmark.analysis_score_threshold,
                )
            )
            for wanted in self.benchmark.score_benchmarks
            for task_name in wanted.task_names
            for trial in range(1, wanted.trials + 1)
        ]

    def _check(self) -> None:
        wanted = self.benchmark.score_benchmarks
        for one in wanted:
            defined("agent", one.agent_id, self.agents)
            for name in one.task_names:
                script = score_config(defined("task", name, self.tasks)).test_script
                if not script.is_file():
                    raise ConfigurationError(f"the task {name!r} has no test script {str(script)!r}", value=script)
        require_once("a task of an agent", (f"{one.agent_id!r}, {name!r}" for one in wanted for name in one.task_names))
