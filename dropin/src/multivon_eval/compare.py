"""`compare_reports`: what changed between two reports, case by case."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multivon_eval.case_result import EVALUATION_STATUSES, CaseResult, EvalStatus
from multivon_eval.dependencies import comparison_issues
from multivon_eval.execution_evidence import compare_execution
from multivon_eval.pairing import pair_by_input, pair_cases
from multivon_eval.passk import PassKResult
from ringtrue.metrics.differences import mcnemar
from ringtrue.reports.markdown import fence
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
_TITLES = {"pass_rate": "Pass rate", "avg_score": "Avg score", "errors": "Errors", "flaky": "Flaky"}


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
    """What changed from a baseline to a proposal; `mcnemar_p` is None where cases could not be told apart.

    `baseline_pass_hat_k` and `proposal_pass_hat_k` are there where both were asked several times.
    """

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
    baseline_pass_hat_k: PassKResult | None = None
    proposal_pass_hat_k: PassKResult | None = None
    identity_issues: list[str] = field(default_factory=list)
    execution_changes: dict[str, list[str]] = field(default_factory=dict)
    execution_notes: list[str] = field(default_factory=list)

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
            "deltas": {name: after - before for name, (before, after) in self._sides().items()},
            "paired_count": len(self.paired),
            "identity_verified": not self.identity_issues,
            "identity_issues": self.identity_issues,
            "execution_changes": self.execution_changes,
            "execution_notes": self.execution_notes,
            "regressions": [_record(case) for case in self.regressions],
            "improvements": [_record(case) for case in self.improvements],
            "added_count": len(self.added),
            "removed_count": len(self.removed),
            "mcnemar_p": self.mcnemar_p,
        }

    def to_text(self, *, regressions_only: bool = False) -> str:
        """The comparison in lines."""
        lines = [f"baseline: {printable(self.baseline_name)}", f"proposal: {printable(self.proposal_name)}", ""]
        lines += [f"{title}: {before} -> {after} ({change})" for title, before, after, change in self._rows()]
        lines += [*self._over_runs(), *self._came_and_went()]
        for title, mark, cases in self._groups():
            if cases and not (regressions_only and mark == "+"):
                lines += ["", f"{title} ({len(cases)}):", *(f"  {mark} {_shown(c)}  {_change(c)}" for c in cases)]
        return "\n".join([*lines, "", *self._executed(), *self._verdict()])

    def to_markdown(self) -> str:
        """The comparison as Markdown; text from outside is code, and so never markup."""
        lines = ["## Eval comparison", "", "| Metric | Baseline | Proposal | Change |", "|---|---:|---:|---:|"]
        lines += [f"| {' | '.join(row)} |" for row in self._rows()]
        for title, _, cases in self._groups():
            if cases:
                told = [f"- {_code(_shown(case))}  {_change(case)}" for case in cases]
                lines += ["", f"### {title} ({len(cases)})", "", *told]
        return "\n".join([*lines, "", *self._executed(), *self._verdict()])

    def _went(self, direction: str) -> list[CaseDiff]:
        return [case for case in self.paired if case.direction == direction]

    def _sides(self) -> dict[str, tuple[float, float]]:
        return {name: (getattr(self, f"baseline_{name}"), getattr(self, f"proposal_{name}")) for name in _TITLES}

    def _rows(self) -> Iterator[tuple[str, str, str, str]]:
        for name, (before, after) in self._sides().items():
            shape = "d" if isinstance(before, int) and isinstance(after, int) else ".3f"
            yield _TITLES[name], f"{before:{shape}}", f"{after:{shape}}", f"{after - before:+{shape}}"

    def _groups(self) -> list[tuple[str, str, list[CaseDiff]]]:
        return [("Regressions", "-", self.regressions), ("Improvements", "+", self.improvements)]

    def _came_and_went(self) -> list[str]:
        moved = (("added", self.added), ("removed", self.removed))
        return [f"Cases {word}: {len(cases)}" for word, cases in moved if cases]

    def _executed(self) -> list[str]:
        changed = [f"Execution changes ({name}): {', '.join(p)}" for name, p in self.execution_changes.items() if p]
        return [*changed, *(f"Execution note: {note}" for note in self.execution_notes)]

    def _over_runs(self) -> list[str]:
        old, new = self.baseline_pass_hat_k, self.proposal_pass_hat_k
        if old is None or new is None:
            return []
        shown = [found.unknown_reason if found.value is None else f"{found.value:.3f}" for found in (old, new)]
        return [f"pass^{old.k}: {shown[0]} -> {shown[1]}"]

    def _verdict(self) -> list[str]:
        if self.mcnemar_p is None:
            return ["McNemar's test was not made: " + ("; ".join(self.identity_issues) or "no case is in both reports")]
        known = "a difference" if self.mcnemar_p < SIGNIFICANT else "no difference that these cases could show"
        return [f"McNemar p = {self.mcnemar_p:.4f}: {known}"]


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
    runs = min(baseline.runs_per_case, proposal.runs_per_case)
    return ReportDiff(
        **numbers,
        paired=paired,
        added=added,
        removed=removed,
        mcnemar_p=mcnemar([old for old, _ in verdicts], [new for _, new in verdicts]) if told and not issues else None,
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


def _record(case: CaseDiff) -> dict[str, Any]:
    return {
        "input": case.case_input,
        "case_id": case.case_id,
        "baseline_status": str(case.baseline_status),
        "proposal_status": str(case.proposal_status),
        "baseline_score": case.baseline_score,
        "proposal_score": case.proposal_score,
    }


def _shown(case: CaseDiff) -> str:
    return printable(" ".join(case.case_input.split()))[:80]


def _change(case: CaseDiff) -> str:
    return f"{case.baseline_status} -> {case.proposal_status} ({case.baseline_score:.2f} -> {case.proposal_score:.2f})"


def _code(text: str) -> str:
    marks, pad = fence(text, least=1), " " if "`" in text or not text else ""
    return f"{marks}{pad}{text}{pad}{marks}"


def _cli(argv: list[str]) -> int:
    from multivon_eval.cli import main  # which is made of reports

    try:
        main(["compare", *argv])
    except SystemExit as end:
        return int(end.code or 0)
    return 0


_pair_by_input = pair_by_input
