"""`compare_reports`: what changed between two reports, case by case."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multivon_eval.dependencies import comparison_issues
from multivon_eval.execution_evidence import compare_execution
from multivon_eval.pairing import pair_by_input, pair_cases
from multivon_eval.passk import PassKResult
from ringtrue.reports import comparison
from ringtrue.reports.compare import diff_of, sides
from ringtrue.reports.comparison import CaseDiff, mcnemar_of

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

__all__ = ["CaseDiff", "ReportDiff", "compare_reports"]


@dataclass
class ReportDiff(comparison.ReportDiff):
    """What changed from a baseline to a proposal; `mcnemar_p` is None where cases could not be told apart.

    `baseline_pass_hat_k` and `proposal_pass_hat_k` are there where both were asked several times.
    """

    baseline_pass_hat_k: PassKResult | None = None
    proposal_pass_hat_k: PassKResult | None = None
    execution_changes: dict[str, list[str]] = field(default_factory=dict)
    execution_notes: list[str] = field(default_factory=list)

    def to_dict(self) -> dict[str, Any]:
        """The comparison as plain values."""
        return super().to_dict() | {
            "execution_changes": self.execution_changes,
            "execution_notes": self.execution_notes,
        }

    def numbers(self) -> list[str]:
        """How often all runs passed, where there were several."""
        old, new = self.baseline_pass_hat_k, self.proposal_pass_hat_k
        if old is None or new is None:
            return []
        shown = [found.unknown_reason if found.value is None else f"{found.value:.3f}" for found in (old, new)]
        return [f"pass^{old.k}: {shown[0]} -> {shown[1]}"]

    def notes(self) -> list[str]:
        """What changed in how the reports were made."""
        changed = [f"Execution changes ({name}): {', '.join(p)}" for name, p in self.execution_changes.items() if p]
        return [*changed, *(f"Execution note: {note}" for note in self.execution_notes)]


def compare_reports(baseline: EvalReport, proposal: EvalReport, *, allow_legacy_identity: bool = False) -> ReportDiff:
    """What changed; a test is made where both reports have the same cases, checks and engine, and can show it.

    Cases are paired by id and content. Reports without any identity are paired by input, and a test is made of that
    only if it is allowed.
    """
    pairs, added, removed, issues = pair_cases(baseline.case_results, proposal.case_results)
    issues += [*baseline.evidence_issues, *proposal.evidence_issues]
    if baseline.runs_per_case != proposal.runs_per_case:
        issues.append(f"cases were asked {baseline.runs_per_case} times, and then {proposal.runs_per_case} times")
    issues += comparison_issues(baseline.suite_lock, proposal.suite_lock)
    changes, notes, drift = compare_execution(baseline, proposal)
    issues += drift
    if allow_legacy_identity and _is_legacy(baseline) and _is_legacy(proposal):
        issues = []  # they had none of what is missing, and the caller says that this will do
    paired = [diff_of(old, new) for old, new in pairs]
    runs = min(baseline.runs_per_case, proposal.runs_per_case)
    return ReportDiff(
        **sides(baseline, proposal),
        paired=paired,
        added=added,
        removed=removed,
        mcnemar_p=None if issues else mcnemar_of(paired),
        baseline_pass_hat_k=baseline.pass_hat_k(runs) if runs > 1 else None,
        proposal_pass_hat_k=proposal.pass_hat_k(runs) if runs > 1 else None,
        identity_issues=issues,
        execution_changes=changes,
        execution_notes=notes,
    )


def _is_legacy(report: EvalReport) -> bool:
    """Whether a report is of a time before cases had identities and suites had locks."""
    marks = ("case_id", "case_digest", "evidence_error", "trials")
    marked = any(getattr(case, mark) for case in report.case_results for mark in marks)
    return not marked and not report.evidence_issues and report.suite_lock is None


def _cli(argv: list[str]) -> int:
    from multivon_eval.cli import main  # which is made of reports

    try:
        main(["compare", *argv])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


_pair_by_input = pair_by_input
