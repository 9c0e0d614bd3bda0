"""What laws and frameworks ask for, and which checks give evidence of it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["CATALOGS", "Catalog", "Control", "controls_for"]


@dataclass(frozen=True)
class Control:
    """One thing that is asked for."""

    id: str
    description: str
    framework: str = ""

    def record(self) -> dict[str, str]:
        """The control as plain values."""
        return {"id": self.id, "description": self.description}


@dataclass(frozen=True)
class Catalog:
    """What a framework asks for: what checks can show, what only an organisation can, and which check shows what."""

    measurable: Mapping[str, Control]
    process: Mapping[str, Control]
    by_evaluator: Mapping[str, list[str]]


_ACCURACY = [
    "faithfulness", "hallucination", "relevance", "answer_accuracy", "context_precision", "context_recall",
    "summarization", "coherence", "bertscore", "bleu", "rouge_l", "step_faithfulness", "plan_quality",
    "task_completion", "tool_call_accuracy", "tool_argument_accuracy", "tool_call_necessity", "trajectory_efficiency",
    "conversation_relevance", "conversation_completeness", "knowledge_retention", "g_eval", "custom_rubric",
]  # fmt: skip
_ROBUSTNESS = [
    "not_empty", "exact_match", "contains", "regex_match", "starts_with", "json_schema", "schema_compliance",
    "word_count", "latency", "max_latency", "self_consistency", "turn_consistency", "agent_memory",
]  # fmt: skip


def _of(framework: str, **controls: tuple[str, str]) -> dict[str, Control]:
    return {key: Control(name, words, framework) for key, (name, words) in controls.items()}


def _shown(accuracy: str, robustness: str, **others: str) -> dict[str, list[str]]:
    named = {**dict.fromkeys(_ACCURACY, accuracy), **dict.fromkeys(_ROBUSTNESS, robustness), **others}
    return {evaluator: [control] for evaluator, control in named.items()}


CATALOGS: Mapping[str, Catalog] = {
    "eu-ai-act": Catalog(
        _of(
            "eu-ai-act",
            art_9_2_b=("Art. 9(2)(b)", "Risks of foreseeable misuse"),
            art_10_2_fg=("Art. 10(2)(f-g)", "Bias examined and mitigated"),
            art_10_5=("Art. 10(5)", "Personal data"),
            art_15_1=("Art. 15(1)", "Accuracy"),
            art_15_2=("Art. 15(2)", "Robustness"),
        ),
        _of(
            "eu-ai-act",
            art_11=("Art. 11", "Technical documentation"),
            art_12=("Art. 12", "Record-keeping: this log"),
            art_13=("Art. 13", "Transparency to deployers"),
            art_14=("Art. 14", "Human oversight"),
            art_15_45=("Art. 15(4-5)", "Resilience and cybersecurity"),
        ),
        _shown("art_15_1", "art_15_2", bias="art_10_2_fg", pii_detection="art_10_5", toxicity="art_9_2_b"),
    ),
    "nist-ai-rmf": Catalog(
        _of(
            "nist-ai-rmf",
            measure_2_3=("MEASURE 2.3", "Performance"),
            measure_2_5=("MEASURE 2.5", "Validity and reliability"),
            measure_2_6=("MEASURE 2.6", "Safety"),
            measure_2_10=("MEASURE 2.10", "Privacy"),
            measure_2_11=("MEASURE 2.11", "Fairness and bias"),
        ),
        _of(
            "nist-ai-rmf",
            govern_1_1=("GOVERN 1.1", "Legal requirements known and managed"),
            measure_2_7=("MEASURE 2.7", "Security and resilience"),
            measure_2_8=("MEASURE 2.8", "Transparency and accountability"),
            measure_2_9=("MEASURE 2.9", "Explanation of the model"),
            manage_4_1=("MANAGE 4.1", "Monitoring after deployment"),
        ),
        _shown(
            "measure_2_3",
            "measure_2_5",
            toxicity="measure_2_6",
            pii_detection="measure_2_10",
            bias="measure_2_11",
        ),
    ),
    "hipaa": Catalog(
        _of(
            "hipaa",
            hipaa_312_a=("45 CFR §164.312(a)", "Access control"),
            hipaa_312_b=("45 CFR §164.312(b)", "Audit controls"),
            hipaa_312_c=("45 CFR §164.312(c)", "Integrity of health information"),
            hipaa_514_b2=("45 CFR §164.514(b)(2)", "Safe Harbor: identifiers removed"),
        ),
        _of(
            "hipaa",
            hipaa_308=("45 CFR §164.308", "Administrative safeguards"),
            hipaa_310=("45 CFR §164.310", "Physical safeguards"),
            hipaa_316=("45 CFR §164.316", "Policies and documentation"),
            hipaa_baa=("Business Associate Agreement", "With every processor of health information"),
        ),
        {
            "pii_detection": ["hipaa_514_b2", "hipaa_312_a"],
            **{name: ["hipaa_312_b"] for name in ("faithfulness", "hallucination", "answer_accuracy")},
            **{name: ["hipaa_312_c"] for name in ("schema_compliance", "json_schema", "not_empty")},
        },
    ),
    "none": Catalog({}, {}, {}),
}


def controls_for(framework: str, evaluator: str) -> list[Control]:
    """What a check gives evidence of."""
    catalog = CATALOGS[framework]
    return [catalog.measurable[key] for key in catalog.by_evaluator.get(evaluator, ())]
