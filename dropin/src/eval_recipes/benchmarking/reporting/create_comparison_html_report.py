"""A comparison as a page: one file that loads nothing, in which every text is only text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib.resources import files
from pathlib import Path

from eval_recipes.benchmarking.jobs.result_files import written
from eval_recipes.benchmarking.reporting.shown import NOTHING, folded, number
from eval_recipes.benchmarking.schemas import ComparisonBenchmarkManifest, ComparisonTaskMetrics
from ringtrue.records import Summary
from ringtrue.reports.html import Block, Cell, Folded, Grid, Link, Section, html_page
from ringtrue.stats.ranking import mean_ranks, win_rates


def create_comparison_html_report(
    manifest: ComparisonBenchmarkManifest, results_dir: Path, output_path: Path | None = None
) -> Path:
    """Where the page was written: `comparison_report.html` beside the results, unless it is told elsewhere."""
    path = output_path or results_dir / "comparison_report.html"
    method = files(__package__).joinpath("comparison_method.txt").read_text("utf-8")
    blocks: list[Block] = [Section("Overview"), *_overview(manifest), Folded("How this was measured", method)]
    blocks += folded("All tasks summed up", manifest.final_analysis_report)
    for task in manifest.tasks:
        blocks += [Section(f"Task {task.task_name}"), *_task(task)]
    return written(path, html_page("Comparison results", blocks))


def _overview(manifest: ComparisonBenchmarkManifest) -> list[Block]:
    overview = manifest.overview
    rankings = [trial.rankings for task in manifest.tasks for trial in task.trials]
    caption = (
        f"{manifest.benchmark_timestamp}: mean agreement of judges (Kendall's W) "
        f"{number(overview.mean_kendalls_w, 2)}, tasks without a single winner: {overview.task_ties}"
    )
    rows = _agents(rankings, manifest.agent_ids)
    for row in rows:
        row.append(str(overview.agent_task_wins.get(row[0], 0)))
    missing = [
        *([task.task_name, agent, why] for task in manifest.tasks for agent, why in task.agent_errors.items()),
        *(
            [task.task_name, f"judge {at}", why]
            for task in manifest.tasks
            for at, why in task.comparison_errors.items()
        ),
    ]
    grids: list[Block] = [Grid(caption, (*_HEADING, "tasks won"), rows)]
    if missing:
        grids.append(Grid(f"Missing: {len(missing)}", ("task", "who", "why"), missing, ["absent"] * len(missing)))
    return grids


_HEADING = ("agent", "mean rank", "95% interval", "win rate", "95% interval", "rankings")


def _agents(rankings: Sequence[Mapping[str, int]], agents: Sequence[str]) -> list[list[str]]:
    """A row for each agent, the best first; one that nobody ranked has no numbers."""
    ranks, wins = mean_ranks(rankings), win_rates(rankings)
    ordered = sorted(agents, key=lambda agent: (agent not in ranks, ranks[agent].value if agent in ranks else 0))
    rows = []
    for agent in ordered:
        if agent not in ranks:
            rows.append([agent, *[NOTHING] * 4, "0"])
            continue
        rank, win = ranks[agent], wins[agent]
        share = NOTHING if win.value is None else f"{100 * win.value:.0f}%"
        rows.append([agent, number(rank.value, 2), _within(rank), share, _within(win, 100), str(rank.n)])
    return rows


def _within(summary: Summary, times: float = 1.0) -> str:
    if summary.interval is None or summary.interval[0] == summary.interval[1]:
        return NOTHING  # ranks that are all the same do not say how far others could be
    low, high = (bound * times for bound in summary.interval)
    return f"{low:.0f}% to {high:.0f}%" if times != 1 else f"{max(1.0, low):.2f} to {high:.2f}"


def _task(task: ComparisonTaskMetrics) -> list[Block]:
    agents = sorted({*task.agent_ranks, *task.agent_errors})
    info = ", ".join([task.task_info.difficulty, *task.task_info.categories])
    caption = f"{info}; agreement of judges (Kendall's W) {number(task.agreement_kendalls_w, 2)}"
    rows: list[list[Cell]] = []
    for row in _agents([trial.rankings for trial in task.trials], agents):
        archive = task.project_zip_paths.get(row[0])
        rows.append([*row, Link("project", archive) if archive else task.agent_errors.get(row[0], "")])
    each = [
        [str(trial.comparison_run_number), *(str(trial.rankings.get(agent, NOTHING)) for agent in agents)]
        for trial in task.trials
    ]
    blocks: list[Block] = [Grid(caption, (*_HEADING, "work"), rows), Grid("Ranks by judge", ("judge", *agents), each)]
    blocks += folded("Instructions", task.task_instructions)
    blocks += folded("The rankings explained", task.aggregate_analysis)
    for trial in task.trials:
        blocks += folded(f"Reasoning of judge {trial.comparison_run_number}", trial.reasoning)
    return blocks
