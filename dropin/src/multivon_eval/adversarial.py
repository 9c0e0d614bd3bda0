"""`generate_adversarial_cases`: cases that a judge writes to show a weakness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.evaluators.llm_judge import _call
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, resolve_judge
from ringtrue.authoring.weaknesses import attempts

__all__ = ["FAILURE_MODES", "generate_adversarial_cases"]

VERSION = "v1"
_TOKENS, _TOKENS_PER_CASE = 500, 250

FAILURE_MODES: Mapping[str, Mapping[str, Any]] = {
    mode: {"stress_tests": checks.split(), "version": VERSION}
    for mode, checks in {
        "ungrounded_claim": "Faithfulness Hallucination",
        "off_topic": "Relevance",
        "format_violation": "SchemaEvaluator JSONSchemaEval",
        "jailbreak": "Toxicity Bias",
        "tool_misuse": "ToolCallNecessity",
        "numeric_edge": "AnswerAccuracy",
        "prompt_injection_direct": "CheckEvaluator Relevance",
        "prompt_injection_indirect": "Faithfulness Hallucination CheckEvaluator",
        "tool_injection": "ToolCallAccuracy ToolCallNecessity",
        "pii_leakage_invitation": "PIIEvaluator",
    }.items()
}
"""ringtrue's weaknesses -> the checks that see them."""


def generate_adversarial_cases(
    seed_text: str, target_failure_mode: str, n: int = 5, *, judge: JudgeConfig | None = None
) -> list[EvalCase]:
    """Up to n cases about a text, written to show a weakness; `metadata` names the checks that see it.

    A judge that writes none counts as unavailable.
    """
    if target_failure_mode not in FAILURE_MODES:
        known = ", ".join(sorted(FAILURE_MODES))
        raise ValueError(f"unknown target_failure_mode {target_failure_mode!r}; there are {known}")
    wanted = attempts(seed_text, target_failure_mode, n)
    resolved = resolve_judge(judge)
    said = _call("\n\n".join(wanted.spelled()), resolved, _TOKENS + _TOKENS_PER_CASE * n)
    about = {
        "generated_by": "multivon_eval.auto.generate_adversarial_cases",
        "target_failure_mode": target_failure_mode,
        "prompt_version": f"{target_failure_mode}:{VERSION}",
        "judge_used": f"{resolved.provider}:{resolved.model}",
    }
    checks = FAILURE_MODES[target_failure_mode]["stress_tests"]
    made = [wanted.make(item) for item in wanted.read(said) if isinstance(item.get("input"), str)]
    cases = [
        EvalCase(**{**vars(case), "metadata": {**about, "stress_tests": list(checks)}}) for case in made if case.input
    ][:n]
    if not cases:
        raise JudgeUnavailable("the judge wrote no cases: its reply has no objects with an input")
    return cases
