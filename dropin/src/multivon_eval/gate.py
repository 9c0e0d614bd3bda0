"""`EvalGateFailure`: a suite's results are not good enough, or not complete enough to tell."""

from __future__ import annotations

from ringtrue import GateFailure

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
