"""Metrics of repeats: pass@k, pass^k and the flaky cases."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from ringtrue.metrics.metric import ComputedMetric, Sums, rows_with_keys
from ringtrue.records import EvalRow, Summary
from ringtrue.stats.intervals import pass_at_k, pass_hat_k
from ringtrue.stats.tally import Numbers


@dataclass(frozen=True)
class PassAtK(ComputedMetric):
    """pass@k (at least one of k repeats passes), pass^k (all do) and the number of cases that pass only sometimes."""

    k: int = 1
    threshold: float = 0.7
    score_field: str = "score"
    name = "pass_at_k"

    def sums(self) -> Sums:
        """`pass@k`, `pass^k`, `flaky`, over cases with at least k measured repeats; the others count as skipped."""
        return _RepeatSums(self)


@dataclass
class _RepeatSums:
    """The number of measured repeats of each case, and of those that passed."""

    metric: PassAtK
    cases: dict[Hashable, tuple[int, int]] = field(default_factory=dict)

    def add(self, rows: Sequence[EvalRow]) -> None:
        for row, key in rows_with_keys(rows, self.metric.score_field):
            # Ids may repeat in a dataset: rows with one id are one case only where they have one position.
            case = (row.dataset, type(row.example_id), row.example_id, row.position)
            measured, passed = self.cases.get(case, (0, 0))
            if key in row.scores:
                measured, passed = measured + 1, passed + (row.scores[key] >= self.metric.threshold)
            self.cases[case] = measured, passed

    def merge(self, other: _RepeatSums) -> None:
        for case, (measured, passed) in other.cases.items():
            before = self.cases.get(case, (0, 0))
            self.cases[case] = before[0] + measured, before[1] + passed

    def summaries(self) -> Mapping[str, Summary]:
        k = self.metric.k
        enough = [(measured, passed) for measured, passed in self.cases.values() if measured >= k]
        short = len(self.cases) - len(enough)
        flaky = sum(0 < passed < measured for measured, passed in self.cases.values())
        return {
            f"pass@{k}": _mean([pass_at_k(*case, k) for case in enough], short),
            f"pass^{k}": _mean([pass_hat_k(*case, k) for case in enough], short),
            "flaky": Summary(float(flaky), len(self.cases), unit="count"),
        }


def _mean(values: list[float], skipped: int) -> Summary:
    numbers = Numbers()
    numbers.add(values)
    return replace(numbers.summary(skipped=skipped, counts=True), unit="share")
