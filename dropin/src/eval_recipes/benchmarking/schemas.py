"""What a benchmark is defined by, what its jobs take and give, and what its results say.

Names and keys are eval-recipes'. Where nothing was measured a number is None, never 0: a trial whose job failed has no
score, and a task without a valid trial has no mean.
"""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, Discriminator, Field, Tag, ValidationInfo, model_validator

ContinuationProvider = Literal["openai", "azure_openai", "none"]
AnalysisProvider = Literal["openai", "azure_openai"]
CONTINUATION_MODEL = "gpt-5.1"
ANALYSIS_MODEL = "gpt-5.2"


class _Written(BaseModel):
    """What a person writes in YAML: a key that nobody reads is left out with a warning."""

    @model_validator(mode="before")
    @classmethod
    def _warn_of_strangers(cls, given: Any, info: ValidationInfo) -> Any:
        where = info.context.get("where", "") if isinstance(info.context, dict) else ""
        ignoring = isinstance(given, dict) and cls.model_config.get("extra", "ignore") == "ignore"
        for name in given if ignoring else ():
            if name not in cls.model_fields:
                warnings.warn(f"{where}{cls.__name__} has no field {name!r}; it is left out", UserWarning, stacklevel=4)
        return given


# Definitions


class InstallationFileMapping(_Written):
    """A local file or folder, and the absolute path in the container that it is copied to."""

    source: Path
    dest: str


class AgentDefinition(_Written):
    """An agent: how it is installed and started; the templates are Liquid with `task_instructions`."""

    id: str
    agent_name: str
    dockerfile_portion: str = ""
    installation_files: list[InstallationFileMapping] = []
    runtime_files: list[InstallationFileMapping] = []
    command_template: str
    command_template_continue: str | None = None
    agent_logs_paths: list[str] = []
    source_code_path: str | None


class TaskInfo(_Written):
    """What kind of task it is."""

    difficulty: Literal["easy", "medium", "hard"]
    non_deterministic_evals: bool = False
    categories: list[str] = []


class ScoreEvalConfig(_Written):
    """A task that a script scores."""

    type: Literal["score"] = "score"
    test_script: Path
    test_command: str = "uv run --no-project /project/test.py"


class ComparisonEvalConfig(_Written):
    """A task whose results are ranked by a judge."""

    type: Literal["comparison"] = "comparison"
    guidelines: str | None = None


EvaluationConfig = ScoreEvalConfig | ComparisonEvalConfig


def _kind(given: Any) -> Any:
    """Which of the two is meant; one that says nothing is what its fields make it."""
    if not isinstance(given, dict):
        return getattr(given, "type", None)
    return given.get("type", "score" if "test_script" in given else "comparison")


_OneOf = Annotated[
    Annotated[ScoreEvalConfig, Tag("score")] | Annotated[ComparisonEvalConfig, Tag("comparison")], Discriminator(_kind)
]


class TaskDefinition(_Written):
    """A task: what the agent is told and given, how long it may take (seconds), and how the result is judged."""

    name: str
    task_info: TaskInfo
    evaluation_configs: list[_OneOf] = []
    dockerfile_portion: str = ""
    instructions: str | None
    task_time_files: list[InstallationFileMapping] = []
    test_time_files: list[InstallationFileMapping] = []
    timeout: Annotated[int, Field(gt=0)] = 1800


class ScoreBenchmarkAgentDefinition(_Written):
    """Which tasks an agent is given, and how often."""

    agent_id: str
    task_names: list[str]
    trials: Annotated[int, Field(ge=1)] = 1


class _Continued(_Written):
    continuation_provider: ContinuationProvider = "none"
    continuation_model: str = CONTINUATION_MODEL


class ScoreBenchmarkDefinition(_Continued):
    """Agents whose results are scored; below the threshold the failure is analysed."""

    benchmark_type: str = "score"
    score_benchmarks: list[ScoreBenchmarkAgentDefinition]
    analysis_score_threshold: float = 85.0


class ComparisonBenchmarkAgentDefinition(_Written):
    """Which agents are compared on a task."""

    task_name: str
    agent_ids: list[str]


class ComparisonBenchmarkDefinition(_Continued):
    """Agents whose results are ranked, each task as often as `comparison_runs` says."""

    benchmark_type: str = "comparison"
    comparison_benchmarks: list[ComparisonBenchmarkAgentDefinition]
    comparison_runs: Annotated[int, Field(ge=1)] = 7


class BenchmarkDefinition(_Written):
    """A benchmark: either kind, or both."""

    score_benchmark: ScoreBenchmarkDefinition | None = None
    comparison_benchmark: ComparisonBenchmarkDefinition | None = None


# Jobs


