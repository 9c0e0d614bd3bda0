"""`EvalGateFailure`: a suite's gate that stays shut."""

from __future__ import annotations

from ringtrue.api.gate import FAILED, UNDECIDED, GateFailure


class EvalGateFailure(GateFailure):
    """A suite did not pass its gate; uncaught, it ends the process with `code`: 1 failed, 2 undecided."""

    def __init__(
        self, message: str, pass_rate: float | None = None, threshold: float | None = None, code: int = FAILED
    ) -> None:
        super().__init__(message, pass_rate=pass_rate, threshold=threshold, code=code)


def gate_words(failure: GateFailure, *, blocked_by: str | None) -> str:
    """Why a gate is shut, beginning as multivon-eval's message does."""
    words = str(failure).removeprefix("undecided: ").removeprefix("gate failed: ")
    if failure.code != UNDECIDED and failure.pass_rate is not None and failure.threshold is not None:
        return f"Eval failed: pass rate {failure.pass_rate:.1%} < threshold {failure.threshold:.1%}; {words}"
    if blocked_by is not None:
        return f"Eval blocked: {words}; the first error: {blocked_by}"
    return f"Eval gate INDETERMINATE: {words}"
