"""The metrics of runs on the command line."""

from __future__ import annotations

from typing import Any

from ringtrue.metrics import CompressionRatio, CostOfPass, Latency, MeanScore, ParetoRank, PassAtK, PassRate
from ringtrue.metrics import PerDatasetBreakdown as PerDataset
from ringtrue.metrics.metric import Metric
from ringtrue.store.database import StoredRun


def standard_metrics(quality: str, threshold: float, epochs: int, systems: int, datasets: int) -> list[Metric]:
    """The metrics of every run on the command line; `quality` is the score that means it."""
    metrics: list[Any] = [
        MeanScore(quality),
        PassRate(threshold, quality),
        CompressionRatio(),
        CostOfPass(threshold, quality),
        Latency(),
    ]
    if epochs > 1:
        metrics.append(PassAtK(epochs, threshold, quality))
    if datasets > 1:
        metrics.append(PerDataset(quality))
    if systems > 1:
        metrics.append(ParetoRank())
    return metrics


def metrics_of(run: StoredRun) -> list[Metric]:
    """The metrics a stored run was shown with; none for one that was started from Python or scored again."""
    config = run.config
    if "quality" not in config or "rescored_from" in config:
        return []
    datasets = len(set(config.get("datasets", ())))
    return standard_metrics(config["quality"], config["threshold"], config["epochs"], len(config["systems"]), datasets)
