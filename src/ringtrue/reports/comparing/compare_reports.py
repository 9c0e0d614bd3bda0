"""`compare_reports`: two reports of a suite, compared as any two runs are."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from ringtrue.records import Row, Run
from ringtrue.reports.case_result import CaseResult
from ringtrue.reports.comparing.case_diff import CaseDiff
from ringtrue.reports.comparing.case_pairs import CasePairs, Side
from ringtrue.reports.comparing.compare_runs import compare_sides
from ringtrue.reports.comparing.report_diff import NUMBERS, ReportDiff


class Report(Protocol):
    """One side of a comparison: one system of a run, and how a report sees the rows of a case."""

    run: Run
    system: str

    def case_result(self, rows: Sequence[Row]) -> CaseResult: ...


def compare_reports(baseline: Report, proposal: Report) -> ReportDiff:
    """Return the changes from one report to another, as `EvalReport.compare` does."""
    before, after = Side(baseline.run, baseline.system, "baseline"), Side(proposal.run, proposal.system, "proposal")
    cases = CasePairs(before, after)
    return ReportDiff(
        **_numbers(baseline, proposal),
        comparison=compare_sides([before, after]),
        paired=[_diff(baseline.case_result(case.before), proposal.case_result(case.after)) for case in cases],
        added=[proposal.case_result(rows) for rows in cases.of_one_side(1)],
        removed=[baseline.case_result(rows) for rows in cases.of_one_side(0)],
    )


def _numbers(baseline: Any, proposal: Any) -> dict[str, Any]:
    reports = (("baseline", baseline), ("proposal", proposal))
    return {f"{side}_{name}": getattr(report, kind) for side, report in reports for name, kind in NUMBERS.items()}


def _diff(old: CaseResult, new: CaseResult) -> CaseDiff:
    return CaseDiff(str(old.case_input), old.status, new.status, old.score, new.score, new.case_id)
