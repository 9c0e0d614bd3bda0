"""How steady the judges are: some cases are judged once more."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

from multivon_eval.case import EvalCase
from multivon_eval.case_result import CaseResult
from multivon_eval.judge import RELIABILITY_SAMPLE, fresh_judgements, get_global_judge


def judge_reliability(
    evaluators: Sequence[Any], cases: Sequence[EvalCase], results: Sequence[CaseResult]
) -> float | None:
    """The share of verdicts that are the same the second time, in a few cases; None unless `configure` asks for it."""
    wanted = get_global_judge()
    if not wanted.reliability_check:
        return None
    measured = [(case, found) for case, found in zip(cases, results, strict=True) if found.evaluated]
    most = RELIABILITY_SAMPLE if wanted.reliability_sample is None else wanted.reliability_sample
    judges = [one for one in evaluators if getattr(one, "uses_llm_judge", False)]
    same = [
        again
        for case, found in random.Random(0).sample(measured, min(most, len(measured)))
        for judge in judges
        if (again := _again(judge, case, found)) is not None
    ]
    return round(sum(same) / len(same), 4) if same else None


def _again(judge: Any, case: EvalCase, found: CaseResult) -> bool | None:
    first = next((one for one in found.measured if one.evaluator == judge.name), None)
    if first is None:
        return None
    try:
        with fresh_judgements():
            second = judge.evaluate(case, found.actual_output)
    except Exception:  # a judge that fails now says nothing about its verdicts
        return None
    return None if second.status != "scored" else second.passed == first.passed
