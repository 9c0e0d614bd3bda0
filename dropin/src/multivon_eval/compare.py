"""`compare_reports`: what changed between two reports, case by case."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multivon_eval.case_result import EVALUATION_STATUSES, CaseResult, EvalStatus
from ringtrue.metrics.differences import mcnemar
from ringtrue.reports.table import printable

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

__all__ = ["CaseDiff", "ReportDiff", "compare_reports"]

SIGNIFICANT = 0.05
_NUMBERS = {
    "name": "suite_name",
    "pass_rate": "pass_rate",
    "avg_score": "avg_score",
    "errors": "errors",
    "flaky": "flaky_count",
}
"""What is told of either report -> where it says so."""


@dataclass
class CaseDiff:
    """One case in both reports."""

    case_input: str
    baseline_status: EvalStatus
    proposal_status: EvalStatus
    baseline_score: float
    proposal_score: float
    case_id: str | None = None

    @property
    def score_delta(self) -> float:
        """How much the score rose."""
        return self.proposal_score - self.baseline_score

    @property
    def direction(self) -> str:
        """`improved`, `regressed` or `unchanged`; without two verdicts nothing is known to have changed."""
        passed = [status is EvalStatus.PASSED for status in (self.baseline_status, self.proposal_status)]
        if not self.evaluated or passed[0] == passed[1]:
            return "unchanged"
        return "improved" if passed[1] else "regressed"

    @property
    def evaluated(self) -> bool:
        """Whether both reports have a verdict."""
        return {self.baseline_status, self.proposal_status} <= EVALUATION_STATUSES


@dataclass
class ReportDiff:
    """What changed from a baseline to a proposal; `mcnemar_p` is None where cases could not be told apart."""

    baseline_name: str
    proposal_name: str
    baseline_pass_rate: float
    proposal_pass_rate: float
    baseline_avg_score: float
    proposal_avg_score: float
    baseline_errors: int
    proposal_errors: int
    baseline_flaky: int
    proposal_flaky: int
    paired: list[CaseDiff] = field(default_factory=list)
    added: list[CaseResult] = field(default_factory=list)
    removed: list[CaseResult] = field(default_factory=list)
    mcnemar_p: float | None = None
    identity_issues: list[str] = field(default_factory=list)

    @property
    def pass_rate_delta(self) -> float:
        """How much the pass rate rose."""
        return self.proposal_pass_rate - self.baseline_pass_rate

    @property
    def avg_score_delta(self) -> float:
        """How much the mean score rose."""
        return self.proposal_avg_score - self.baseline_avg_score

    @property
    def errors_delta(self) -> int:
        """How many more cases broke."""
        return self.proposal_errors - self.baseline_errors

    @property
    def flaky_delta(self) -> int:
        """How many more cases pass only sometimes."""
        return self.proposal_flaky - self.baseline_flaky

    @property
    def regressions(self) -> list[CaseDiff]:
        """The cases that passed and fail now."""
        return self._went("regressed")

    @property
    def improvements(self) -> list[CaseDiff]:
        """The cases that failed and pass now."""
        return self._went("improved")

    @property
    def unchanged(self) -> list[CaseDiff]:
        """All other cases of both reports."""
        return self._went("unchanged")

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values."""
        sides: dict[str, Any] = {
            side: {name: getattr(self, f"{side}_{name}") for name in _NUMBERS} for side in ("baseline", "proposal")
        }
        return sides | {
            "deltas": {name: after - before for name, before, after in self._rows()},
            "paired_count": len(self.paired),
            "identity_verified": not self.identity_issues,
            "identity_issues": self.identity_issues,
            "regressions": [_record(case) for case in self.regressions],
            "improvements": [_record(case) for case in self.improvements],
            "added_count": len(self.added),
            "removed_count": len(self.removed),
            "mcnemar_p": self.mcnemar_p,
        }

    def to_text(self) -> str:
        """The comparison in lines."""
        lines = [f"baseline: {printable(self.baseline_name)}", f"proposal: {printable(self.proposal_name)}", ""]
        lines += [
            f"{name}: {before:.4g} -> {after:.4g} ({after - before:+.4g})" for name, before, after in self._rows()
        ]
        for title, mark, cases in (("Regressions", "-", self.regressions), ("Improvements", "+", self.improvements)):
            lines += ["", f"{title} ({len(cases)}):", *(f"  {mark} {_told(case)}" for case in cases)] if cases else []
        return "\n".join([*lines, "", *self._verdict()])

    def to_markdown(self) -> str:
        """The comparison as Markdown; text from outside is indented, and so never markup."""
        lines = ["## Eval comparison", "", "| | baseline | proposal | change |", "|---|---:|---:|---:|"]
        lines += [
            f"| {name} | {before:.4g} | {after:.4g} | {after - before:+.4g} |" for name, before, after in self._rows()
        ]
        for title, cases in (("Regressions", self.regressions), ("Improvements", self.improvements)):
            lines += ["", f"### {title} ({len(cases)})", "", *(f"    {_told(case)}" for case in cases)] if cases else []
        return "\n".join([*lines, "", *self._verdict()])

    def _went(self, direction: str) -> list[CaseDiff]:
        return [case for case in self.paired if case.direction == direction]

    def _rows(self) -> list[tuple[str, float, float]]:
        names = [name for name in _NUMBERS if name != "name"]
        return [(name, getattr(self, f"baseline_{name}"), getattr(self, f"proposal_{name}")) for name in names]

    def _verdict(self) -> list[str]:
        if self.mcnemar_p is None:
            return ["McNemar's test was not made: " + ("; ".join(self.identity_issues) or "no case is in both reports")]
        known = "a difference" if self.mcnemar_p < SIGNIFICANT else "no difference that these cases could show"
        return [f"McNemar p = {self.mcnemar_p:.4f}: {known}"]


