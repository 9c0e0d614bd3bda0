"""The metrics of every run, for one dataset and one system."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ringtrue.metrics.compression_ratio import CompressionRatio
from ringtrue.metrics.cost_of_pass import CostOfPass
from ringtrue.metrics.eval_rows import CASE_PASSED
from ringtrue.metrics.latency import Latency
from ringtrue.metrics.mean_score import MeanScore
from ringtrue.metrics.metric import ComputedMetric, Sums
from ringtrue.metrics.pass_rate import PassRate
from ringtrue.metrics.repeats import PassAtK
from ringtrue.records import DEFAULT_THRESHOLD, EvalRow, Made, Summary
from ringtrue.stats.row_status import headline_of


def standard_metrics(headline: str, threshold: float, repeats: int = 1) -> list[ComputedMetric]:
    """The metrics that a run has when none are named; `headline` is the score that means quality."""
    metrics: list[ComputedMetric] = [
        MeanScore(headline),
        PassRate(threshold, headline),
        CompressionRatio(),
        CostOfPass(threshold, headline),
        Latency(),
    ]
    return [*metrics, PassAtK(repeats, threshold, headline)] if repeats > 1 else metrics


class StandardSums:
    """The metrics of every run, dataset by dataset and system by system, each by its dataset's own headline.

    `further` are metrics of single datasets.
    """

    def __init__(self, made: Made, further: Mapping[str, Sequence[ComputedMetric]]) -> None:
        self.made, self.further = made, dict(further)
        self.blocks: dict[tuple[str, str], list[Sums]] = {}

    def add(self, rows: Iterable[EvalRow]) -> None:
        """Take rows in."""
        parts: dict[tuple[str, str], list[EvalRow]] = {}
        for row in rows:
            parts.setdefault((row.dataset, row.system), []).append(row)
        for place, own in parts.items():
            if place not in self.blocks:
                self.blocks[place] = self._sums(place[0], next((row.main for row in own if row.main), ""))
            for sums in self.blocks[place]:
                sums.add(own)

    def merge(self, other: StandardSums) -> None:
        """Take the sums of other rows in."""
        for place, theirs in other.blocks.items():
            own = self.blocks.setdefault(place, theirs)
            if own is not theirs:
                for one, its in zip(own, theirs, strict=True):
                    one.merge(its)

    def summaries(self) -> dict[str, dict[str, dict[str, Summary]]]:
        """Dataset -> system -> metric -> summary."""
        found: dict[str, dict[str, dict[str, Summary]]] = {}
        for (dataset, system), own in self.blocks.items():
            numbers = found.setdefault(dataset, {}).setdefault(system, {})
            for sums in own:
                numbers.update(sums.summaries())
        return found

    def _sums(self, dataset: str, key: str) -> list[Sums]:
        known = next((one.headline for one in self.made.datasets if one.name == dataset), key)
        headline = headline_of(known, self.made.evaluators) or headline_of(key, self.made.evaluators)
        threshold = headline.threshold if headline and key != CASE_PASSED else DEFAULT_THRESHOLD
        metrics = standard_metrics(key or "score", threshold, int(self.made.options.get("repeats", 1)))
        return [metric.sums() for metric in (*metrics, *self.further.get(dataset, ()))]


def metrics_of(made: Made) -> list[ComputedMetric]:
    """The standard metrics over all rows of a system; none if its datasets have different headlines."""
    repeats = int(made.options.get("repeats", 1))
    if made.job == "suite":
        return standard_metrics(CASE_PASSED, DEFAULT_THRESHOLD, repeats)
    keys = {one.headline for one in made.datasets}
    if len(keys) != 1:
        return []
    key = keys.pop()
    headline = headline_of(key, made.evaluators)
    threshold = headline.threshold if headline else DEFAULT_THRESHOLD
    if any(one.name == key and not one.keys for one in made.evaluators):
        key = ""  # a user's evaluator may return a dict, whose rows alone know the name of its value
    return standard_metrics(key or "score", threshold, repeats)
