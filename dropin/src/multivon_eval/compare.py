"""`compare_reports`: what changed between two reports, case by case."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from multivon_eval.case_result import EVALUATION_STATUSES, CaseResult, EvalStatus
from multivon_eval.passk import PassKResult
from ringtrue.metrics.differences import mcnemar
from ringtrue.reports.table import printable

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport

__all__ = ["CaseDiff", "ReportDiff", "compare_reports"]

SIGNIFICANT = 0.05

Key = tuple[str, str | None]
"""How a case is told from others: by its id, or by its input; and which."""

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
    identity_issues: list[str] = field(default_factory=list)
    baseline_pass_hat_k: PassKResult | None = None
    proposal_pass_hat_k: PassKResult | None = None

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
        lines += self._over_runs()
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
    """What changed: cases are paired by id and content, or by their input alone where that is allowed.

    Cases without an identity are shown side by side by their inputs; no test is made of them.
    """
    issues: list[str] = []
    before, after = (
        _named(report, side, issues, by_input=allow_legacy_identity)
        for report, side in ((baseline, "baseline"), (proposal, "proposal"))
    )
    both = [] if allow_legacy_identity else [key for key in after if key in before]
    if changed := [key for key in both if _digest(before[key]) != _digest(after[key])]:
        issues.append(f"{len(changed):,} cases of the same id have another content")
    if baseline.runs_per_case != proposal.runs_per_case:
        issues.append(f"cases were asked {baseline.runs_per_case} times, and then {proposal.runs_per_case} times")
    paired = [
        CaseDiff(str(old.case_input), old.status, new.status, old.score, new.score, new.case_id)
        for key, new in after.items()
        if key not in changed and (old := before.get(key))
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
        added=[case for key, case in after.items() if key not in before],
        removed=[case for key, case in before.items() if key not in after],
        mcnemar_p=mcnemar([old for old, _ in verdicts], [new for _, new in verdicts]) if told and not issues else None,
        identity_issues=issues,
        baseline_pass_hat_k=baseline.pass_hat_k(runs) if runs > 1 else None,
        proposal_pass_hat_k=proposal.pass_hat_k(runs) if runs > 1 else None,
    )


def _named(report: EvalReport, side: str, issues: list[str], *, by_input: bool) -> dict[Key, CaseResult]:
    """The cases by what tells them apart; those that share it with others are left out."""

    def key(case: CaseResult) -> Key:
        known = not by_input and _digest(case) is not None
        return ("id", case.case_id) if known else ("input", str(case.case_input))

    keys = [key(case) for case in report.case_results]
    counts = Counter(keys)
    if unnamed := 0 if by_input else sum(kind == "input" for kind, _ in keys):
        issues.append(f"{unnamed:,} cases of the {side} have no identity")
    if repeated := sum(count for count in counts.values() if count > 1):
        issues.append(f"Duplicate: {repeated:,} cases of the {side} cannot be told apart")
    return {name: case for name, case in zip(keys, report.case_results, strict=True) if counts[name] == 1}


def _digest(case: CaseResult) -> str | None:
    return None if case.case_id is None else case.case_digest


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
