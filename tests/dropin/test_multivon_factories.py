"""Suites made for a purpose have the documented checks, and no judge is asked to make them."""

from __future__ import annotations

from typing import Any

import pytest
from multivon_eval import EvalSuite

JUDGED = {
    "for_rag": "NotEmpty Faithfulness Hallucination ContextPrecision ContextRecall Relevance",
    "for_agents": "ToolCallAccuracy ToolCallNecessity TrajectoryEfficiency PlanQuality TaskCompletion",
    "for_support_bot": "NotEmpty Faithfulness Relevance Coherence Toxicity",
    "for_summarization": "NotEmpty Faithfulness Coherence Relevance Summarization",
    "for_document_intelligence": "NotEmpty Faithfulness AnswerAccuracy",
    "for_regulated": "PIIEvaluator NotEmpty Faithfulness Relevance",
    "eu_ai_act_high_risk": "NotEmpty Faithfulness Hallucination Relevance Toxicity Bias PIIEvaluator",
    "hipaa_safe_harbor": "PIIEvaluator NotEmpty Faithfulness Hallucination AnswerAccuracy",
    "for_chatbot": "ConversationRelevance KnowledgeRetention TurnConsistency ConversationCompleteness",
    "for_classification": "NotEmpty ExactMatch AnswerAccuracy",
    "for_coding": "NotEmpty ExactMatch AnswerAccuracy ROUGE",
    "for_medical": "PIIEvaluator NotEmpty Faithfulness AnswerAccuracy Hallucination",
    "for_legal": "NotEmpty Faithfulness Hallucination AnswerAccuracy Bias",
    "for_financial": "NotEmpty Faithfulness Hallucination AnswerAccuracy PIIEvaluator",
}


def kinds(suite: EvalSuite) -> list[str]:
    return [type(evaluator).__name__ for evaluator in suite.evaluators]


@pytest.mark.parametrize("name", JUDGED)
def test_documented_checks(name: str) -> None:
    suite = getattr(EvalSuite, name)()
    assert (type(suite), kinds(suite)) == (EvalSuite, JUDGED[name].split())
    assert getattr(EvalSuite, name)("mine").name == "mine"


@pytest.mark.parametrize(
    ("name", "settings", "place", "found"),
    [
        ("for_rag", {"threshold": 0.5}, 1, {"threshold": 0.5}),
        ("for_agents", {"require_order": True}, 0, {"require_order": True}),
        ("for_regulated", {"jurisdiction": "gdpr"}, 0, {"jurisdiction": "gdpr", "redact": True}),
        ("for_regulated", {"schema": {"type": "object"}}, -1, {"schema": {"type": "object"}, "strict": True}),
        ("for_document_intelligence", {"schema": {"type": "object"}}, -1, {"strict": False}),
        ("hipaa_safe_harbor", {"schema": {"type": "object"}}, -1, {"strict": True}),
        ("for_financial", {}, -1, {"jurisdiction": "all", "redact": False}),
        ("for_medical", {}, 0, {"jurisdiction": "hipaa"}),
        ("for_coding", {"language": "rust"}, 0, {}),
    ],
    ids=["threshold", "order", "law", "schema", "loose-schema", "strict-schema", "all", "hipaa", "language"],
)
def test_settings_reach_the_checks(name: str, settings: dict[str, Any], place: int, found: dict[str, Any]) -> None:
    check = getattr(EvalSuite, name)(**settings).evaluators[place]
    assert {key: getattr(check, key) for key in found} == found


def test_a_suite_of_ones_own_kind_stays_of_that_kind() -> None:
    class Mine(EvalSuite):
        pass

    assert isinstance(Mine.for_legal(), Mine)
