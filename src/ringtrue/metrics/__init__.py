"""Metrics by name, loaded when they are first asked for."""

from __future__ import annotations

from ringtrue._lazy import exports

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
    from ringtrue.metrics.scrolls_score import ScrollsScore as ScrollsScore

_NAMES = {
    "Attempted": "ringtrue.metrics.attempted",
    "CalibrationError": "ringtrue.metrics.calibration_error",
    "CompressionRatio": "ringtrue.metrics.compression_ratio",
    "CostOfPass": "ringtrue.metrics.cost_of_pass",
    "Latency": "ringtrue.metrics.latency",
    "MeanScore": "ringtrue.metrics.mean_score",
    "Metric": "ringtrue.metrics.metric",
    "ParetoRank": "ringtrue.metrics.pareto_rank",
    "PassAtK": "ringtrue.metrics.repeats",
    "PassRate": "ringtrue.metrics.pass_rate",
    "PerDatasetBreakdown": "ringtrue.metrics.per_dataset",
    "Pooled": "ringtrue.metrics.pooled",
    "ScrollsScore": "ringtrue.metrics.scrolls_score",
}

__getattr__, __dir__, __all__ = exports(__name__, _NAMES)
