"""`EvalReport`: a suite's results in multivon-eval's shape; every number is ringtrue's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any

from multivon_eval import passk
from multivon_eval.budget import Budget
from multivon_eval.case_result import CaseResult
from multivon_eval.compare import ReportDiff, compare_reports
from multivon_eval.costs import Costs
from multivon_eval.execution_evidence import validate_execution
from multivon_eval.gate import EvalGateFailure, gate_words
from multivon_eval.lockfile import SuiteLock
from multivon_eval.native import native_case
from multivon_eval.report_record import COLUMNS, case_from, case_record, csv_rows, summary_record
from multivon_eval.report_schema import SCHEMAS, validate_report
from ringtrue.reports import eval_report as report
from ringtrue.reports.gate import FAILED, UNDECIDED
from ringtrue.reports.report_files import ReportFiles
from ringtrue.reports.rows import csv_lines
from ringtrue.stats.intervals import quantile
from ringtrue.stats.power import detectable_effect

Interval = tuple[float, float]


@dataclass
class EvalReport(ReportFiles, Budget):
    """The results of every case of a suite; a rate or a mean of nothing is 0.0, as documented."""

    suite_name: str
    case_results: list[CaseResult]
    model_id: str = ""
    judge_reliability: float | None = None
    costs: Costs | None = None
    suite_lock: SuiteLock | None = None
    purpose: str = ""
    evidence_issues: list[str] = field(default_factory=list)
    provider_evidence: dict[str, Any] | None = None
    execution: dict[str, Any] | None = None

    @property
    def total(self) -> int:
        """How many cases there are."""
        return self._numbers().total

    @property
    def evaluated(self) -> int:
        """How many have a verdict."""
        return self._numbers().evaluated

    @property
    def errors(self) -> int:
        """How many have none because something broke."""
        return self._numbers().errors

    @property
    def skipped(self) -> int:
        """How many had nothing to measure."""
        return self._numbers().skipped

    @property
    def passed(self) -> int:
        """How many passed."""
        return self._numbers().passed

    @property
    def failed(self) -> int:
        """How many failed for what was said."""
        return self._numbers().failed

    @property
    def error_rate(self) -> float:
        """The share of all cases that ended in errors."""
        return self._numbers().error_rate or 0.0

    @property
    def errors_by_kind(self) -> dict[str, int]:
        """The kinds of error that occurred, with their counts."""
        return self._numbers().errors_by_kind

    @property
    def pass_rate(self) -> float:
        """The share of evaluated cases that passed."""
        return self._numbers().pass_rate or 0.0

    @property
    def avg_score(self) -> float:
        """The mean score of the evaluated cases."""
        return self._numbers().avg_score or 0.0

    @property
    def saturated(self) -> bool:
        """Whether every evaluated case passed."""
        return self._numbers().saturated

    @property
    def flaky_count(self) -> int:
        """How many cases pass only sometimes."""
        return self._numbers().flaky_count

    @property
    def stability_score(self) -> float:
        """The share of cases that are not flaky."""
        found = self._numbers().stability_score
        return 1.0 if found is None else found

    @property
    def runs_per_case(self) -> int:
        """How often a case was asked, at most."""
        return max(1, self._numbers().runs_per_case)

    @property
    def min_detectable_regression(self) -> float:
        """The smallest drop of the pass rate that so many cases would show."""
        baseline = min(0.95, max(0.5, self.pass_rate))
        return round(detectable_effect(self.evaluated, baseline=baseline), 4)

    @property
    def passed_cases(self) -> list[CaseResult]:
        """The cases that passed."""
        return [case for case in self.case_results if case.passed]

    @property
    def failed_cases(self) -> list[CaseResult]:
        """Every case that did not pass, whatever the reason."""
        return [case for case in self.case_results if not case.passed]

    @property
    def zero_pass_cases(self) -> list[CaseResult]:
        """The cases that were asked several times and never passed; of cases asked once, all of them or none."""
        if self.runs_per_case == 1:
            return [] if self.passed else self._evaluated()
        return [case for case in self._evaluated() if case.runs > 1 and not case.run_pass_rate]

    def pass_rate_ci(self, confidence: float = 0.95) -> Interval:
        """Wilson's interval of the pass rate."""
        return self._numbers().pass_rate_ci(confidence) or (0.0, 1.0)

    def avg_score_ci(self, confidence: float = 0.95) -> Interval:
        """The interval of the mean score."""
        return self._numbers().avg_score_ci(confidence) or (0.0, 1.0)

    def pass_at_k(self, k: int, confidence: float = 0.95) -> passk.PassKResult:
        """The chance that at least one of k runs of a case passes."""
        return self._over_runs(k, confidence, passk.METRIC_PASS_AT_K)

    def pass_hat_k(self, k: int, confidence: float = 0.95) -> passk.PassKResult:
        """The chance that all of k runs of a case pass."""
        return self._over_runs(k, confidence, passk.METRIC_PASS_HAT_K)

    def lottery_cases(self, k: int | None = None) -> list[CaseResult]:
        """The cases that pass only sometimes and were asked at least k times, those that luck decides most first."""
        runs = self.runs_per_case if k is None else k
        flaky = [case for case in self._evaluated() if case.is_flaky and case.runs >= (k or 1)]
        return sorted(flaky, key=lambda case: passk.luck(case.runs, case.pass_count, runs), reverse=True)

    def score_percentiles(self, percentiles: list[int] | None = None) -> dict[str, float]:
        """Percentiles of the evaluated cases' scores, as in `p90`."""
        scores = sorted(case.score for case in self._evaluated())
        wanted = (10, 50, 90) if percentiles is None else percentiles
        return {f"p{p}": round(quantile(scores, p / 100), 4) for p in wanted} if scores else {}

    def scores_by_tag(self) -> dict[str, float]:
        """The mean score of the evaluated cases of each tag."""
        return _rounded(self._numbers(evaluated=True).scores_by_tag)

    def passed_by_tag(self) -> dict[str, float]:
        """The pass rate of the evaluated cases of each tag."""
        return _rounded(self._numbers(evaluated=True).passed_by_tag)

    def count_by_tag(self) -> dict[str, int]:
        """How many cases carry each tag."""
        return self._numbers().count_by_tag

    def scores_by_evaluator(self) -> dict[str, float]:
        """The mean score of each check in evaluated cases."""
        return _known(self._numbers(evaluated=True).scores_by_evaluator)

    def passed_by_evaluator(self) -> dict[str, float]:
        """The share of each check's measurements in evaluated cases that passed."""
        return _known(self._numbers(evaluated=True).passed_by_evaluator)

    def filter_by_evaluator(self, name: str) -> list[CaseResult]:
        """The evaluated cases in which this check failed."""
        failed = [(case, result) for case in self._evaluated() for result in case.measured if not result.passed]
        return [case for case, result in failed if result.evaluator == name]

    def sample(self, n: int, *, failed_only: bool = False) -> list[CaseResult]:
        """Up to n cases to read, the same ones every time."""
        cases = self.failed_cases if failed_only else self.case_results
        return Random(0).sample(cases, min(n, len(cases)))

    def assert_pass_hat_k(self, k: int, min_ci_low: float) -> None:
        """Raise unless the lower end of pass^k's interval reaches this."""
        found = self.pass_hat_k(k)
        if found.ci_low is None:
            raise EvalGateFailure(f"pass^{k} gate FAILED: {found.unknown_reason}", None, min_ci_low, UNDECIDED)
        if found.ci_low < min_ci_low:
            words = (
                f"the interval of pass^{k} = {found.value:.3f} begins at {found.ci_low:.3f} < required {min_ci_low:.3f}"
            )
            raise EvalGateFailure(f"pass^{k} gate FAILED: {words}", found.value, min_ci_low)

    def gate(self, fail_threshold: float | None, max_error_rate: float | None) -> EvalGateFailure | None:
        """What `run` would raise with these limits, or None."""
        failure = self._numbers().gate(fail_threshold, max_error_rate)
        if failure is None:
            return None
        blocked = not self.evaluated and self.errors
        first = next((case.error for case in self.case_results if case.error), None) if blocked else None
        code = UNDECIDED if failure.code == UNDECIDED else FAILED
        words = gate_words(failure, self, blocked_by=first, allowed=max_error_rate)
        return EvalGateFailure(words, self.pass_rate, fail_threshold, code)

    def compare(self, other: EvalReport, *, allow_legacy_identity: bool = False) -> ReportDiff:
        """What changed from this report to another."""
        return compare_reports(self, other, allow_legacy_identity=allow_legacy_identity)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values."""
        return {
            "schema": SCHEMAS[-1],
            "evidence_issues": self.evidence_issues,
            "provider_evidence": self.provider_evidence,
            "execution": self.execution,
            "suite": self.suite_name,
            "model": self.model_id,
            "suite_lock": None if self.suite_lock is None else self.suite_lock.to_dict(),
            "summary": summary_record(self),
            "cases": [case_record(case) for case in self.case_results],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvalReport:
        """The report that `to_json` or multivon-eval wrote; one that contradicts itself is a ValueError."""
        validate_report(data)
        summary, lock = data.get("summary") or {}, data.get("suite_lock")
        costs = summary.get("costs")
        validate_execution(data.get("execution"))
        return cls(
            data.get("suite") or "",
            [case_from(record) for record in data["cases"]],
            data.get("model") or "",
            summary.get("judge_reliability"),
            None if costs is None else Costs.from_dict(costs),
            None if lock is None else SuiteLock.from_dict(lock),
            summary.get("purpose") or "",
            list(data.get("evidence_issues") or ()),
            data.get("provider_evidence"),
            data.get("execution"),
        )

    def to_junit_xml(self) -> str:
        """The report as JUnit XML, each check with its own verdict."""
        from multivon_eval.reporters.junit import to_junit_xml  # reporters are made of reports

        return to_junit_xml(self)

    def to_csv(self) -> str:
        """One line per check; a case without checks has one line, too."""
        return csv_lines([COLUMNS, *csv_rows(self.case_results)]).decode()

    def to_html(self) -> str:
        """The report as one HTML file."""
        from multivon_eval.reporters.html import to_html

        return to_html(self)

    def _evaluated(self) -> list[CaseResult]:
        return [case for case in self.case_results if case.evaluated]

    def _numbers(self, *, evaluated: bool = False) -> report.EvalReport:
        # ringtrue's report asks its cases for status, score, tags and checks, which these know as well.
        cases: Any = self._evaluated() if evaluated else self.case_results
        return report.EvalReport(self.suite_name, cases, self.model_id, self.purpose)

    def native(self) -> report.EvalReport:
        """The report in ringtrue's words."""
        return report.EvalReport(
            self.suite_name, [native_case(case) for case in self.case_results], self.model_id, self.purpose
        )

    def _over_runs(self, k: int, confidence: float, metric: str) -> passk.PassKResult:
        counts = [
            (case.runs, case.pass_count if case.pass_count >= 0 else int(case.passed)) for case in self._evaluated()
        ]
        return passk.known_pass_k(counts, k, metric=metric, confidence=confidence)


def _known(numbers: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in numbers.items() if value is not None}


def _rounded(numbers: Mapping[str, float | None]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in _known(numbers).items()}
