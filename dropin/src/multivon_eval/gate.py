"""`EvalGateFailure`: a suite's gate that stays shut."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ringtrue.reports.gate import FAILED, UNDECIDED, GateFailure

if TYPE_CHECKING:
    from multivon_eval.acceptance import AcceptanceResult
    from multivon_eval.report import EvalReport


class EvalGateFailure(GateFailure):
    """A suite did not pass its gate; uncaught, it ends the process with its message and 1 (failed) or 2 (undecided).

    `code` is what Python makes an exit of: the message, which it prints before it exits with 1, or 2.
    """

    acceptance: AcceptanceResult | None = None
    """The decision of a policy, where one shut the gate."""

    def __init__(
        self, message: str, pass_rate: float | None = None, threshold: float | None = None, code: int = FAILED
    ) -> None:
        super().__init__(message, pass_rate=pass_rate, threshold=threshold, code=code)
        if code == FAILED:
            self.code = message


def gate_words(failure: GateFailure, report: EvalReport, *, blocked_by: str | None, allowed: float | None) -> str:
    """Why a gate is shut, beginning as multivon-eval's message does."""
    words = str(failure).removeprefix("undecided: ").removeprefix("gate failed: ")
    if failure.code != UNDECIDED and failure.pass_rate is not None and failure.threshold is not None:
        return f"Eval failed: pass rate {failure.pass_rate:.1%} < threshold {failure.threshold:.1%}; {words}"
    if blocked_by is not None:
        return f"Eval blocked: {words}; the first error: {blocked_by}"
    budget = (0.0 if failure.threshold is not None else 1.0) if allowed is None else allowed
    if report.error_rate > budget:
        kinds = ", ".join(f"{kind}={count}" for kind, count in report.errors_by_kind.items())
        words = f"error rate {report.error_rate:.1%} exceeds error budget {budget:.1%} ({kinds}); {words}"
    return f"Eval gate INDETERMINATE: {words}"
