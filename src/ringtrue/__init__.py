"""Measure how often an LLM system is right, what it costs, and how sure you can be of the number.

Public names load when they are first used; importing this package does nothing else.
"""

from __future__ import annotations

from ringtrue._lazy import exports
from ringtrue._version import __version__ as __version__

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.api.assess import assess as assess
    from ringtrue.api.assess import assess_sync as assess_sync
    from ringtrue.api.calibrate import calibrate as calibrate
    from ringtrue.api.calibrated import Calibrated as Calibrated
    from ringtrue.api.compare import compare as compare
    from ringtrue.api.evaluate import aevaluate as aevaluate
    from ringtrue.api.evaluate import evaluate as evaluate
    from ringtrue.api.runs import open_run as open_run
    from ringtrue.api.runs import rescore as rescore
    from ringtrue.api.score_file import score_file as score_file
    from ringtrue.authoring.make_cases import make_cases as make_cases
    from ringtrue.authoring.personas import Persona as Persona
    from ringtrue.authoring.simulation import Conversation as Conversation
    from ringtrue.authoring.simulation import simulate as simulate
    from ringtrue.dialects.dicts import DictEvaluator
    from ringtrue.dialects.evaluation_output import EvaluationOutput as EvaluationOutput
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
    from ringtrue.reports.case_result import CaseResult as CaseResult
    from ringtrue.reports.case_result import EvalStatus as EvalStatus
    from ringtrue.reports.eval_report import EvalReport as EvalReport
    from ringtrue.reports.eval_result import EvalResult as EvalResult
    from ringtrue.reports.gating.suite_gate import GateFailure as GateFailure
    from ringtrue.reports.otel_events import export_otel as export_otel
    from ringtrue.suites.assertions import EvaluatorFailure as EvaluatorFailure
    from ringtrue.suites.assertions import assert_evaluators as assert_evaluators
    from ringtrue.suites.load import load_suite as load_suite
    from ringtrue.suites.suite import EvalSuite as EvalSuite
    from ringtrue.systems.system import DictSystem

    System = DictSystem

    Evaluator = DictEvaluator

_NAMES = {
    "Calibrated": "ringtrue.api.calibrated",
    "Case": "ringtrue.records",
    "CaseResult": "ringtrue.reports.case_result",
    "CheckResult": "ringtrue.dialects.suite",
    "Conversation": "ringtrue.authoring.simulation",
    "EvalCase": "ringtrue.dialects.suite",
    "EvalReport": "ringtrue.reports.eval_report",
    "EvalResult": "ringtrue.reports.eval_result",
    "EvalRow": "ringtrue.records",
    "EvalStatus": "ringtrue.reports.case_result",
    "EvalSuite": "ringtrue.suites.suite",
    "Evaluator": "ringtrue.dialects.dicts:DictEvaluator",
    "EvaluationOutput": "ringtrue.dialects.evaluation_output",
    "EvaluatorFailure": "ringtrue.suites.assertions",
    "GateFailure": "ringtrue.reports.gating.suite_gate",
    "Output": "ringtrue.records",
    "Persona": "ringtrue.authoring.personas",
    "Row": "ringtrue.records",
    "Run": "ringtrue.records",
    "Score": "ringtrue.records",
    "Summary": "ringtrue.records",
    "Trial": "ringtrue.records",
    "System": "ringtrue.systems.system:DictSystem",
    "aevaluate": "ringtrue.api.evaluate",
    "as_evaluator": "ringtrue.evaluators.adapt",
    "assert_evaluators": "ringtrue.suites.assertions",
    "assess": "ringtrue.api.assess",
    "assess_sync": "ringtrue.api.assess",
    "calibrate": "ringtrue.api.calibrate",
    "compare": "ringtrue.api.compare",
    "evaluate": "ringtrue.api.evaluate",
    "export_otel": "ringtrue.reports.otel_events",
    "load_suite": "ringtrue.suites.load",
    "make_cases": "ringtrue.authoring.make_cases",
    "open_run": "ringtrue.api.runs",
    "rescore": "ringtrue.api.runs",
    "score_file": "ringtrue.api.score_file",
    "simulate": "ringtrue.authoring.simulation",
}

__getattr__, __dir__, __all__ = exports(__name__, _NAMES, "__version__")
