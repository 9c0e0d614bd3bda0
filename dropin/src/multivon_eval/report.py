"""`EvalReport`: a suite's results in multivon-eval's shape; what is counted, and how, is ringtrue's report."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from math import ceil
from random import Random
from statistics import fmean
from typing import Any

from multivon_eval.case_result import CaseResult
from multivon_eval.exceptions import FAILED, UNDECIDED, EvalGateFailure
from multivon_eval.experiments import Interval, min_detectable_effect
from multivon_eval.outputs import csv_rows, report_from, report_record, run_of_report
from multivon_eval.passk import METRIC_PASS_AT_K, METRIC_PASS_HAT_K, PassKResult, known_pass_k, luck
from ringtrue import EvalReport as NativeReport
from ringtrue.records import Run
from ringtrue.reports.csv_text import csv_lines
from ringtrue.stats.intervals import quantile

# mypy: disable-error-code="override, assignment"
# Documented names, types and calls take the place of ringtrue's: lists, methods, and 0.0 where there is not a number.


@dataclass(repr=False)
class EvalReport(NativeReport):
    """The results of every case of a suite; a rate or a mean of nothing is 0.0, as documented.

    The fields after `purpose`, and `costs` and `suite_lock`, are kept from reports that multivon-eval wrote.
    """

    suite_name: str = ""
    case_results: list[CaseResult] = field(default_factory=list)
    model_id: str = ""
    judge_reliability: float | None = None
    costs: dict[str, Any] | None = None
    suite_lock: dict[str, Any] | None = None
    purpose: str = ""
    evidence_issues: list[str] = field(default_factory=list)
    provider_evidence: dict[str, Any] | None = None
    execution: dict[str, Any] | None = None

    unasked = ()

    @property
    def run(self) -> Run:
        """The results as a run of ringtrue, as they are now."""
        return run_of_report(self)

    @property
    def system(self) -> str:
        """The model that is checked, by its id if that is known."""
        return self.model_id or "model"

    @property
    def error_rate(self) -> float:
        """The share of all cases that ended in errors."""
        return super().error_rate or 0.0

    @property
    def pass_rate(self) -> float:
        """The share of evaluated cases that passed."""
        return super().pass_rate or 0.0

    @property
    def avg_score(self) -> float:
        """The mean score of the evaluated cases."""
        return super().avg_score or 0.0

    @property
    def stability_score(self) -> float:
        """The share of cases that are not flaky."""
        stable = super().stability_score
        return 1.0 if stable is None else stable

    @property
    def runs_per_case(self) -> int:
        """The largest number of times that a case was asked."""
        return super().runs_per_case or 1

    @property
    def min_detectable_regression(self) -> float:
        """The smallest drop of the pass rate that this many cases would show."""
        return min_detectable_effect(self.evaluated, baseline=min(0.95, max(0.5, self.pass_rate)))

    @property
    def zero_pass_cases(self) -> list[CaseResult]:
        """The cases that were asked several times and never passed; of cases asked once, all of them or none."""
        if self.runs_per_case == 1:
            return [] if self.passed else self._judged()
        return [case for case in self._judged() if case.runs > 1 and not case.run_pass_rate]

    def pass_rate_ci(self, confidence: float = 0.95) -> Interval:
        """Wilson's interval of the pass rate."""
        return super().pass_rate_ci(confidence) or (0.0, 1.0)

    def avg_score_ci(self, confidence: float = 0.95) -> Interval:
        """Student's interval of the mean score; Wilson's, which is never a point, where all scores are equal."""
        return super().avg_score_ci(confidence) or (0.0, 1.0)

    def pass_at_k(self, k: int, confidence: float = 0.95) -> PassKResult:
        """The chance that at least one of k runs of a case passes."""
        return known_pass_k(self._run_counts(), k, metric=METRIC_PASS_AT_K, confidence=confidence)

    def pass_hat_k(self, k: int, confidence: float = 0.95) -> PassKResult:
        """The chance that all of k runs of a case pass."""
        return known_pass_k(self._run_counts(), k, metric=METRIC_PASS_HAT_K, confidence=confidence)

    def lottery_cases(self, k: int | None = None) -> list[CaseResult]:
        """The cases that pass only sometimes and were asked at least k times, those that luck decides most first."""
        runs = self.runs_per_case if k is None else k
        flaky = [case for case in self._judged() if case.is_flaky and case.runs >= (k or 1)]
        return sorted(flaky, key=lambda case: luck(case.runs, case.pass_count, runs), reverse=True)

    def score_percentiles(self, percentiles: list[int] | None = None) -> dict[str, float]:
        """Percentiles of the evaluated cases' scores, as in `p90`."""
        scores = sorted(case.score for case in self._judged())
        wanted = (10, 50, 90) if percentiles is None else percentiles
        return {f"p{p}": round(quantile(scores, p / 100), 4) for p in wanted} if scores else {}

    def scores_by_tag(self) -> dict[str, float]:
        """The mean score of the evaluated cases of each tag."""
        pairs = ((tag, case.score) for case in self._judged() for tag in set(case.tags))
        return {tag: round(mean, 4) for tag, mean in _means(pairs).items()}

    def passed_by_tag(self) -> dict[str, float]:
        """The pass rate of the evaluated cases of each tag."""
        pairs = ((tag, case.passed) for case in self._judged() for tag in set(case.tags))
        return {tag: round(mean, 4) for tag, mean in _means(pairs).items()}

    def count_by_tag(self) -> dict[str, int]:
        """Return the number of cases with each tag."""
        return super().count_by_tag

    def scores_by_evaluator(self) -> dict[str, float]:
        """The mean score of each check in evaluated cases."""
        return _means((result.evaluator, result.score) for case in self._judged() for result in case.measured)

    def passed_by_evaluator(self) -> dict[str, float]:
        """The share of each check's measurements in evaluated cases that passed."""
        return _means((result.evaluator, result.passed) for case in self._judged() for result in case.measured)

    def filter_by_evaluator(self, name: str) -> list[CaseResult]:
        """The evaluated cases in which this check failed."""
        failed = [(case, result) for case in self._judged() for result in case.measured if not result.passed]
        return [case for case, result in failed if result.evaluator == name]

    def sample(self, n: int, *, failed_only: bool = False) -> list[CaseResult]:
        """Up to n cases to read, the same ones every time."""
        cases: Sequence[Any] = self.failed_cases if failed_only else self.case_results
        return Random(0).sample(cases, min(n, len(cases)))

    def assert_pass_hat_k(self, k: int, min_ci_low: float) -> None:
        """Raise unless the lower end of pass^k's interval reaches this."""
        found = self.pass_hat_k(k)
        if found.ci_low is None:
            raise EvalGateFailure(f"pass^{k} gate FAILED: {found.unknown_reason}", None, min_ci_low, UNDECIDED)
        if found.ci_low < min_ci_low:
            low = f"the interval of pass^{k} = {found.value:.3f} begins at {found.ci_low:.3f}"
            message = f"pass^{k} gate FAILED: {low} < required {min_ci_low:.3f}"
            raise EvalGateFailure(message, found.value, min_ci_low)

    def assert_budget(
        self, *, max_p95_latency_ms: float | None = None, max_avg_latency_ms: float | None = None
    ) -> None:
        """Raise where the cases took longer; what they cost is reported by `ringtrue.evaluate`, not by a suite."""
        latencies = sorted(case.latency_ms for case in self.case_results) or [0.0]
        p95 = latencies[ceil(0.95 * len(latencies)) - 1]
        used = (("p95 latency", p95, max_p95_latency_ms), ("Avg latency", fmean(latencies), max_avg_latency_ms))
        known = [(name, ms, most) for name, ms, most in used if most is not None]
        over = [f"{name} {ms:g} ms exceeds budget {most:g} ms" for name, ms, most in known if ms > most]
        if over:
            raise EvalGateFailure("Budget gate FAILED: " + "; ".join(over))

    def gate(self, fail_threshold: float | None = None, max_error_rate: float | None = None) -> EvalGateFailure | None:
        """Return the error that `run` would raise with these limits, or None; the decision is ringtrue's."""
        failure = super().gate(fail_threshold, max_error_rate)
        if failure is None:
            return None
        reason = str(failure).removeprefix("undecided: ").removeprefix("gate failed: ")
        if failure.code == FAILED:
            message = f"Eval failed: pass rate {self.pass_rate:.1%} < threshold {fail_threshold:.1%}; {reason}"
            return EvalGateFailure(message, self.pass_rate, fail_threshold)
        first_error = next((case.error for case in self.case_results if case.error), None)
        if first_error and not self.evaluated:
            message = f"Eval blocked: {reason}; the first error: {first_error}"
        else:
            kinds = ", ".join(f"{kind}={count}" for kind, count in self.errors_by_kind.items())
            allowed = max_error_rate or 0.0
            over = f"error rate {self.error_rate:.1%} exceeds error budget {allowed:.1%} ({kinds}); "
            message = f"Eval gate INDETERMINATE: {over if self.error_rate > allowed else ''}{reason}"
        return EvalGateFailure(message, self.pass_rate, fail_threshold, UNDECIDED)

    def to_dict(self) -> dict[str, Any]:
        """The report as plain values."""
        return report_record(self)

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvalReport:
        """The report that `to_json` or multivon-eval wrote; one that contradicts itself is a ValueError."""
        return cls(**report_from(data))

    def to_csv(self) -> str:
        """One line per check; a case without checks has one line, too."""
        return csv_lines([*csv_rows(self.case_results)]).decode()

    def _judged(self) -> list[CaseResult]:
        return [case for case in self.case_results if case.evaluated]

    def _run_counts(self) -> list[tuple[int, int]]:
        counts = [(case.runs, case.pass_count, case.passed) for case in self._judged()]
        return [(runs, passes if passes >= 0 else int(passed)) for runs, passes, passed in counts]


def _means(pairs: Iterable[tuple[str, float]]) -> dict[str, float]:
    groups: dict[str, list[float]] = {}
    for name, number in pairs:
        groups.setdefault(name, []).append(number)
    return {name: fmean(numbers) for name, numbers in groups.items()}