class _Continuing(BaseModel):
    continuation_provider: ContinuationProvider = "none"
    continuation_model: str = CONTINUATION_MODEL


class _Analysing(BaseModel):
    provider: AnalysisProvider = "openai"
    model: str = ANALYSIS_MODEL


class _AgentRun(BaseModel):
    agent_console_log: str
    agent_duration_seconds: float
    continuation_occurred: bool = False
    continuation_prompt: str | None = None
    continuation_error: str | None = None


class ExecuteAgentJobInput(_Continuing):
    """One agent at one task."""

    agent: AgentDefinition
    task: TaskDefinition
    trial_number: int


class ExecuteAgentJobOutput(_AgentRun):
    """What the agent said, and the container in which its work lies."""

    container_id: str
    image_tag: str


class ExecuteEvaluationsJobInput(BaseModel):
    """What is scored."""

    task: TaskDefinition
    trial_number: int
    agent_log_hint: str | None = None


class EvaluateJobOutput(BaseModel):
    """A score of 0 to 100, or None where the test gave none."""

    score: float | None
    rubric: dict[str, Any] = {}
    test_console_log: str
    test_duration_seconds: float


class TaskAnalysisJobInput(BaseModel):
    """What is analysed if its score lies below the threshold."""

    task: TaskDefinition
    trial_number: int
    analysis_score_threshold: float = 85.0


class TaskAnalysisJobOutput(BaseModel):
    """Why a trial scored low, and whether it counts."""

    valid_trial: bool
    analysis_skipped: bool
    failure_report: str | None = None
    failure_category: str | None = None


class TrialExecutionJobInput(_Continuing):
    """A whole trial: the agent, its score, the analysis."""

    agent: AgentDefinition
    task: TaskDefinition
    trial_number: int
    agent_log_hint: str | None = None
    analysis_score_threshold: float = 85.0


class TrialExecutionJobOutput(TaskAnalysisJobOutput, EvaluateJobOutput, _AgentRun):
    """What the three parts of a trial gave."""


class FinalAnalysisJobInput(_Analysing):
    """Whose failures are summed up."""

    agent_id: str


class FinalAnalysisJobOutput(BaseModel):
    """An agent's failures in short and in full; without failure reports none is written."""

    executive_summary_path: str
    full_report_path: str
    executive_summary: str
    full_report: str
    report_generated: bool
    num_reports_analyzed: int


class AgentComparisonJobInput(_Analysing):
    """Who compares the agents' reports."""


class AgentComparisonJobOutput(BaseModel):
    """The agents' reports held against one another; the paths are empty where there was nothing to compare."""

    executive_summary: str
    full_report: str
    executive_summary_path: str = ""
    full_report_path: str = ""
    num_agents_compared: int = 0


class ExtractProjectJobInput(BaseModel):
    """Whose work is taken out of its container."""

    agent_id: str
    task_name: str
    trial_number: int


class ExtractProjectJobOutput(BaseModel):
    """Where the work lies."""

    project_dir: str
    agent_id: str
    task_name: str


class ComparisonTrialJobInput(_Continuing):
    """One agent at one task that is compared."""

    agent: AgentDefinition
    task: TaskDefinition
    trial_number: int = 1


class ComparisonTrialJobOutput(ExtractProjectJobOutput, _AgentRun):
    """What the agent said, and where its work lies."""


class ComparisonResult(BaseModel):
    """One blind ranking: folders by index, best first, and the names the judge knew them by."""

    reasoning: str
    rankings: list[int]
    anonymous_to_index: dict[str, int]


class SemanticComparisonJobInput(BaseModel):
    """What is ranked, for the how-manieth time."""

    task_name: str
    task_instructions: str
    comparison_run_number: int
    guidelines: str | None = None


class ComparisonTrialData(BaseModel):
    """One ranking: agents with their ranks, 1 the best."""

    comparison_run_number: int
    rankings: dict[str, int]
    reasoning: str


class SemanticComparisonJobOutput(ComparisonTrialData):
    """One ranking, with the names the judge knew the agents by."""

    task_name: str
    anonymous_to_agent_id: dict[str, str]


class ComparisonAggregationJobInput(_Analysing):
    """Whose rankings are summed up."""

    task_name: str
    task_instructions: str


class ComparisonAggregationJobOutput(BaseModel):
    """What the rankings of a task say."""

    task_name: str
    analysis_report: str
    report_path: str
    num_comparisons_analyzed: int


class ComparisonFinalAnalysisJobInput(_Analysing):
    """Who sums up the tasks."""


class ComparisonFinalAnalysisJobOutput(BaseModel):
    """What the rankings of all tasks say."""

    analysis_report: str
    report_path: str
    num_tasks_analyzed: int


# Results


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
