"""multivon-eval's import path, answered by ringtrue; names load when they are first used."""

from __future__ import annotations

from importlib import import_module

from _ringtrue_dropin import __version__ as __version__
from _ringtrue_dropin import refuse_to_shadow

refuse_to_shadow("multivon-eval")

_MODULES = {
    "case": ["AgentStep", "EvalCase", "ToolCall"],
    "dataset": ["load", "load_csv", "load_jsonl", "save_jsonl"],
    "evaluators": [
        "BLEU", "ROUGE", "ChrfScore", "Contains", "Evaluator", "ExactMatch", "JSONSchemaEval", "Latency", "Levenshtein",
        "MaxLatency", "NotEmpty", "PIIEvaluator", "RegexMatch", "SchemaEvaluator", "StartsWith", "ToolCallAccuracy",
        "WordCount",
    ],
    "exceptions": ["EvaluatorPrereqMissing", "JudgeUnavailable", "MultivonError"],
    "experiments": [
        "bayesian_interval", "benjamini_hochberg", "bootstrap_interval", "cohens_h", "mcnemar_test",
        "min_detectable_effect", "runs_needed", "wilson_interval",
    ],
    "passk": ["PassKResult", "pass_at_k", "pass_hat_k"],
    "pytest_plugin": ["EvaluatorFailure", "assert_evaluators"],
    "result": [
        "ERROR_STATUSES", "EVALUATION_STATUSES", "CaseResult", "EvalGateFailure", "EvalReport", "EvalResult",
        "EvalStatus",
    ],
    "suite": ["EvalSuite"],
}  # fmt: skip
_NAMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(["__version__", *_NAMES])


def __getattr__(name: str) -> object:
    if name in _NAMES:
        return getattr(import_module(f"multivon_eval.{_NAMES[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}; dropin/docs/multivon-eval.md lists its names")


def __dir__() -> list[str]:
    return __all__
