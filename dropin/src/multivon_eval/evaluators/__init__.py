"""The checks, under the path multivon-eval's code imports them from."""

from __future__ import annotations

from importlib import import_module

import multivon_eval
from multivon_eval.evaluators.base import Evaluator
from multivon_eval.evaluators.compliance import PIIEvaluator, SchemaEvaluator
from multivon_eval.evaluators.deterministic import (
    BLEU,
    ROUGE,
    BERTScore,
    Contains,
    ExactMatch,
    JSONSchemaEval,
    Latency,
    MaxLatency,
    NotEmpty,
    RegexMatch,
    StartsWith,
    WordCount,
)
from multivon_eval.evaluators.text_metrics import ChrfScore, Levenshtein
from multivon_eval.evaluators.tool_calls import ToolCallAccuracy

__all__ = [
    "BLEU",
    "ROUGE",
    "BERTScore",
    "ChrfScore",
    "Contains",
    "Evaluator",
    "ExactMatch",
    "JSONSchemaEval",
    "Latency",
    "Levenshtein",
    "MaxLatency",
    "NotEmpty",
    "PIIEvaluator",
    "RegexMatch",
    "SchemaEvaluator",
    "StartsWith",
    "ToolCallAccuracy",
    "WordCount",
]


def __getattr__(name: str) -> object:
    home = multivon_eval._NAMES.get(name, "")
    if home.startswith("evaluators."):  # judges are loaded when they are first used
        return getattr(import_module(f"multivon_eval.{home}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
