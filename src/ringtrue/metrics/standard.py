"""The metrics of every run, for one dataset and one system."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from ringtrue.metrics.compression_ratio import CompressionRatio
from ringtrue.metrics.cost_of_pass import CostOfPass
from ringtrue.metrics.latency import Latency
from ringtrue.metrics.mean_score import MeanScore
from ringtrue.metrics.metric import Computed
from ringtrue.metrics.pass_rate import PassRate
from ringtrue.metrics.repeats import PassAtK
from ringtrue.records import DEFAULT_THRESHOLD, EvalRow, Made, Summary
from ringtrue.stats.row_status import headline_of


def standard_metrics(headline: str, threshold: float, repeats: int = 1) -> list[Computed]:
    """The metrics that a run has when none are named; `headline` is the score that means quality."""
    metrics: list[Computed] = [
        MeanScore(headline),
        PassRate(threshold, headline),
        CompressionRatio(),
        CostOfPass(threshold, headline),
        Latency(),
    ]
    return [*metrics, PassAtK(repeats, threshold, headline)] if repeats > 1 else metrics


def standard_summaries(
    rows: Sequence[EvalRow], made: Made, further: Mapping[str, Sequence[Computed]]
) -> dict[str, dict[str, dict[str, Summary]]]:
    """Dataset -> system -> metric -> summary, by each dataset's own headline; `further` are those of one dataset."""
    blocks: dict[tuple[str, str], list[EvalRow]] = {}
    for row in rows:
        blocks.setdefault((row.dataset, row.system), []).append(row)
    found: dict[str, dict[str, dict[str, Summary]]] = {}
    repeats = int(made.options.get("repeats", 1))
    for (dataset, system), own in blocks.items():
        key = next((row.main for row in own if row.main), "")
        headline = headline_of(key, made.evaluators)
        metrics = standard_metrics(key or "score", headline.threshold if headline else DEFAULT_THRESHOLD, repeats)
        numbers = found.setdefault(dataset, {}).setdefault(system, {})
        for metric in (*metrics, *further.get(dataset, ())):
            numbers.update(metric.summarise(own))
    return found


def metrics_of(made: Made) -> list[Computed]:
    """The standard metrics over all rows of a system; none where the headline of its datasets differs."""
    keys = {one.headline for one in made.datasets}
    if len(keys) != 1:
        return []
    key = keys.pop()
    headline = headline_of(key, made.evaluators)
    threshold = headline.threshold if headline else DEFAULT_THRESHOLD
    return standard_metrics(key or "score", threshold, int(made.options.get("repeats", 1)))
