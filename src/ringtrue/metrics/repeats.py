"""What repeats tell: pass@k, pass^k and the cases that are flaky."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from ringtrue.metrics.metric import Computed, rows_with_keys
from ringtrue.records import EvalRow, Summary
from ringtrue.stats.intervals import pass_at_k, pass_hat_k
from ringtrue.stats.tally import Numbers


@dataclass(frozen=True)
class PassAtK(Computed):
    """pass@k (at least one of k repeats passes), pass^k (all do) and the number of cases that pass only sometimes."""

    k: int = 1
    threshold: float = 0.7
    score_field: str = "score"
    name: ClassVar[str] = "pass_at_k"

    def summarise(self, rows: Sequence[EvalRow]) -> Mapping[str, Summary]:
        """`pass@k`, `pass^k`, `flaky`, over cases with at least k measured repeats; the others count as skipped."""
        cases: dict[object, list[bool]] = {}
        for row, key in rows_with_keys(rows, self.score_field):
            # Ids may repeat in a dataset: rows with one id are one case only where they have one position.
            passes = cases.setdefault((row.dataset, type(row.example_id), row.example_id, row.position), [])
            if key in row.scores:
                passes.append(row.scores[key] >= self.threshold)
        enough = [passes for passes in cases.values() if len(passes) >= self.k]
        short = len(cases) - len(enough)
        any_of = [pass_at_k(len(passes), sum(passes), self.k) for passes in enough]
        all_of = [pass_hat_k(len(passes), sum(passes), self.k) for passes in enough]
        flaky = sum(0 < sum(passes) < len(passes) for passes in cases.values())
        return {
            f"pass@{self.k}": _mean(any_of, short),
            f"pass^{self.k}": _mean(all_of, short),
            "flaky": Summary(float(flaky), len(cases), unit="count"),
        }


def _mean(values: list[float], skipped: int) -> Summary:
    numbers = Numbers()
    numbers.add(values)
    return replace(numbers.summary(skipped=skipped, counts=True), unit="share")
