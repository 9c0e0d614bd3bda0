"""The three protocols: anything with these methods is a system, an evaluator, a metric."""

from ringtrue.dialects.dicts import Evaluator
from ringtrue.metrics.metric import Metric
from ringtrue.systems.system import DictSystem as System

__all__ = ["Evaluator", "Metric", "System"]
