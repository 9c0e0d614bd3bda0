"""The gate of a suite: what its numbers mean for the process that ran it."""

from __future__ import annotations

from ringtrue.errors import RingtrueError
from ringtrue.reports.number import count, number, with_limit

FAILED, UNDECIDED = 1, 2


class GateFailure(RingtrueError, SystemExit):
    """A suite did not pass its gate; uncaught, it ends the process with `code`: 1 failed, 2 undecided."""

    def __init__(self, message: str, *, pass_rate: float | None, threshold: float | None, code: int) -> None:
        super().__init__(message)
        self.pass_rate = pass_rate
        self.threshold = threshold
        self.code = code


def gate_failure(
    *, passed: int, failed: int, errors: int, skipped: int, threshold: float | None, max_error_rate: float | None
) -> GateFailure | None:
    """Return why the gate fails, or None if it passes.

    It fails (1) where no outcome of the cases without a verdict could save it. It is undecided (2) where nothing was
    evaluated, where a case was skipped, or where errors exceed `max_error_rate`, which is 0 once a threshold is set.
    """
    total, evaluated = passed + failed + errors + skipped, passed + failed
    rate = passed / evaluated if evaluated else None

    def shut(words: str, code: int) -> GateFailure:
        return GateFailure(words, pass_rate=rate, threshold=threshold, code=code)

    allowed = max_error_rate if max_error_rate is not None else (0.0 if threshold is not None else 1.0)
    if threshold is not None:
        wanted = f"a pass rate of {number(threshold, 'share', marked=True)} is asked for"
        if total and (passed + errors + skipped) / total < threshold:
            return shut(f"gate failed: {passed:,} of {evaluated:,} evaluated cases passed; {wanted}", FAILED)
        if not evaluated:
            return shut(
                f"undecided: no case was evaluated ({errors:,} errors, {skipped:,} skipped); {wanted}", UNDECIDED
            )
        if skipped:
            return shut(f"undecided: {skipped:,} of {total:,} cases were skipped; {wanted}", UNDECIDED)
    if total and errors / total > allowed:
        most = number(allowed, "share", marked=True)
        return shut(
            f"undecided: {errors:,} of {total:,} cases ended in errors; an error rate of {most} is allowed", UNDECIDED
        )
    if threshold is not None and rate is not None and rate < threshold:
        shown, least = with_limit(rate, threshold, "share")
        return shut(
            f"gate failed: the pass rate is {shown} over {count(evaluated, 'case')}; {least} is asked for", FAILED
        )
    return None
