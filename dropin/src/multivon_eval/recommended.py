"""`RecommendedEvaluator`: the checks a product should begin with, by what its traces hold and by what a judge says."""

from __future__ import annotations

import inspect
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from multivon_eval.auto import Tier, suited
from multivon_eval.trace_summary import ProductShape, TraceSummary
from ringtrue.evaluators.check import is_number
from ringtrue.models.structured.json_in_text import found_objects

__all__ = [
    "RecommendedEvaluator", "heuristic_recommendations", "merge_recommendations",
    "unconstructible_evaluators",
]  # fmt: skip

CHECKS: Mapping[str, str] = {
    "answers from a context": "Faithfulness Hallucination ContextPrecision ContextRecall",
    "answers to questions": "AnswerAccuracy",
    "agents": "ToolCallAccuracy ToolCallNecessity PlanQuality TaskCompletion",
    "conversations": "ConversationRelevance KnowledgeRetention TurnConsistency",
    "pictures and documents": "VQAFaithfulness DocumentGrounding",
    "safety": "Toxicity Bias PIIEvaluator",
    "form": "NotEmpty SchemaEvaluator RegexMatch Contains",
    "text": "Relevance Coherence BLEU ROUGE",
}
"""What checks are about -> those that may be recommended."""
_KNOWN = [name for names in CHECKS.values() for name in names.split()]
_TIERS: tuple[Tier, ...] = ("primary", "secondary", "guardrail")
_THRESHOLD = 0.7
_OFTEN = 30
"""With an expected output in more than so many percent of the traces, checks that need one are worth it."""
_ANYWAY: Mapping[str, tuple[str, str]] = {
    "multimodal": ("VQAFaithfulness", "pictures: does the answer say what is to be seen"),
    "structured_output": ("SchemaEvaluator", "a schema: is the answer of that shape"),
}


@dataclass
class RecommendedEvaluator:
    """A check, how it counts, from which score on it passes, why, and who says so."""

    name: str
    tier: Tier
    threshold: float
    rationale: str
    source: Literal["heuristic", "llm", "merged"]


def heuristic_recommendations(shape: ProductShape, summary: TraceSummary) -> list[RecommendedEvaluator]:
    """The checks that suit a shape, and the guardrails that suit everything."""
    found = [
        RecommendedEvaluator(name, tier, _THRESHOLD, why, "heuristic")
        for name, tier, why in suited(shape, summary.has_expected_output_pct > _OFTEN)
    ]
    if shape in _ANYWAY:
        name, why = _ANYWAY[shape]
        found.append(
            RecommendedEvaluator(name, "primary", 1.0 if shape != "multimodal" else _THRESHOLD, why, "heuristic")
        )
    found.append(RecommendedEvaluator("NotEmpty", "guardrail", 1.0, "always: is there an answer", "heuristic"))
    if summary.pii_label_counts:
        hits = sum(summary.pii_label_counts.values())
        why = f"the traces hold personal data or keys ({hits} found): do the answers"
        found.append(RecommendedEvaluator("PIIEvaluator", "guardrail", 1.0, why, "heuristic"))
    return found


def parse_proposal(text: str) -> tuple[list[RecommendedEvaluator], str]:
    """The checks that a judge's reply names, and what it says of them; checks that nobody knows are left out.

    A reply that is no such object recommends nothing, and its beginning is what it says.
    """
    objects = found_objects(text)
    proposal = next((one for one in objects if "evaluators" in one or "discussion" in one), None)
    if proposal is None:
        return [], text.strip()[:500]
    items = proposal.get("evaluators")
    rows = [item for item in items if isinstance(item, dict)] if isinstance(items, list) else []
    return [_proposed(row) for row in rows if row.get("name") in _KNOWN], str(proposal.get("discussion") or "")


def _proposed(row: Mapping[str, Any]) -> RecommendedEvaluator:
    tier, threshold = row.get("tier"), row.get("threshold")
    return RecommendedEvaluator(
        row["name"],
        next((known for known in _TIERS if known == tier), "primary"),
        min(1.0, max(0.0, float(threshold))) if threshold is not None and is_number(threshold) else _THRESHOLD,
        str(row.get("rationale") or "").strip()[:300],
        "llm",
    )


def merge_recommendations(
    heuristic: Sequence[RecommendedEvaluator], llm: Sequence[RecommendedEvaluator], *, max_count: int = 6
) -> list[RecommendedEvaluator]:
    """Both lists as one, those that matter most first, with a guardrail, and no more than so many.

    Where both name a check, the judge's word counts.
    """
    anyway = {one.name: one for one in heuristic}
    merged = {**anyway, **{one.name: replace(one, source="merged" if one.name in anyway else "llm") for one in llm}}
    if all(one.tier != "guardrail" for one in merged.values()):
        guard = RecommendedEvaluator("NotEmpty", "guardrail", 1.0, "nothing else must always hold", "heuristic")
        merged["NotEmpty"] = guard
    ordered = sorted(merged.values(), key=lambda one: (_TIERS.index(one.tier), one.name))
    kept = ordered[:max_count]
    if kept and kept[-1].tier != "guardrail":
        kept[-1] = next(one for one in ordered if one.tier == "guardrail")
    return kept


def unconstructible_evaluators(evaluators: Sequence[RecommendedEvaluator]) -> dict[str, list[str]]:
    """The checks that cannot be made with a threshold alone -> what else they need."""
    found = {one.name: needed(kind_of(one.name)) for one in evaluators}
    return {name: missing for name, missing in found.items() if missing}


def kind_of(name: str) -> Any:
    """The check of this name, or None."""
    import multivon_eval  # where checks are found by name

    return getattr(multivon_eval, name, None) if name in multivon_eval.__all__ else None


def needed(kind: Any) -> list[str]:
    """What a check cannot be made without, besides a threshold."""
    parameters = inspect.signature(kind).parameters.values() if kind else ()
    named = [one for one in parameters if one.kind not in (one.VAR_POSITIONAL, one.VAR_KEYWORD)]
    return [one.name for one in named if one.default is one.empty and one.name != "threshold"]
