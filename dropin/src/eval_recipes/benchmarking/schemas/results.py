"""What the results of a benchmark say."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel, Field, model_validator

from eval_recipes.benchmarking.schemas.definitions import TaskInfo
from eval_recipes.benchmarking.schemas.jobs import ComparisonTrialData


class SemanticTestResult(BaseModel):
    """A judge's score, brought into 0 to 100, and the rest of its rubric; a score that is no number is refused."""

    score: Annotated[float, Field(allow_inf_nan=False)]
    metadata: dict[str, Any]

    @model_validator(mode="after")
    def _within(self) -> SemanticTestResult:
        self.score = max(0.0, min(100.0, self.score))
        return self


class TrialMetrics(BaseModel):
    """One trial; one that has no score has an `error` or a failure category that says why."""

    trial_number: int
    score: float | None
    agent_duration_seconds: float | None
    test_duration_seconds: float | None
    valid_trial: bool
    failure_category: str | None
    failure_report_path: str | None
    rubric: dict[str, Any]
    logs: dict[str, str]
    project_zip_path: str | None
    error: str | None = None


class TaskMetrics(BaseModel):
    """The valid trials of a task; a spread needs two of them."""

    task_name: str
    instructions: str
    task_info: TaskInfo
    num_trials: int
    num_valid_trials: int
    mean_score: float | None
    std_dev: float | None
    min_score: float | None
    max_score: float | None
    median_score: float | None
    num_perfect_trials: int
    mean_agent_duration_seconds: float | None
    mean_test_duration_seconds: float | None
    trials: list[TrialMetrics]


class AgentSummary(BaseModel):
    """An agent in one line: the mean of its tasks' means, the mean of their spreads, the share of tasks below 10."""

    agent_id: str
    agent_name: str
    mean_score: float | None
    variability: float | None
    consistency_rate: float | None
    num_unique_tasks: int
    total_trials: int
    total_valid_trials: int


class AgentMetrics(AgentSummary):
    """An agent with all its tasks; paths are relative to the results."""

    mean_agent_duration_seconds: float | None
    executive_summary_path: str | None
    full_report_path: str | None
    tasks: list[TaskMetrics]


class BenchmarkSummary(BaseModel):
    """summary.json."""

    benchmark_timestamp: str
    total_agents: int
    total_tasks: int
    total_trials: int
    agent_summaries: list[AgentSummary]


class BenchmarkManifest(BaseModel):
    """manifest.json; the comparison of agents needs two of them."""

    benchmark_timestamp: str
    benchmark_log_path: str
    comparison_executive_summary: str | None
    comparison_full_report: str | None
    comparison_executive_summary_path: str | None
    comparison_full_report_path: str | None
    agents: list[AgentMetrics]


class ComparisonResultsAggregationJobInput(BaseModel):
    """What goes beside a comparison's report."""

    include_project_zips: bool = True


class ResultsAggregationJobInput(ComparisonResultsAggregationJobInput):
    """What goes beside the report."""

    include_logs: bool = True


class ResultsAggregationJobOutput(BaseModel):
    """Where the results lie."""

    manifest_path: str
    summary_path: str
    results_dir: str
    html_report_path: str | None = None


class ComparisonResultsAggregationJobOutput(ResultsAggregationJobOutput):
    """Where a comparison's results lie."""


class _Ranked(BaseModel):
    agent_avg_rank: dict[str, float]
    agent_win_rate: dict[str, float]


class ComparisonTaskMetrics(_Ranked):
    """The rankings of a task; win rates are 0 to 100, agreement is Kendall's W; errors say what is missing and why."""

    task_name: str
    task_instructions: str
    task_info: TaskInfo
    agent_ranks: dict[str, list[int]]
    agreement_kendalls_w: float | None
    aggregate_analysis: str
    aggregate_analysis_path: str | None
    trials: list[ComparisonTrialData]
    project_zip_paths: dict[str, str]
    agent_errors: dict[str, str] = {}
    comparison_errors: dict[int, str] = {}


class ComparisonOverviewMetrics(_Ranked):
    """The rankings of all tasks."""

    agent_task_wins: dict[str, int]
    task_ties: int
    mean_kendalls_w: float | None


class ComparisonBenchmarkManifest(BaseModel):
    """A comparison's manifest.json."""

    benchmark_timestamp: str
    benchmark_log_path: str | None
    agent_ids: list[str]
    overview: ComparisonOverviewMetrics
    final_analysis_report: str | None
    final_analysis_report_path: str | None
    tasks: list[ComparisonTaskMetrics]


class ComparisonBenchmarkSummary(_Ranked):
    """A comparison's summary.json."""

    benchmark_timestamp: str
    num_tasks: int
    num_comparison_runs_per_task: int
    agent_ids: list[str]
    agent_task_wins: dict[str, int]
    mean_kendalls_w: float | None
