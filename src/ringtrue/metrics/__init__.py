"""Metrics by name, loaded when they are first asked for."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False
if TYPE_CHECKING:
    from ringtrue.metrics.attempted import Attempted as Attempted
    from ringtrue.metrics.calibration_error import CalibrationError as CalibrationError
    from ringtrue.metrics.compression_ratio import CompressionRatio as CompressionRatio
    from ringtrue.metrics.cost_of_pass import CostOfPass as CostOfPass
    from ringtrue.metrics.latency import Latency as Latency
    from ringtrue.metrics.mean_score import MeanScore as MeanScore
    from ringtrue.metrics.metric import Metric as Metric
    from ringtrue.metrics.pareto_rank import ParetoRank as ParetoRank
    from ringtrue.metrics.pass_rate import PassRate as PassRate
    from ringtrue.metrics.per_dataset import PerDatasetBreakdown as PerDatasetBreakdown
    from ringtrue.metrics.pooled import Pooled as Pooled
    from ringtrue.metrics.repeats import PassAtK as PassAtK

_NAMES = {
    "Attempted": "attempted",
    "CalibrationError": "calibration_error",
    "CompressionRatio": "compression_ratio",
    "CostOfPass": "cost_of_pass",
    "Latency": "latency",
    "MeanScore": "mean_score",
    "Metric": "metric",
    "ParetoRank": "pareto_rank",
    "PassAtK": "repeats",
    "PassRate": "pass_rate",
    "PerDatasetBreakdown": "per_dataset",
    "Pooled": "pooled",
}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module 'ringtrue.metrics' has no attribute {name!r}")
    return getattr(import_module(f"ringtrue.metrics.{_NAMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
