"""`EvalReport`: a suite's results in multivon-eval's shape; every number is ringtrue's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import ceil
from random import Random
from typing import Any

from multivon_eval import passk
from multivon_eval.case_result import CaseResult
from multivon_eval.compare import ReportDiff, compare_reports
from multivon_eval.gate import EvalGateFailure, gate_words
from multivon_eval.native import native_case
from multivon_eval.report_record import COLUMNS, case_from, case_record, csv_rows, summary_record
from ringtrue.api import report
from ringtrue.api.gate import FAILED, UNDECIDED
from ringtrue.metrics.power import detectable_effect
from ringtrue.metrics.stats import quantile
from ringtrue.reports.plain import plain_json
from ringtrue.reports.rows import csv_lines
from ringtrue.reports.whole_file import Where, write_whole

SCHEMA = "multivon.report/v2"
SCHEMAS = ("multivon.report/v1", SCHEMA)

Interval = tuple[float, float]


@dataclass
class EvalReport:
    """The results of every case of a suite; a rate or a mean of nothing is 0.0, as documented."""

    suite_name: str
    case_results: list[CaseResult]
    model_id: str = ""
    judge_reliability: float | None = None
    costs: Any = None
    suite_lock: Any = None
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

        def luck(case: CaseResult) -> float:
            tries = min(runs, case.runs)
            counts = (case.runs, case.pass_count, tries)
            return passk.pass_at_k(*counts) - passk.pass_hat_k(*counts)

        flaky = [case for case in self._evaluated() if case.is_flaky and case.runs >= (k or 1)]
        return sorted(flaky, key=luck, reverse=True)

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

    def assert_budget(
        self,
        *,
        max_total_cost_usd: float | None = None,
        max_avg_cost_per_case_usd: float | None = None,
        max_total_tokens: int | None = None,
        max_p95_latency_ms: float | None = None,
        max_avg_latency_ms: float | None = None,
    ) -> None:
        """Raise where a limit is passed, or where nobody counted what it limits."""
        latencies = sorted(case.latency_ms for case in self.case_results)
        cost, tokens = (getattr(self.costs, name, None) for name in ("total_cost_usd", "total_tokens"))
        each = None if cost is None or not self.total else cost / self.total
        mean = sum(latencies) / len(latencies) if latencies else None
        slow = latencies[ceil(0.95 * len(latencies)) - 1] if latencies else None
        problems = []
        for words, limit, used in (
            ("total cost in USD", max_total_cost_usd, cost),
            ("cost per case in USD", max_avg_cost_per_case_usd, each),
            ("total tokens", max_total_tokens, tokens),
            ("p95 latency in ms", max_p95_latency_ms, slow),
            ("Avg latency in ms", max_avg_latency_ms, mean),
        ):
            if limit is not None and (used is None or used > limit):
                known = "is not known" if used is None else f"{used:g} exceeds budget {limit:g}"
                problems.append(f"{words} {known}")
        if problems:
            raise EvalGateFailure("Budget gate FAILED: " + "; ".join(problems))

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
            "schema": SCHEMA,
            "evidence_issues": self.evidence_issues,
            "provider_evidence": self.provider_evidence,
            "execution": self.execution,
            "suite": self.suite_name,
            "model": self.model_id,
            "suite_lock": self.suite_lock,
            "summary": summary_record(self),
            "cases": [case_record(case) for case in self.case_results],
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvalReport:
        """The report that `to_json` or multivon-eval wrote; one that contradicts itself is a ValueError."""
        if not isinstance(data, Mapping) or not isinstance(data.get("cases"), list):
            raise ValueError("not a report: an object with a list 'cases' is needed")
        if data.get("schema", SCHEMA) not in SCHEMAS:
            raise ValueError(f"not a report of a known version: {data['schema']!r}; known are {', '.join(SCHEMAS)}")
        summary = data.get("summary") or {}
        return cls(
            data.get("suite") or "",
            [case_from(record) for record in data["cases"]],
            data.get("model") or "",
            summary.get("judge_reliability"),
            None,
            data.get("suite_lock"),
            summary.get("purpose") or "",
            list(data.get("evidence_issues") or ()),
            data.get("provider_evidence"),
            data.get("execution"),
        )

    def to_json(self) -> str:
        """The report as JSON."""
        return plain_json(self.to_dict())

    def to_junit_xml(self) -> str:
        """The report as JUnit XML, each check with its own verdict."""
        from multivon_eval.reporters.junit import to_junit_xml  # reporters are made of reports

        return to_junit_xml(self)

    def to_html(self) -> str:
        """The report as one HTML file."""
        from multivon_eval.reporters.html import to_html

        return to_html(self)

    def save_json(self, path: Where) -> None:
        """Write the JSON; missing folders are made."""
        write_whole(path, self.to_json().encode())

    def save_junit_xml(self, path: Where) -> None:
        """Write the JUnit XML; missing folders are made."""
        write_whole(path, self.to_junit_xml().encode())

    def save_html(self, path: Where) -> None:
        """Write the HTML; missing folders are made."""
        write_whole(path, self.to_html().encode())

    def save_csv(self, path: Where) -> None:
        """Write one line per check; missing folders are made."""
        write_whole(path, csv_lines([COLUMNS, *csv_rows(self.case_results)]))

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
        fewest = min((runs for runs, _ in counts), default=0)
        if counts and isinstance(k, int) and k > fewest:
            short = "" if fewest == self.runs_per_case else " (the shortest-run case; early_stop asks some less often)"
            words = f"k={k} exceeds {fewest} trials{short}, and an estimate does not extrapolate; "
            words += f"rerun with --runs >= {k} or pass k <= {fewest}"
            return passk.unknown(k, metric, len(counts), fewest, words)
        return passk.suite_pass_k(counts, k, metric=metric, confidence=confidence)


def _known(numbers: Mapping[str, float | None]) -> dict[str, float]:
    return {name: value for name, value in numbers.items() if value is not None}


def _rounded(numbers: Mapping[str, float | None]) -> dict[str, float]:
    return {name: round(value, 4) for name, value in _known(numbers).items()}
