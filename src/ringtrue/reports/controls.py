"""What laws and frameworks ask for, and which checks give evidence of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from ringtrue.errors import ConfigurationError
from ringtrue.records import Json
from ringtrue.reports.markdown import escaped


@dataclass(frozen=True)
class Control:
    """One thing that is asked for."""

    id: str
    description: str
    framework: str = ""

    def record(self) -> dict[str, Json]:
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
    "answer_quality", "summarization_quality", "chrf", "multiple_choice", "math_equivalence", "numeric_match",
    "nli_label_match", "final_answer", "code_execution", "diff_applies", "llm_judge", "judge_panel", "pairwise_judge",
    "question_judge", "rubric_judge", "check_criteria", "claim_verification", "guidance", "preference_adherence",
    "semantic_test", "tool_usage", "tool_call_match",
]  # fmt: skip
_ROBUSTNESS = [
    "not_empty", "exact_match", "contains", "regex_match", "starts_with", "json_schema", "schema_compliance",
    "word_count", "latency", "max_latency", "self_consistency", "turn_consistency", "agent_memory", "ends_with",
    "not_contains", "is_json", "json_equals", "levenshtein", "ifeval", "ifeval_checker", "diff_files",
]  # fmt: skip


_PRIVACY = ["pii_detection", "personal_data"]


def _of(framework: str, **controls: tuple[str, str]) -> dict[str, Control]:
    return {key: Control(name, words, framework) for key, (name, words) in controls.items()}


def _shown(accuracy: str, robustness: str, privacy: str, **others: str) -> dict[str, list[str]]:
    named = {**dict.fromkeys(_ACCURACY, accuracy), **dict.fromkeys(_ROBUSTNESS, robustness), **others}
    named |= dict.fromkeys(_PRIVACY, privacy)
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
        _shown("art_15_1", "art_15_2", "art_10_5", bias="art_10_2_fg", toxicity="art_9_2_b"),
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
            "measure_2_10",
            toxicity="measure_2_6",
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
            **{name: ["hipaa_514_b2", "hipaa_312_a"] for name in _PRIVACY},
            **{
                name: ["hipaa_312_b"]
                for name in ("faithfulness", "hallucination", "answer_accuracy", "claim_verification")
            },
            **{name: ["hipaa_312_c"] for name in ("schema_compliance", "json_schema", "not_empty")},
        },
    ),
    "none": Catalog({}, {}, {}),
}


@dataclass
class CoverageReport:
    """What of a framework the checks of a suite show, what they do not, and what no check can show."""

    framework: str
    suite_name: str
    covered: dict[str, list[str]] = field(default_factory=dict)
    missing: list[Control] = field(default_factory=list)
    process: list[Control] = field(default_factory=list)
    unmapped_evaluators: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Json]:
        """The report as plain values."""
        lists = {name: [control.record() for control in getattr(self, name)] for name in ("missing", "process")}
        return {**vars(self), **lists}

    def rows(self) -> list[tuple[str, str, str]]:
        """Each control with what it asks for and what shows it."""
        told = [
            (control.id, control.description, ", ".join(self.covered.get(key, ())) or "no check shows it")
            for key, control in CATALOGS[self.framework].measurable.items()
        ]
        return told + [(control.id, control.description, "beyond any check") for control in self.process]

    def to_markdown(self) -> str:
        """The controls as a table."""
        lines = [f"# {self.framework}", "", "| control | asks for | shown by |", "|---|---|---|"]
        return "\n".join([*lines, *(f"| {' | '.join(map(escaped, row))} |" for row in self.rows()), ""])

    def __str__(self) -> str:
        measurable = CATALOGS[self.framework].measurable
        marks = [*("x" if key in self.covered else " " for key in measurable), *("?" for _ in self.process)]
        lines = [f"{self.framework} coverage for suite {self.suite_name!r}"]
        for mark, (control, asks, shown) in zip(marks, self.rows(), strict=True):
            lines.append(f"  [{mark}] {control:<22} {asks}: {shown}")
        lines.append(f"  Coverage: {len(self.covered)}/{len(measurable)} controls that checks can show")
        if self.unmapped_evaluators:
            lines.append(f"  Checks that show none of them: {', '.join(self.unmapped_evaluators)}")
        return "\n".join(lines)


def catalog_of(framework: str) -> Catalog:
    """The catalogue of a framework; one that nobody knows is refused."""
    if framework not in CATALOGS:
        words = f"framework is one of {', '.join(CATALOGS)}; got {framework!r}"
        raise ConfigurationError(words, parameter="framework", value=framework)
    return CATALOGS[framework]


def controls_for(framework: str, evaluator: str) -> list[Control]:
    """What a check gives evidence of."""
    catalog = catalog_of(framework)
    return [catalog.measurable[key] for key in catalog.by_evaluator.get(evaluator, ())]


def coverage(framework: str, suite_name: str, checks: Iterable[str]) -> CoverageReport:
    """What of a framework these checks show."""
    catalog, names = catalog_of(framework), list(dict.fromkeys(checks))
    shown: dict[str, list[str]] = {}
    for name in names:
        for key in catalog.by_evaluator.get(name, ()):
            shown.setdefault(key, []).append(name)
    return CoverageReport(
        framework,
        suite_name,
        shown,
        [control for key, control in catalog.measurable.items() if key not in shown],
        list(catalog.process.values()),
        sorted(name for name in names if catalog.measurable and name not in catalog.by_evaluator),
    )
