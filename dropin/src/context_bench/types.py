"""The three protocols: anything with these methods is a system, an evaluator, a metric."""

from ringtrue import Evaluator, System
from ringtrue.metrics import Metric

__all__ = ["Evaluator", "Metric", "System"]
