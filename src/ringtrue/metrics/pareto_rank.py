"""`ParetoRank`: which systems no other beats on both quality and cost."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ringtrue.records import EvalRow


@dataclass(frozen=True)
class ParetoRank:
    """The Pareto front of a system by quality (higher) and cost (lower); 1 is the best front."""

    quality_field: str = "mean_score"
    cost_field: str = "cost_of_pass"
    name = "pareto_rank"

    def compute(self, rows: Sequence[EvalRow]) -> dict[str, float]:
        """Nothing: one system's rows cannot say how it ranks; `rank` compares systems."""
        return {}

    def rank(self, summary: Mapping[str, Mapping[str, float | None]]) -> dict[str, int]:
        """The rank of every system of a run's summary."""
        return self.rank_systems(summary, self.quality_field, self.cost_field)

    @staticmethod
    def rank_systems(
        summary: Mapping[str, Mapping[str, float | None]],
        quality_field: str = "mean_score",
        cost_field: str = "cost_of_pass",
    ) -> dict[str, int]:
        """The front of each system; a missing quality is worse, a missing cost dearer than any other."""
        left = {name: _point(numbers, quality_field, cost_field) for name, numbers in summary.items()}
        ranks: dict[str, int] = {}
        while left:
            front = [name for name, point in left.items() if not any(_beats(other, point) for other in left.values())]
            ranks.update(dict.fromkeys(front, 1 + max(ranks.values(), default=0)))
            left = {name: point for name, point in left.items() if name not in front}
        return {name: ranks[name] for name in summary}


def _point(numbers: Mapping[str, float | None], quality_field: str, cost_field: str) -> tuple[float, float]:
    quality, cost = numbers.get(quality_field), numbers.get(cost_field)
    return (float("-inf") if quality is None else quality, float("inf") if cost is None else cost)


def _beats(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return one[0] >= other[0] and one[1] <= other[1] and one != other
