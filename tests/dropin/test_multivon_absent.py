"""A name the drop-in lacks can be imported beside those it has; using it says what to use, and never gives a result."""

from __future__ import annotations

import importlib
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import multivon_eval
import pytest
from multivon_eval import EvalCase, EvalSuite, NotEmpty
from multivon_eval.absent import _ERRORS, _NAMES, PAGE, Absent, NotInDropin, absent_names
from multivon_eval.evaluators.base import Evaluator

import ringtrue.evaluators
from ringtrue.evaluators import (
    CheckCriteriaEvaluator,
    CheckCriteriaEvaluatorConfig,
    LLMJudge,
    QuestionJudge,
    RubricJudge,
)
from ringtrue.evaluators.judged.verdicts import verdicts

NAMES = absent_names("multivon_eval")
MODULES = [home for home in _NAMES if home]
ERRORS = sorted(_ERRORS)


@pytest.mark.parametrize("name", NAMES)
def test_a_name_can_be_imported_and_not_called(name: str) -> None:
    found = getattr(multivon_eval, name)
    assert isinstance(found, Absent)
    with pytest.raises(NotInDropin, match=re.escape(f"has no {name}: ")) as caught:
        found("any", setting=1)
    assert (caught.value.missing, caught.value.advice) == (name, NAMES[name])
    assert str(caught.value).endswith(f"see {PAGE}")


def test_nothing_that_is_there_is_called_absent() -> None:
    assert not set(NAMES) & set(multivon_eval.__all__)
    for module in MODULES:
        found = vars(importlib.import_module(f"multivon_eval.{module}"))
        assert not set(absent_names(f"multivon_eval.{module}")) & set(found)


@pytest.mark.parametrize("module", MODULES)
def test_a_documented_module_has_the_same_names_as_the_top(module: str) -> None:
    found = importlib.import_module(f"multivon_eval.{module}")
    names = absent_names(found.__name__)
    assert names
    assert all(getattr(found, name) is getattr(multivon_eval, name) for name in names)
    with pytest.raises(AttributeError, match="no_such_name"):
        _ = found.no_such_name


def test_one_absent_name_costs_no_other() -> None:
    space: dict[str, Any] = {}
    exec("from multivon_eval import Contains, PromptRecorder, simulate, load_traces", space)
    assert space["Contains"](["a"]).evaluate(EvalCase("q"), "a").passed


def test_a_name_nobody_has_is_an_import_error() -> None:
    with pytest.raises(ImportError, match="PromptRecorde"):
        exec("from multivon_eval import PromptRecorde")


USES = {
    "attribute": lambda name: name.from_env,
    "item": lambda name: name["key"],
    "membership": lambda name: "key" in name,
    "iteration": list,
    "subclass": lambda name: type(name)("Mine", (name,), {})(),
    "subclass with its own constructor": lambda name: type(name)("Mine", (name,), {"__init__": lambda self: None})(),
    "subclass that is a check, too": lambda name: type(name)("Mine", (name, Evaluator), {})(),
}


@pytest.mark.parametrize("use", USES)
def test_no_use_gives_a_value(use: str) -> None:
    with pytest.raises(NotInDropin, match="PromptRecorder"):
        USES[use](multivon_eval.PromptRecorder)


def test_a_name_may_stand_where_a_class_stands() -> None:
    from multivon_eval import Persona, PromptRecorder

    assert not isinstance(NotEmpty(), PromptRecorder)
    assert not isinstance(PromptRecorder, Evaluator)
    assert not issubclass(PromptRecorder, Evaluator)
    assert not issubclass(NotEmpty, PromptRecorder)
    assert (Persona | None) is not None
    assert list[Persona]
    assert not hasattr(PromptRecorder, "record")
    assert PromptRecorder.__name__ == "PromptRecorder"
    assert "Not here" in (PromptRecorder.__doc__ or "")


@pytest.mark.parametrize("name", ERRORS)
def test_an_absent_exception_may_stand_in_an_except_clause(name: str) -> None:
    kind: type[Exception] = getattr(multivon_eval, name)
    try:
        raise ZeroDivisionError
    except kind:
        pytest.fail("it catches what it is not")
    except ZeroDivisionError:
        pass
    with pytest.raises(NotInDropin):
        raise kind
    assert not issubclass(NotInDropin, kind)


def test_absent_exceptions_are_those_that_are_announced() -> None:
    assert [name for name in sorted(NAMES) if issubclass(getattr(multivon_eval, name), Exception)] == ERRORS


def test_the_refusal_survives_a_process_border() -> None:
    error = NotInDropin("GEval", "use another")
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.missing, again.advice) == (str(error), "GEval", "use another")


def test_advice_names_what_ringtrue_has() -> None:
    texts = set(NAMES.values())
    for path in {path for text in texts for path in re.findall(r"ringtrue(?:\.\w+)+", text)}:
        module, _, name = path.rpartition(".")
        try:
            assert hasattr(importlib.import_module(module), name), path
        except ModuleNotFoundError:
            pytest.fail(path)
    judges = [name for text in texts for name in re.findall(r"\b[A-Z]\w+(?:Judge|Evaluator|Match)\b", text)]
    assert set(judges) <= set(ringtrue.evaluators.__all__)


JUDGES = {
    "LLMJudge": (LLMJudge(verdicts([{"reasoning": "", "rating": 4}])), 0.75),
    "RubricJudge": (
        RubricJudge(levels={"bad": "Wrong.", "good": "Right."}, model=verdicts([{"reasoning": "", "level": "good"}])),
        1.0,
    ),
    "CheckCriteriaEvaluator": (
        CheckCriteriaEvaluator(
            config=CheckCriteriaEvaluatorConfig(criteria=["It is short"]),
            model=verdicts([{"reasoning": "", "met": "yes", "probability": 0.9}]),
        ),
        0.9,
    ),
    "QuestionJudge": (QuestionJudge(questions=["Is it short?"], model=verdicts([{"answer": "yes"}])), 1.0),
}


@pytest.mark.parametrize("name", JUDGES)
def test_a_judge_of_ringtrue_fits_into_a_suite(name: str) -> None:
    judge, score = JUDGES[name]
    suite = EvalSuite("judged").add_case(EvalCase("2 + 2?")).add_evaluator(judge)
    report = suite.run(lambda question: "4", verbose=False)
    assert list(report.scores_by_evaluator().values()) == [score]


def test_the_page_is_there() -> None:
    assert (Path(__file__).parent.parent.parent / PAGE).is_file()


def test_importing_the_package_does_not_build_the_table() -> None:
    code = "import sys, multivon_eval; sys.exit('multivon_eval.absent' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], timeout=60).returncode == 0
