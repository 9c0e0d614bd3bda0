"""What multivon-eval's code may catch."""

from __future__ import annotations

from multivon_eval.absent import absent_from

__getattr__ = absent_from(__name__)


class MultivonError(Exception):
    """Everything multivon-eval raises on purpose."""


class JudgeUnavailable(MultivonError):
    """A judge could not be reached or read; a check that raises it makes its case a `judge_error`."""

    def __init__(self, message: str, provider: str = "", model: str = "") -> None:
        super().__init__(message)
        self.provider, self.model = provider, model


class EvaluatorPrereqMissing(MultivonError):
    """An evaluator lacks what it needs."""

    def __init__(self, evaluator: str, missing: str) -> None:
        super().__init__(f"{evaluator} needs {missing}")
        self.evaluator, self.missing = evaluator, missing
