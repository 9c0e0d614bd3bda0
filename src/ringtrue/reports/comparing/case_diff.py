"""`CaseDiff`: one case in two reports of a suite."""

from __future__ import annotations

from dataclasses import dataclass

from ringtrue.records import CaseId, Json

PASSED, FAILED = "passed", "failed_quality"
"""The statuses that are verdicts."""
SKIPPED = "skipped"


@dataclass
class CaseDiff:
    """One case in both reports."""

    case_input: str
    baseline_status: str
    proposal_status: str
    baseline_score: float | None
    proposal_score: float | None
    case_id: CaseId | None = None

    @property
    def direction(self) -> str:
        """`improved`, `regressed` or `unchanged`; without two verdicts nothing is known to have changed."""
        before, after = self.baseline_status == PASSED, self.proposal_status == PASSED
        if not self.has_verdicts or before == after:
            return "unchanged"
        return "improved" if after else "regressed"

    @property
    def is_skipped(self) -> bool:
        """Whether there was nothing to measure in either report."""
        return self.baseline_status == self.proposal_status == SKIPPED

    @property
    def has_verdicts(self) -> bool:
        """Whether both reports have a verdict."""
        return {self.baseline_status, self.proposal_status} <= {PASSED, FAILED}

    def record(self) -> dict[str, Json]:
        """The case as plain values."""
        return {
            "input": self.case_input,
            "case_id": self.case_id,
            "baseline_status": str(self.baseline_status),
            "proposal_status": str(self.proposal_status),
            "baseline_score": self.baseline_score,
            "proposal_score": self.proposal_score,
        }
