"""What trials say together: of a task, and of an agent.

Only valid trials with a score count. Where there are none, or for a spread fewer than two, there is no number.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from statistics import fmean, median, stdev
from typing import Any

from eval_recipes.benchmarking.schemas import AgentMetrics, TaskDefinition, TaskMetrics, TrialMetrics

PERFECT = 100.0
CONSISTENT_BELOW = 10.0


def task_metrics(task: TaskDefinition, trials: Sequence[TrialMetrics]) -> TaskMetrics:
    """The scores of one agent's trials at one task."""
    valid = [trial for trial in trials if trial.valid_trial and trial.score is not None]
    scores = [trial.score for trial in valid if trial.score is not None]
    return TaskMetrics(
        task_name=task.name,
        instructions=task.instructions or "",
        task_info=task.task_info,
        num_trials=len(trials),
        num_valid_trials=len(valid),
        mean_score=of(fmean, scores),
        std_dev=of(stdev, scores, least=2),
        min_score=of(min, scores),
        max_score=of(max, scores),
        median_score=of(median, scores),
        num_perfect_trials=sum(score == PERFECT for score in scores),
        mean_agent_duration_seconds=of(fmean, _known(trial.agent_duration_seconds for trial in valid)),
        mean_test_duration_seconds=of(fmean, _known(trial.test_duration_seconds for trial in valid)),
        trials=list(trials),
    )


def agent_metrics(agent_id: str, agent_name: str, tasks: Sequence[TaskMetrics], **paths: str | None) -> AgentMetrics:
    """The tasks of one agent: every task counts alike, however many trials it had."""
    spreads = _known(task.std_dev for task in tasks)
    steady = sum(spread < CONSISTENT_BELOW for spread in spreads)
    return AgentMetrics(
        agent_id=agent_id,
        agent_name=agent_name,
        num_unique_tasks=len(tasks),
        total_trials=sum(task.num_trials for task in tasks),
        total_valid_trials=sum(task.num_valid_trials for task in tasks),
        mean_score=of(fmean, _known(task.mean_score for task in tasks)),
        variability=of(fmean, spreads),
        consistency_rate=100 * steady / len(spreads) if spreads else None,
        mean_agent_duration_seconds=of(fmean, _known(task.mean_agent_duration_seconds for task in tasks)),
        executive_summary_path=paths.get("executive_summary_path"),
        full_report_path=paths.get("full_report_path"),
        tasks=list(tasks),
    )


def of(number: Callable[[list[float]], Any], values: list[float], *, least: int = 1) -> float | None:
    """The number of these values; None with fewer than `least` of them."""
    return float(number(values)) if len(values) >= least else None


def _known(values: Iterable[float | None]) -> list[float]:
    return [value for value in values if value is not None]
