"""Every judge's page tells every setting."""

from __future__ import annotations

import inspect
import re
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.judged.claim_verification import ClaimVerificationEvaluator
from ringtrue.evaluators.judged.guidance import GuidanceEvaluator
from ringtrue.evaluators.judged.judge import Judge
from ringtrue.evaluators.judged.judge_panel import JudgePanel
from ringtrue.evaluators.judged.llm_judge import LLMJudge
from ringtrue.evaluators.judged.pairwise_judge import PairwiseJudge
from ringtrue.evaluators.judged.preference_adherence import PreferenceAdherenceEvaluator
from ringtrue.evaluators.judged.question_judge import QuestionJudge
from ringtrue.evaluators.judged.rubric_judge import RubricJudge
from ringtrue.evaluators.judged.semantic_test import SemanticTestEvaluator
from ringtrue.evaluators.judged.tool_usage import ToolUsageEvaluator

DOCS = Path(__file__).parents[3] / "docs"
JUDGES: list[Any] = [
    CheckCriteriaEvaluator,
    ClaimVerificationEvaluator,
    GuidanceEvaluator,
    JudgePanel,
    LLMJudge,
    PairwiseJudge,
    PreferenceAdherenceEvaluator,
    QuestionJudge,
    RubricJudge,
    SemanticTestEvaluator,
    ToolUsageEvaluator,
]


def settings(judge: Any) -> set[str]:
    """What a constructor takes: by name, and in its config where it takes one."""
    named = set(inspect.signature(judge).parameters)
    if "settings" in named:
        named |= {item.name for item in fields(judge.config_class)} | set(inspect.signature(Judge).parameters)
    return named - {"config", "settings"}


@pytest.mark.parametrize("judge", JUDGES, ids=lambda judge: judge.default_name)
def test_a_page_tells_every_setting_and_no_other(judge: Any) -> None:
    page = (DOCS / f"{judge.default_name.replace('_', '-')}.md").read_text("utf-8")
    table = page.split("\n| setting |", 1)[1].split("\n\n", 1)[0]
    told = {
        name
        for row in table.splitlines()
        for name in re.findall(r"`(\w+)`", row.split("|")[1] if row[:1] == "|" else "")
    }
    assert told == settings(judge)
