"""Judged evaluators as the command line names them."""

from __future__ import annotations

import pytest

from ringtrue.evaluators.judged.check_criteria import CheckCriteriaEvaluator
from ringtrue.evaluators.spec import build

SPECS = [
    ("check_criteria(criteria=['It is short'], passed_threshold=80, model='gpt-5-mini')", "check_criteria"),
    ("check_criteria(criteria=['It is short'], name='short')", "short"),
    ("llm_judge('http://localhost:9090', model='gpt-4')", "llm_judge"),
    ("claim_verification(votes=3, verification_model='large')", "claim_verification"),
    ("tool_usage(tool_thresholds={'search': 70})", "tool_usage"),
    ("guidance(capability_manifest='Can add.')", "guidance"),
    ("preference_adherence", "preference_adherence"),
    ("question_judge(questions=['Is it short?', ['Is it rude?', False]])", "question_judge"),
    ("rubric_judge(levels={'bad': 'wrong', 'good': 'right'})", "rubric_judge"),
    ("semantic_test(steps='look', rubric={'a': '100 points', 'score': 'number'})", "semantic_test"),
    ("pairwise_judge(baseline_field='other')", "pairwise_judge"),
    ("judge_panel([llm_judge('http://localhost:1'), llm_judge('http://localhost:2')])", "judge_panel"),
]


def test_a_setting_may_hold_any_text() -> None:
    one, other = (CheckCriteriaEvaluator(criteria=[text]) for text in ("\ud800", "\ud801"))
    assert one.signature() != other.signature()
    one.signature().encode()


@pytest.mark.parametrize(("spec", "name"), SPECS, ids=[spec.partition("(")[0] for spec, _ in SPECS])
def test_specs(spec: str, name: str) -> None:
    evaluator = build(spec)
    assert evaluator.name == name
    assert evaluator.keys
    assert evaluator.signature() == build(spec).signature()