def compare_reports(baseline: EvalReport, proposal: EvalReport, *, allow_legacy_identity: bool = False) -> ReportDiff:
    """What changed: cases are paired by id and content, or by their input alone where that is allowed."""
    issues: list[str] = []
    name = _by_input if allow_legacy_identity else _by_identity
    before, after = (
        _named(report, name, side, issues) for report, side in ((baseline, "baseline"), (proposal, "proposal"))
    )
    pairs = [(before[key], after[key]) for key in before if key in after]
    paired = [
        CaseDiff(str(old.case_input), old.status, new.status, old.score, new.score, new.case_id) for old, new in pairs
    ]
    told = [case for case in paired if case.evaluated]
    verdicts = [
        [status is EvalStatus.PASSED for status in (case.baseline_status, case.proposal_status)] for case in told
    ]
    numbers: dict[str, Any] = {
        f"{side}_{name}": getattr(report, kind)
        for side, report in (("baseline", baseline), ("proposal", proposal))
        for name, kind in _NUMBERS.items()
    }
    return ReportDiff(
        **numbers,
        paired=paired,
        added=[case for key, case in after.items() if key not in before],
        removed=[case for key, case in before.items() if key not in after],
        mcnemar_p=mcnemar([old for old, _ in verdicts], [new for _, new in verdicts]) if told and not issues else None,
        identity_issues=issues,
    )


def _named(
    report: EvalReport, name: Callable[[CaseResult], Hashable], side: str, issues: list[str]
) -> dict[Hashable, CaseResult]:
    counts = Counter(map(name, report.case_results))
    unnamed = sum(count for key, count in counts.items() if key is None)
    repeated = sum(count for key, count in counts.items() if key is not None and count > 1)
    if unnamed:
        issues.append(f"{unnamed:,} cases of the {side} have no identity")
    if repeated:
        issues.append(f"{repeated:,} cases of the {side} share theirs with others")
    return {key: case for case in report.case_results if counts[key := name(case)] == 1 and key is not None}


def _by_identity(case: CaseResult) -> Hashable:
    return None if case.case_id is None or case.case_digest is None else (case.case_id, case.case_digest)


def _by_input(case: CaseResult) -> Hashable:
    return str(case.case_input)


def _record(case: CaseDiff) -> dict[str, Any]:
    return {
        "input": case.case_input,
        "case_id": case.case_id,
        "baseline_status": str(case.baseline_status),
        "proposal_status": str(case.proposal_status),
        "baseline_score": case.baseline_score,
        "proposal_score": case.proposal_score,
    }


def _told(case: CaseDiff) -> str:
    said = printable(" ".join(case.case_input.split()))
    change = (
        f"{case.baseline_status} -> {case.proposal_status} ({case.baseline_score:.2f} -> {case.proposal_score:.2f})"
    )
    return f"{said[:80]}  {change}"
