"""What a benchmark is defined by, as people write it in YAML."""

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
