"""What the jobs of a benchmark take and give."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from eval_recipes.benchmarking.schemas.definitions import (
    ANALYSIS_MODEL,
    CONTINUATION_MODEL,
    AgentDefinition,
    AnalysisProvider,
    ContinuationProvider,
    TaskDefinition,
)


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
