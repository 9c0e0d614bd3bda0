"""What multivon-eval's code may catch."""

from __future__ import annotations

from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.errors import RingtrueError as MultivonError

__all__ = ["EvaluatorPrereqMissing", "JudgeUnavailable", "MultivonError"]


class JudgeUnavailable(ModelError):
    """A judge could not be reached or read; a check that raises it makes its case a `judge_error`."""

    def __init__(self, message: str, provider: str = "", model: str = "") -> None:
        super().__init__(message, kind="judge_unavailable")
        self.provider, self.model = provider, model


class EvaluatorPrereqMissing(ConfigurationError):
    """An evaluator lacks what it needs."""

    def __init__(self, evaluator: str, missing: str) -> None:
        super().__init__(f"{evaluator} needs {missing}")
        self.evaluator, self.missing = evaluator, missing
