"""ringtrue tells you whether what an LLM system says is right, what it costs, and how sure you may be.

Public names load when they are first used; importing this package does nothing else.
"""

from __future__ import annotations

from importlib import import_module

from ringtrue._version import __version__ as __version__

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.api.assertions import EvaluatorFailure as EvaluatorFailure
    from ringtrue.api.assertions import assert_evaluators as assert_evaluators
    from ringtrue.api.assessment import assess as assess
    from ringtrue.api.assessment import assess_sync as assess_sync
    from ringtrue.api.calibration import Calibrated as Calibrated
    from ringtrue.api.calibration import calibrate as calibrate
    from ringtrue.api.case_result import CaseResult as CaseResult
    from ringtrue.api.case_result import EvalStatus as EvalStatus
    from ringtrue.api.evaluation import aevaluate as aevaluate
    from ringtrue.api.evaluation import evaluate as evaluate
    from ringtrue.api.files import score_file as score_file
    from ringtrue.api.gate import GateFailure as GateFailure
    from ringtrue.api.making.cases import make_cases as make_cases
    from ringtrue.api.making.people import Persona as Persona
    from ringtrue.api.making.simulation import Conversation as Conversation
    from ringtrue.api.making.simulation import simulate as simulate
    from ringtrue.api.report import EvalReport as EvalReport
    from ringtrue.api.result import EvalResult as EvalResult
    from ringtrue.api.stored import rescore as rescore
    from ringtrue.api.suite import EvalSuite as EvalSuite
    from ringtrue.api.suite_file import load_suite as load_suite
    from ringtrue.dialects.assessed import EvaluationOutput as EvaluationOutput
    from ringtrue.dialects.dicts import Evaluator as Evaluator
    from ringtrue.dialects.suite import CheckResult as CheckResult
    from ringtrue.dialects.suite import EvalCase as EvalCase
    from ringtrue.evaluators.adapt import as_evaluator as as_evaluator
    from ringtrue.records import Case as Case
    from ringtrue.records import EvalRow as EvalRow
    from ringtrue.records import Output as Output
    from ringtrue.records import Row as Row
    from ringtrue.records import Run as Run
    from ringtrue.records import Score as Score
    from ringtrue.records import Summary as Summary
    from ringtrue.records import Trial as Trial
    from ringtrue.systems.answering import System as System

_NAMES = {
    "Calibrated": "ringtrue.api.calibration",
    "Case": "ringtrue.records",
    "CaseResult": "ringtrue.api.case_result",
    "CheckResult": "ringtrue.dialects.suite",
    "Conversation": "ringtrue.api.making.simulation",
    "EvalCase": "ringtrue.dialects.suite",
    "EvalReport": "ringtrue.api.report",
    "EvalResult": "ringtrue.api.result",
    "EvalRow": "ringtrue.records",
    "EvalStatus": "ringtrue.api.case_result",
    "EvalSuite": "ringtrue.api.suite",
    "Evaluator": "ringtrue.dialects.dicts",
    "EvaluationOutput": "ringtrue.dialects.assessed",
    "EvaluatorFailure": "ringtrue.api.assertions",
    "GateFailure": "ringtrue.api.gate",
    "Output": "ringtrue.records",
    "Persona": "ringtrue.api.making.people",
    "Row": "ringtrue.records",
    "Run": "ringtrue.records",
    "Score": "ringtrue.records",
    "Summary": "ringtrue.records",
    "Trial": "ringtrue.records",
    "System": "ringtrue.systems.answering",
    "aevaluate": "ringtrue.api.evaluation",
    "as_evaluator": "ringtrue.evaluators.adapt",
    "assert_evaluators": "ringtrue.api.assertions",
    "assess": "ringtrue.api.assessment",
    "assess_sync": "ringtrue.api.assessment",
    "calibrate": "ringtrue.api.calibration",
    "evaluate": "ringtrue.api.evaluation",
    "load_suite": "ringtrue.api.suite_file",
    "make_cases": "ringtrue.api.making.cases",
    "rescore": "ringtrue.api.stored",
    "score_file": "ringtrue.api.files",
    "simulate": "ringtrue.api.making.simulation",
}

__all__ = sorted(["__version__", *_NAMES])


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module 'ringtrue' has no attribute {name!r}")
    return getattr(import_module(_NAMES[name]), name)


def __dir__() -> list[str]:
    return __all__
