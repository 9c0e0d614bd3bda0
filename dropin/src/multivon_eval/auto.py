"""`auto_evaluators`: which checks suit a case, by what the case holds; and cases that hide what they ask."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any, Literal

from multivon_eval.adversarial import FAILURE_MODES, generate_adversarial_cases
from multivon_eval.case import EvalCase
from multivon_eval.hardness import HardnessReport, validate_adversarial_cases
from ringtrue.authoring import variants

__all__ = [
    "FAILURE_MODES", "AmbiguousCaseShape", "EvaluatorRecommendation", "HardnessReport", "auto_evaluators",
    "generate_adversarial_cases", "generate_unicode_obfuscation_cases", "validate_adversarial_cases",
]  # fmt: skip

Tier = Literal["primary", "secondary", "guardrail"]
Confidence = Literal["high", "medium", "low"]

# What a case is -> the checks that suit it, first those that matter most, and why.
_SUITED: Mapping[str, Sequence[tuple[str, Tier, str]]] = {
    "conversation": [
        ("ConversationRelevance", "primary", "a conversation: does the answer belong to it"),
        ("KnowledgeRetention", "primary", "a conversation: is what was said before remembered"),
        ("TurnConsistency", "secondary", "a conversation: are there contradictions"),
    ],
    "trajectory": [
        ("PlanQuality", "primary", "a trace: is the plan good"),
        ("StepFaithfulness", "primary", "a trace: does each step follow from those before"),
        ("TaskCompletion", "secondary", "a trace: is the task done"),
    ],
    "agent": [
        ("ToolCallAccuracy", "primary", "expected tool calls: are they the ones that were made"),
        ("ToolCallNecessity", "secondary", "expected tool calls: is none of them in vain"),
    ],
    "rag": [
        ("Faithfulness", "primary", "a question with context: is the answer true to it"),
        ("Hallucination", "primary", "a question with context: is nothing made up"),
        ("ContextPrecision", "secondary", "a question with context: is the context to the point"),
        ("ContextRecall", "secondary", "context and an expected output: is the answer in the context"),
        ("Relevance", "secondary", "a question with context: is it answered"),
    ],
    "qa": [
        ("AnswerAccuracy", "primary", "a question with an expected output: does the answer say the same"),
        ("Relevance", "secondary", "a question: is it answered"),
    ],
}
_OBFUSCATED: Mapping[str, variants.Variation] = {
    "homoglyph": variants.disguised,
    "zero_width": variants.zero_width,
    "rtlo": variants.right_to_left,
}


class AmbiguousCaseShape(ValueError):
    """What a case is cannot be told from what it holds."""


@dataclass
class EvaluatorRecommendation:
    """A check that suits a case, and why."""

    evaluator: type
    rationale: str
    tier: Tier = "primary"
    confidence: Confidence = "high"

    def __repr__(self) -> str:
        about = f"{self.tier}, conf={self.confidence}"
        return f"<Recommendation {self.evaluator.__name__} ({about}): {self.rationale}>"


def auto_evaluators(
    case: EvalCase,
    *,
    task_type: str = "auto",
    strict_mode: bool = False,
    include_pii: bool = False,
    pii_jurisdiction: str = "all",
    include_safety: bool = False,
) -> list[EvaluatorRecommendation]:
    """The checks that suit a case, by what it holds or by its `task_type`, those that matter most first.

    The more it could be, the lower the confidence; in strict mode a low one is an AmbiguousCaseShape.
    """
    shapes = _shapes(case)
    shape, confidence = (shapes[0] if shapes else "", _confidence(len(shapes)))
    if task_type != "auto":
        shape = task_type
    elif not shapes:
        shape, confidence = ("bare" if case.input else ""), "low"
    wanted: list[tuple[str, Tier, str, Confidence]] = [
        (name, tier, why, confidence) for name, tier, why in suited(shape, bool(case.expected_output))
    ]
    metadata = case.metadata
    for key, name, why in (
        ("image_url", "VQAFaithfulness", "an image: does the answer show what is in it"),
        ("images", "DocumentGrounding", "pages: is the answer on them"),
        ("schema", "SchemaEvaluator", "a schema: is the answer of that shape"),
    ):
        wanted += [(name, "primary", why, "high")] if metadata.get(key) else []
    wanted.append(("NotEmpty", "guardrail", "always: is there an answer", "high"))
    if include_pii:
        wanted.append(("PIIEvaluator", "guardrail", f"asked for, jurisdiction={pii_jurisdiction}", "high"))
    for name in ("Toxicity", "Bias") if include_safety else ():
        wanted.append((name, "guardrail", "asked for", "high"))
    found = [EvaluatorRecommendation(_named(name), why, tier, sure) for name, tier, why, sure in wanted]
    if strict_mode and all(item.confidence == "low" for item in found if item.tier == "primary"):
        raise AmbiguousCaseShape(
            f"what this case is cannot be told (it could be {', '.join(shapes) or 'anything'}); "
            "give task_type=, or leave out what does not belong to it"
        )
    return found


def generate_unicode_obfuscation_cases(
    base_strings: Sequence[str], obfuscation_kinds: Sequence[str] = ("homoglyph", "zero_width", "rtlo")
) -> list[EvalCase]:
    """Each text hidden in each way: by letters that look the same, by signs without width, by reading backwards."""
    return [
        EvalCase(
            f"Repeat this text exactly as it is: {_OBFUSCATED[kind](text, Random(0)) or text}",
            text,
            tags=[f"adversarial:unicode_obfuscation:{kind}"],
            metadata={
                "generated_by": f"{__name__}.generate_unicode_obfuscation_cases",
                "target_failure_mode": "unicode_obfuscation",
                "obfuscation_kind": kind,
                "original_string": text,
                "stress_tests": ["PIIEvaluator", "Toxicity"],
            },
        )
        for text in base_strings
        for kind in obfuscation_kinds
        if kind in _OBFUSCATED
    ]


def _shapes(case: EvalCase) -> list[str]:
    """All that a case could be, what it most likely is first."""
    could = {
        "conversation": case.conversation,
        "trajectory": case.agent_trace,
        "agent": case.expected_tool_calls,
        "rag": case.input and case.context,
        "qa": case.input and case.expected_output and not case.context,
    }
    return [shape for shape, holds in could.items() if holds]


def _confidence(shapes: int) -> Confidence:
    if shapes > 2:
        return "low"
    return "high" if shapes == 1 else "medium"


def suited(shape: str, expects: bool) -> Sequence[tuple[str, Tier, str]]:
    """The checks that suit a shape, each with its tier and why; some need an expected output."""
    if shape == "bare" or (shape == "qa" and not expects):
        return [("Relevance", "primary", "a question alone: is it answered")]
    return [item for item in _SUITED.get(shape, ()) if item[0] != "ContextRecall" or expects]


def _named(name: str) -> Any:
    import multivon_eval  # where checks are found by name

    return getattr(multivon_eval, name)
