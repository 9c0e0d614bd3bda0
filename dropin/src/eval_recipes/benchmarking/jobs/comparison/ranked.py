"""What the rankings of a task, and of all tasks, say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import Any

from eval_recipes.benchmarking.schemas import ComparisonOverviewMetrics, ComparisonTaskMetrics, ComparisonTrialData
from ringtrue.stats.ranking import kendall_w, mean_ranks, win_rates


def ranks_of(trials: Sequence[ComparisonTrialData]) -> dict[str, Any]:
    """Every agent's ranks, their mean, its win rate from 0 to 100 and, where all judges ranked the same agents, W."""
    rankings = [trial.rankings for trial in trials]
    agents = sorted({agent for ranking in rankings for agent in ranking})
    alike = all(len(ranking) == len(agents) for ranking in rankings)
    places = [[float(ranking[agent]) for agent in agents] for ranking in rankings] if alike else []
    return {
        "agent_ranks": {agent: [one[agent] for one in rankings if agent in one] for agent in agents},
        **_rates(rankings),
        "agreement_kendalls_w": kendall_w(places),
    }


def overview_of(tasks: Sequence[ComparisonTaskMetrics]) -> ComparisonOverviewMetrics:
    """All tasks together; every ranking counts alike, and a task is won by the best mean rank that nobody shares."""
    wins: Counter[str] = Counter()
    ties = 0
    for task in tasks:
        best = min(task.agent_avg_rank.values(), default=0.0)
        winners = [agent for agent, rank in task.agent_avg_rank.items() if rank == best]
        if len(winners) == 1:
            wins[winners[0]] += 1
        elif winners:
            ties += 1
    agreements = [task.agreement_kendalls_w for task in tasks if task.agreement_kendalls_w is not None]
    return ComparisonOverviewMetrics(
        **_rates([trial.rankings for task in tasks for trial in task.trials]),
        agent_task_wins=dict(wins),
        task_ties=ties,
        mean_kendalls_w=fmean(agreements) if agreements else None,
    )


def _rates(rankings: Sequence[Mapping[str, int]]) -> dict[str, Any]:
    return {
        "agent_avg_rank": {agent: found.value for agent, found in mean_ranks(rankings).items()},
        "agent_win_rate": {agent: 100 * (found.value or 0.0) for agent, found in win_rates(rankings).items()},
    }
