"""The checks, under the path multivon-eval's code imports them from."""

from __future__ import annotations

from multivon_eval.evaluators.base import Evaluator
from multivon_eval.evaluators.compliance import PIIEvaluator, SchemaEvaluator
from multivon_eval.evaluators.deterministic import (
    BLEU,
    ROUGE,
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
    "BLEU", "ROUGE", "ChrfScore", "Contains", "Evaluator", "ExactMatch", "JSONSchemaEval", "Latency", "Levenshtein",
    "MaxLatency", "NotEmpty", "PIIEvaluator", "RegexMatch", "SchemaEvaluator", "StartsWith", "ToolCallAccuracy",
    "WordCount",
]  # fmt: skip
