"""`generate_adversarial_cases`: cases that a judge writes to show a weakness."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from multivon_eval.canonical import canonical_json
from multivon_eval.case import EvalCase
from multivon_eval.evaluators.judging import Material
from multivon_eval.evaluators.llm_judge import _as_prompt, _call
from multivon_eval.exceptions import JudgeUnavailable
from multivon_eval.judge import JudgeConfig, resolve_judge
from ringtrue.evaluators.judged.config import require_count
from ringtrue.evaluators.judged.prompt import prompt
from ringtrue.models.found_objects import found_objects

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
"""The weaknesses that cases can be written for -> the checks that see them; the prompt says what each of them is."""


def generate_adversarial_cases(
    seed_text: str, target_failure_mode: str, n: int = 5, *, judge: JudgeConfig | None = None
) -> list[EvalCase]:
    """Up to n cases about a text, written to show a weakness; `metadata` names the checks that see it.

    A judge that writes none counts as unavailable.
    """
    if target_failure_mode not in FAILURE_MODES:
        known = ", ".join(sorted(FAILURE_MODES))
        raise ValueError(f"unknown target_failure_mode {target_failure_mode!r}; there are {known}")
    require_count("n", n)
    resolved = resolve_judge(judge)
    texts = Material(domain=seed_text, weakness=target_failure_mode, number=n).texts
    question = _as_prompt(prompt("adversarial", "multivon_eval").question(texts, None))
    said = _call(question, resolved, _TOKENS + _TOKENS_PER_CASE * n)
    asked = [item for item in found_objects(said) if isinstance(item.get("input"), str) and item["input"]]
    if not asked:
        raise JudgeUnavailable("the judge wrote no cases: its reply has no objects with an input")
    return [_case(item, target_failure_mode, f"{resolved.provider}:{resolved.model}") for item in asked[:n]]


def _case(item: Mapping[str, Any], mode: str, judge: str) -> EvalCase:
    about = FAILURE_MODES[mode]
    calls = item.get("expected_tool_calls")
    return EvalCase(
        item["input"],
        _text(item.get("expected_output")),
        _text(item.get("context")),
        expected_tool_calls=[call for call in calls if isinstance(call, str)] if isinstance(calls, list) else None,
        tags=[f"adversarial:{mode}"],
        metadata={
            "generated_by": "multivon_eval.auto.generate_adversarial_cases",
            "target_failure_mode": mode,
            "stress_tests": list(about["stress_tests"]),
            "prompt_version": f"{mode}:{about['version']}",
            "judge_used": judge,
        },
    )


def _text(value: Any) -> str | None:
    """A value as text: an example of a form may come as an object rather than as text."""
    return value if value is None or isinstance(value, str) else canonical_json(value)
