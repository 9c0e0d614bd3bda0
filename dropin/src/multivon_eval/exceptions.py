"""The exceptions that multivon-eval's users may catch."""

from __future__ import annotations

from ringtrue import GateFailure
from ringtrue.errors import ConfigurationError, ModelError
from ringtrue.errors import RingtrueError as MultivonError

__all__ = ["EvalGateFailure", "EvaluatorPrereqMissing", "JudgeUnavailable", "MultivonError"]


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


FAILED, UNDECIDED = 1, 2


class EvalGateFailure(GateFailure):
    """A suite did not pass its gate; uncaught, it ends the process with its message and 1 (failed) or 2 (undecided).

    `code` is what Python makes an exit of: the message, which it prints before it exits with 1, or 2.
    """

    def __init__(
        self, message: str, pass_rate: float | None = None, threshold: float | None = None, code: int = FAILED
    ) -> None:
        super().__init__(message, pass_rate=pass_rate, threshold=threshold, code=code)
        if code == FAILED:
            self.code = message
