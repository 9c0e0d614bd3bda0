"""The names that the drop-in holds of multivon-eval load when they are used; ringtrue's judges fit beside them."""

from __future__ import annotations

import subprocess
import sys

import multivon_eval
import pytest
from multivon_eval import EvalCase, EvalSuite

from ringtrue.evaluators import (
    CheckCriteriaEvaluator,
    CheckCriteriaEvaluatorConfig,
    LLMJudge,
    QuestionJudge,
    RubricJudge,
)
from ringtrue.evaluators.judged.scripted import scripted_judge


@pytest.mark.parametrize("name", multivon_eval.__all__)
def test_a_name_is_there(name: str) -> None:
    assert getattr(multivon_eval, name) is not None
    assert name in dir(multivon_eval)


def test_a_name_no_one_has_is_an_import_error() -> None:
    with pytest.raises(ImportError, match="NoSuchName"):
        exec("from multivon_eval import NoSuchName")
    assert not hasattr(multivon_eval, "NoSuchName")


def test_importing_the_package_loads_no_part_of_it() -> None:
    code = "import sys, multivon_eval; sys.exit(any(name.startswith('multivon_eval.') for name in sys.modules))"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0


JUDGES = {
    "LLMJudge": (LLMJudge(scripted_judge([{"reasoning": "", "rating": 4}])), 0.75),
    "RubricJudge": (
        RubricJudge(
            levels={"bad": "Wrong.", "good": "Right."}, model=scripted_judge([{"reasoning": "", "level": "good"}])
        ),
        1.0,
    ),
    "CheckCriteriaEvaluator": (
        CheckCriteriaEvaluator(
            config=CheckCriteriaEvaluatorConfig(criteria=["It is short"]),
            model=scripted_judge([{"reasoning": "", "met": "yes", "probability": 0.9}]),
        ),
        0.9,
    ),
    "QuestionJudge": (QuestionJudge(questions=["Is it short?"], model=scripted_judge([{"answer": "yes"}])), 1.0),
}


@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_of_ringtrue_fits_into_a_suite(name: str) -> None:
    judge, score = JUDGES[name]
    suite = EvalSuite("judged").add_case(EvalCase("2 + 2?")).add_evaluator(judge)
    report = suite.run(lambda question: "4", verbose=False)
    assert list(report.scores_by_evaluator().values()) == [score]
