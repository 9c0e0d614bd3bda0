"""A scored benchmark as a page: one file that loads nothing, in which every text is only text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from importlib.resources import files
from pathlib import Path
from statistics import fmean

from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.reporting.shown import NOTHING, by_kind, folded, interval, number, spoken, text_of
from eval_recipes.benchmarking.schemas import AgentMetrics, BenchmarkManifest, TaskMetrics, TrialMetrics
from ringtrue.reports.html import Block, Cell, Folded, Grid, Link, Section, html_page


def create_html_report(manifest: BenchmarkManifest, results_dir: Path, output_path: Path | None = None) -> Path:
    """Where the page was written: `report.html` beside the results, unless it is told elsewhere."""
    path = output_path or results_dir / "report.html"
    blocks: list[Block] = [
        Section("Overview"),
        _overview(manifest),
        *_missing(manifest.agents),
        Folded("How to read this", files(__package__).joinpath("score_method.txt").read_text("utf-8")),
    ]
    blocks += folded("The agents compared, in short", manifest.comparison_executive_summary)
    blocks += folded("The agents compared, in full", manifest.comparison_full_report)
    blocks += [Section("Tasks"), _kinds(manifest.agents), *_tasks(manifest.agents)]
    for agent in manifest.agents:
        blocks += _agent(agent, results_dir)
    return written(path, html_page("Benchmark results", blocks))


def _overview(manifest: BenchmarkManifest) -> Grid:
    heading = (
        "agent",
        "name",
        "mean score",
        "95% interval",
        "tasks",
        "trials",
        "variability",
        "consistent",
        "agent time",
    )
    ranked = sorted(manifest.agents, key=lambda agent: -1 if agent.mean_score is None else agent.mean_score)
    rows = []
    for agent in reversed(ranked):
        means = [task.mean_score for task in agent.tasks if task.mean_score is not None]
        rows.append(
            [
                agent.agent_id,
                agent.agent_name,
                number(agent.mean_score),
                interval(means),
                _share(len(means), len(agent.tasks)),
                _share(agent.total_valid_trials, agent.total_trials),
                number(agent.variability),
                NOTHING if agent.consistency_rate is None else f"{agent.consistency_rate:.0f}%",
                spoken(agent.mean_agent_duration_seconds),
            ]
        )
    return Grid(f"Agents, {manifest.benchmark_timestamp}", heading, rows)


def _missing(agents: Sequence[AgentMetrics]) -> list[Block]:
    rows = [
        [agent.agent_id, task.task_name, str(trial.trial_number), _why(trial), _files(trial)]
        for agent in agents
        for task in agent.tasks
        for trial in task.trials
        if not trial.valid_trial
    ]
    heading = ("agent", "task", "trial", "why", "files")
    return [Grid(f"Trials that do not count: {len(rows)}", heading, rows, ["absent"] * len(rows))] if rows else []


def _kinds(agents: Sequence[AgentMetrics]) -> Grid:
    found = [by_kind(agent.tasks, lambda task: task.task_info) for agent in agents]
    kinds = sorted({kind for one in found for kind in one}, key=lambda kind: (kind.startswith("category"), kind))
    rows = [[kind, *(_mean(one.get(kind, [])) for one in found)] for kind in kinds]
    return Grid("Mean scores by kind of task", ("kind", *(agent.agent_id for agent in agents)), rows)


def _tasks(agents: Sequence[AgentMetrics]) -> list[Block]:
    tasks = {task.task_name: task for agent in agents for task in agent.tasks}
    rows: list[list[str]] = []
    for name, task in sorted(tasks.items()):
        of_task = [[one for one in agent.tasks if one.task_name == name] for agent in agents]
        kind = ", ".join([task.task_info.difficulty, *task.task_info.categories])
        rows.append([name, kind, *(_mean(one) for one in of_task)])
    heading = ("task", "kind", *(agent.agent_id for agent in agents))
    texts = [
        block for name, task in sorted(tasks.items()) for block in folded(f"{name}: instructions", task.instructions)
    ]
    return [Grid("Mean scores by task", heading, rows), *texts]


def _agent(agent: AgentMetrics, results: Path) -> list[Block]:
    heading = ("task", "mean", "spread", "lowest", "median", "highest", "perfect", "trials", "agent time", "test time")
    rows = [
        [
            task.task_name,
            number(task.mean_score),
            number(task.std_dev),
            number(task.min_score),
            number(task.median_score),
            number(task.max_score),
            str(task.num_perfect_trials),
            _share(task.num_valid_trials, task.num_trials),
            spoken(task.mean_agent_duration_seconds),
            spoken(task.mean_test_duration_seconds),
        ]
        for task in agent.tasks
    ]
    blocks: list[Block] = [Section(f"Agent {agent.agent_id}"), Grid("Tasks", heading, rows), _trials(agent)]
    blocks += folded("Failures in short", text_of(results, agent.executive_summary_path))
    blocks += folded("Failures in full", text_of(results, agent.full_report_path))
    for task in agent.tasks:
        for trial in task.trials:
            title = f"Failure report: {task.task_name}, trial {trial.trial_number}"
            blocks += folded(title, text_of(results, trial.failure_report_path))
    return blocks


def _trials(agent: AgentMetrics) -> Grid:
    heading = ("task", "trial", "score", "failure", "agent time", "test time", "rubric", "files")
    rows: list[list[Cell | list[Cell]]] = []
    kinds = []
    for task in agent.tasks:
        for trial in task.trials:
            kinds.append(_kind(trial))
            rows.append(
                [
                    task.task_name,
                    str(trial.trial_number),
                    number(trial.score),
                    _why(trial),
                    spoken(trial.agent_duration_seconds),
                    spoken(trial.test_duration_seconds),
                    json.dumps(trial.rubric, indent=1, ensure_ascii=False) if trial.rubric else "",
                    _files(trial),
                ]
            )
    return Grid("Trials", heading, rows, kinds)


def _files(trial: TrialMetrics) -> list[Cell]:
    paths = {**trial.logs, "failure report": trial.failure_report_path, "project": trial.project_zip_path}
    return [Link(name, path) for name, path in paths.items() if path]


def _why(trial: TrialMetrics) -> str:
    return ": ".join(part for part in (trial.failure_category, trial.error) if part)


def _kind(trial: TrialMetrics) -> str:
    if trial.score is None or not trial.valid_trial:
        return "absent"
    return "passed" if trial.score == 100 else "failed" if trial.score < 50 else ""


def _mean(tasks: Sequence[TaskMetrics]) -> str:
    """The mean of tasks' means; where several tasks are meant, with how many of them have one."""
    means = [task.mean_score for task in tasks if task.mean_score is not None]
    if not tasks:
        return ""
    mean = number(fmean(means) if means else None)
    return mean if len(tasks) == 1 else f"{mean} ({_share(len(means), len(tasks))})"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}"
