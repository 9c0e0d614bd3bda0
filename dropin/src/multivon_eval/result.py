"""The results of a suite, under the path multivon-eval's code imports them from."""

from __future__ import annotations

from multivon_eval.case_result import ERROR_STATUSES, EVALUATION_STATUSES, CaseResult, EvalResult, EvalStatus
from multivon_eval.exceptions import EvalGateFailure
from multivon_eval.report import EvalReport

__all__ = [
    "ERROR_STATUSES",
    "EVALUATION_STATUSES",
    "CaseResult",
    "EvalGateFailure",
    "EvalReport",
    "EvalResult",
    "EvalStatus",
]
