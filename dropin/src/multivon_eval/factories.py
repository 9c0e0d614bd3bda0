"""Suites made for a purpose: the checks that such a system wants, ready for cases."""

from __future__ import annotations

from typing import Any, Self


def _checks(*wanted: str | tuple[str, dict[str, Any]]) -> list[Any]:
    from multivon_eval import evaluators  # judges are loaded where they are wanted

    named = [(item, {}) if isinstance(item, str) else item for item in wanted]
    return [getattr(evaluators, name)(**settings) for name, settings in named]


def _schema(schema: Any, **settings: Any) -> list[tuple[str, dict[str, Any]]]:
    return [] if schema is None else [("SchemaEvaluator", {"schema": schema, **settings})]


def _personal(jurisdiction: str) -> tuple[str, dict[str, Any]]:
    return "PIIEvaluator", {"jurisdiction": jurisdiction, "redact": True}


class Purposes:
    """What makes a suite for a purpose; most of its checks ask a judge."""

    @classmethod
    def for_rag(cls, name: str = "RAG Eval", *, threshold: float = 0.85) -> Self:
        """Answers from retrieved texts: true to them, to the point, and with the right texts found."""
        judged = ("Faithfulness", "Hallucination", "ContextPrecision", "ContextRecall", "Relevance")
        return cls._of(name, "NotEmpty", *((judge, {"threshold": threshold}) for judge in judged))

    @classmethod
    def for_agents(cls, name: str = "Agent Eval", *, require_order: bool = False) -> Self:
        """Agents: the right tools, none in vain, a good plan, and the task done."""
        tools = ("ToolCallAccuracy", {"require_order": require_order})
        return cls._of(name, tools, "ToolCallNecessity", "TrajectoryEfficiency", "PlanQuality", "TaskCompletion")

    @classmethod
    def for_support_bot(cls, name: str = "Support Bot Eval") -> Self:
        """Support: true to the help texts, to the point, clear and polite."""
        return cls._of(name, "NotEmpty", "Faithfulness", "Relevance", "Coherence", "Toxicity")

    @classmethod
    def for_summarization(cls, name: str = "Summarization Eval") -> Self:
        """Summaries: true to the text, clear, and with what matters."""
        return cls._of(name, "NotEmpty", "Faithfulness", "Coherence", "Relevance", "Summarization")

    @classmethod
    def for_document_intelligence(cls, name: str = "Document Intelligence Eval", schema: Any = None) -> Self:
        """What is read from documents: true to them, right, and of a shape if one is given."""
        return cls._of(name, "NotEmpty", "Faithfulness", "AnswerAccuracy", *_schema(schema))

    @classmethod
    def for_regulated(cls, name: str = "Regulated AI Eval", *, jurisdiction: str = "hipaa", schema: Any = None) -> Self:
        """Where rules bind: no personal data, true to the sources, to the point."""
        checks = (_personal(jurisdiction), "NotEmpty", "Faithfulness", "Relevance")
        return cls._of(name, *checks, *_schema(schema, strict=True))

    @classmethod
    def eu_ai_act_high_risk(
        cls, name: str = "EU AI Act High-Risk Eval", *, jurisdiction: str = "gdpr", schema: Any = None
    ) -> Self:
        """High-risk systems: true, to the point, without insults, bias and personal data."""
        judged = ("Faithfulness", "Hallucination", "Relevance", "Toxicity", "Bias")
        return cls._of(name, "NotEmpty", *judged, _personal(jurisdiction), *_schema(schema, strict=True))

    @classmethod
    def hipaa_safe_harbor(cls, name: str = "HIPAA Safe Harbor Eval", *, schema: Any = None) -> Self:
        """Health data: none of the named identifiers, true to the sources, right."""
        judged = ("Faithfulness", "Hallucination", "AnswerAccuracy")
        return cls._of(name, _personal("hipaa"), "NotEmpty", *judged, *_schema(schema, strict=True))

    @classmethod
    def for_chatbot(cls, name: str = "Chatbot Eval") -> Self:
        """Conversations: to the point, with memory, without contradictions, to the end."""
        judged = ("ConversationRelevance", "KnowledgeRetention", "TurnConsistency", "ConversationCompleteness")
        return cls._of(name, *judged)

    @classmethod
    def for_classification(cls, name: str = "Classification Eval") -> Self:
        """Labels: the expected one, or one that means the same."""
        return cls._of(name, "NotEmpty", "ExactMatch", "AnswerAccuracy")

    @classmethod
    def for_coding(cls, name: str = "Coding Agent Eval", *, language: str = "python") -> Self:
        """Code against expected code; the language changes nothing."""
        return cls._of(name, "NotEmpty", "ExactMatch", "AnswerAccuracy", "ROUGE")

    @classmethod
    def for_medical(cls, name: str = "Medical AI Eval", *, jurisdiction: str = "hipaa") -> Self:
        """Medicine: no personal data, true to the sources, right."""
        return cls._of(name, _personal(jurisdiction), "NotEmpty", "Faithfulness", "AnswerAccuracy", "Hallucination")

    @classmethod
    def for_legal(cls, name: str = "Legal AI Eval") -> Self:
        """Law: true to the sources, right, without bias."""
        return cls._of(name, "NotEmpty", "Faithfulness", "Hallucination", "AnswerAccuracy", "Bias")

    @classmethod
    def for_financial(cls, name: str = "Financial AI Eval") -> Self:
        """Finance: true to the sources, right, no personal data."""
        personal = ("PIIEvaluator", {"jurisdiction": "all"})
        return cls._of(name, "NotEmpty", "Faithfulness", "Hallucination", "AnswerAccuracy", personal)

    @classmethod
    def _of(cls, name: str, *wanted: str | tuple[str, dict[str, Any]]) -> Self:
        suite: Any = cls(name)  # type: ignore[call-arg]  # which is a suite's
        return suite.add_evaluators(*_checks(*wanted))  # type: ignore[no-any-return]
