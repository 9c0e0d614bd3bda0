"""`EvalReport`: what a suite's run says, in numbers and in files."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from math import ceil, floor, fsum
from pathlib import Path
from typing import Any

from ringtrue._version import __version__
from ringtrue.atomic_file import Where
from ringtrue.dialects.suite import CheckResult
from ringtrue.errors import AbsentFile, ConfigurationError, InputError, RecordError
from ringtrue.jsontext import parse_json
from ringtrue.metrics.metric import summary_of_scores
from ringtrue.metrics.repeats import PassAtK
from ringtrue.records import EvalRow, Json, Summary
from ringtrue.reports.case_result import ERRORS, CaseResult, EvalStatus, source_of
from ringtrue.reports.comparison import ReportDiff
from ringtrue.reports.gate import GateFailure, gate_failure
from ringtrue.reports.junit import junit_document
from ringtrue.reports.report_files import ReportFiles
from ringtrue.reports.report_lines import HEADING, csv_rows, junit_entries
from ringtrue.reports.report_record import case_from, case_record
from ringtrue.reports.rows import csv_lines
from ringtrue.require import require_count
from ringtrue.stats.intervals import clustered_interval, wilson

SCHEMA = "ringtrue.report/v1"

Interval = tuple[float, float]


@dataclass(frozen=True)
class EvalReport(ReportFiles):
    """The results of every case of a suite; what was not measured is counted, and never a number.

    `execution` says how it was made: run id, status, seconds, signatures of system and evaluators.
    """

    suite_name: str
    case_results: Sequence[CaseResult]
    model_id: str = ""
    purpose: str = ""
    execution: Mapping[str, Json] = field(default_factory=dict)

    @property
    def total(self) -> int:
        """How many cases there are."""
        return len(self.case_results)

    @property
    def evaluated(self) -> int:
        """How many have a verdict."""
        return self.passed + self.failed

    @property
    def passed(self) -> int:
        """How many passed."""
        return self._count(EvalStatus.PASSED)

    @property
    def failed(self) -> int:
        """How many failed for what they said."""
        return self._count(EvalStatus.FAILED_QUALITY)

    @property
    def errors(self) -> int:
        """How many have no verdict because something broke."""
        return self._count(*ERRORS)

    @property
    def skipped(self) -> int:
        """How many had nothing to measure."""
        return self._count(EvalStatus.SKIPPED)

    @property
    def errors_by_kind(self) -> dict[str, int]:
        """The kinds of error that occurred, with their counts."""
        return {str(kind): count for kind in ERRORS if (count := self._count(kind))}

    @property
    def error_rate(self) -> float | None:
        """The share of all cases that ended in errors."""
        return self.errors / self.total if self.total else None

    @property
    def pass_rate(self) -> float | None:
        """The share of evaluated cases that passed."""
        return self.passed / self.evaluated if self.evaluated else None

    @property
    def avg_score(self) -> float | None:
        """The mean score of the evaluated cases."""
        return _mean([case.score for case in self._evaluated()])

    @property
    def flaky_count(self) -> int:
        """How many cases passed in some runs and failed in others."""
        return sum(case.is_flaky for case in self.case_results)

    @property
    def stability_score(self) -> float | None:
        """The share of cases that are not flaky."""
        return 1 - self.flaky_count / self.total if self.total else None

    @property
    def runs_per_case(self) -> int:
        """How often a case was asked, at most."""
        return max((case.runs for case in self.case_results), default=0)

    @property
    def saturated(self) -> bool:
        """Whether every evaluated case passed: such a suite cannot show an improvement."""
        return 0 < self.evaluated == self.passed

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
        """The cases with verdicts that never passed in any run."""
        return [case for case in self._evaluated() if not case.pass_count]

    def pass_rate_ci(self, confidence: float = 0.95) -> Interval | None:
        """Wilson's interval of the pass rate; Student's over sources where cases share a `source_id`."""
        clusters = self._clusters(lambda case: float(case.passed))
        if len(clusters) == self.evaluated:
            return wilson(self.passed, self.evaluated, confidence) if self.evaluated else None
        return _kept_inside(clustered_interval(clusters, confidence))

    def avg_score_ci(self, confidence: float = 0.95) -> Interval | None:
        """The interval of the mean score; scores without any spread get Wilson's, which is never a point."""
        clusters = self._clusters(lambda case: case.score)
        values = [value for cluster in clusters for value in cluster]
        n = len(values)
        if n and (len(set(values)) == 1 or set(values) == {0.0, 1.0}):
            total = fsum(values)
            return wilson(floor(total), n, confidence)[0], wilson(ceil(total), n, confidence)[1]
        return _kept_inside(clustered_interval(clusters, confidence))

    def pass_at_k(self, k: int) -> Summary:
        """The chance that at least one of k runs of a case passes; cases with fewer runs count as skipped."""
        return self._over_runs(k)[f"pass@{k}"]

    def pass_hat_k(self, k: int) -> Summary:
        """The chance that all of k runs of a case pass; cases with fewer runs count as skipped."""
        return self._over_runs(k)[f"pass^{k}"]

    @property
    def evaluators(self) -> list[str]:
        """The names of the checks, in the order in which they first occur."""
        return list(dict.fromkeys(result.evaluator for case in self.case_results for result in case.results))

    @property
    def summaries(self) -> dict[str, Summary]:
        """Each check's mean score with n, interval, and how many passed, failed, were skipped or broke."""
        rows = [_row(case, position) for position, case in enumerate(self.case_results)]
        found = {}
        for name in self.evaluators:
            verdicts = [result.passed for result in self._measured(name)]
            summary = summary_of_scores([row for row in rows if name in row.scores or name in row.absent], name)
            found[name] = replace(summary, passed=sum(verdicts), failed=len(verdicts) - sum(verdicts))
        return found

    @property
    def scores_by_evaluator(self) -> dict[str, float | None]:
        """The mean score of each check where it was measured."""
        return {name: _mean([result.score for result in self._measured(name)]) for name in self.evaluators}

    @property
    def passed_by_evaluator(self) -> dict[str, float | None]:
        """The share of each check's measurements that passed."""
        return {name: _mean([float(result.passed) for result in self._measured(name)]) for name in self.evaluators}

    @property
    def count_by_tag(self) -> dict[str, int]:
        """How many cases carry each tag."""
        return dict(Counter(tag for case in self.case_results for tag in dict.fromkeys(case.tags)))

    @property
    def scores_by_tag(self) -> dict[str, float | None]:
        """The mean score of the evaluated cases of each tag."""
        return {tag: _mean([case.score for case in self._tagged(tag)]) for tag in self.count_by_tag}

    @property
    def passed_by_tag(self) -> dict[str, float | None]:
        """The pass rate of the evaluated cases of each tag."""
        return {tag: _mean([float(case.passed) for case in self._tagged(tag)]) for tag in self.count_by_tag}

    def filter_by_evaluator(self, name: str) -> list[CaseResult]:
        """The cases that this check measured and failed."""
        if name not in self.evaluators:
            raise ConfigurationError(f"no check {name!r}; there are {', '.join(self.evaluators)}", value=name)
        failed = [(case, result) for case in self.case_results for result in case.measured if not result.passed]
        return [case for case, result in failed if result.evaluator == name]

    def gate(self, fail_threshold: float | None = None, max_error_rate: float | None = None) -> GateFailure | None:
        """What `run` would raise with these limits, or None."""
        counts = {"passed": self.passed, "failed": self.failed, "errors": self.errors, "skipped": self.skipped}
        return gate_failure(**counts, threshold=fail_threshold, max_error_rate=max_error_rate)

    def compare(self, other: EvalReport) -> ReportDiff:
        """What changed from this report to another, case by case."""
        from ringtrue.reports.compare import compare_reports  # which is made of reports

        return compare_reports(self, other)

    @classmethod
    def read(cls, path: Where) -> EvalReport:
        """The report that `save_json` wrote to a file."""
        try:
            return cls.from_dict(parse_json(Path(path).read_bytes()))
        except FileNotFoundError as error:
            words = "a report is what 'ringtrue suite FILE --json REPORT' wrote, not a stored run"
            raise AbsentFile(f"there is no file {os.fspath(path)!r}; {words}") from error
        except (OSError, ValueError, TypeError, AttributeError, RecursionError) as error:
            raise InputError(f"{os.fspath(path)}: not a suite's report: {error}") from error

    def to_dict(self) -> dict[str, Json]:
        """The report as plain values."""
        return {
            "schema": SCHEMA,
            "ringtrue": __version__,
            "suite": self.suite_name,
            "model": self.model_id,
            "purpose": self.purpose,
            "summary": self._summary(),
            "cases": [case_record(case) for case in self.case_results],
            "execution": self.execution,
        }

    @classmethod
    def from_dict(cls, data: Mapping[str, Any]) -> EvalReport:
        """The report that `to_dict` or `to_json` wrote; one that contradicts itself is refused."""
        if not isinstance(data, Mapping) or data.get("schema") != SCHEMA:
            schema = data.get("schema") if isinstance(data, Mapping) else None
            words = f"its schema is {schema!r}, not {SCHEMA!r}; 'ringtrue suite FILE --json REPORT' writes one"
            raise RecordError(f"not a report: {words}", field="schema", value=None)
        cases = tuple(case_from(item) for item in data.get("cases", ()))
        about = {name: data.get(name, "") for name in ("suite", "model", "purpose")}
        execution = data.get("execution", {})
        if not all(isinstance(text, str) for text in about.values()) or not isinstance(execution, Mapping):
            words = "not a report: suite, model and purpose are texts, and execution is an object"
            raise RecordError(words, field="execution", value=None)
        return cls(about["suite"], cases, about["model"], about["purpose"], execution)

    def to_junit_xml(self) -> str:
        """The report as JUnit XML: one testcase per check, each with its own verdict."""
        return junit_document(junit_entries(self.case_results, self.suite_name), self.suite_name)

    def to_csv(self) -> str:
        """One line per check; a case without checks has one line, too."""
        return csv_lines([HEADING, *csv_rows(self.case_results)]).decode()

    def to_html(self) -> str:
        """The report as one HTML file that needs nothing else."""
        from ringtrue.reports.report_html import report_html  # the page is made of reports

        return report_html(self)

    def _summary(self) -> dict[str, Json]:
        counts = ("total", "evaluated", "passed", "failed", "errors", "errors_by_kind", "skipped", "error_rate")
        rest = ("pass_rate", "avg_score", "runs_per_case", "flaky_count", "stability_score", "saturated")
        found: dict[str, Json] = {name: getattr(self, name) for name in (*counts, *rest)}
        found["pass_rate_ci_95"], found["avg_score_ci_95"] = self.pass_rate_ci(), self.avg_score_ci()
        found["by_evaluator"] = {name: asdict(summary) for name, summary in self.summaries.items()}
        scores, rates = self.scores_by_tag, self.passed_by_tag
        found["by_tag"] = {
            tag: {"count": count, "avg_score": scores[tag], "pass_rate": rates[tag]}
            for tag, count in self.count_by_tag.items()
        }
        if self.runs_per_case > 1:
            k = self.runs_per_case
            found["pass_at_k"] = {str(n): asdict(self.pass_at_k(n)) for n in (1, k)}
            found["pass_hat_k"] = {str(n): asdict(self.pass_hat_k(n)) for n in (1, k)}
        return found

    def _count(self, *statuses: EvalStatus) -> int:
        return sum(case.status in statuses for case in self.case_results)

    def _evaluated(self) -> list[CaseResult]:
        return [case for case in self.case_results if case.evaluated]

    def _tagged(self, tag: str) -> list[CaseResult]:
        return [case for case in self._evaluated() if tag in case.tags]

    def _measured(self, name: str) -> list[CheckResult]:
        return [result for case in self.case_results for result in case.measured if result.evaluator == name]

    def _clusters(self, value: Callable[[CaseResult], float | None]) -> list[list[float]]:
        clusters: dict[object, list[float]] = {}
        for position, case in enumerate(self.case_results):
            number = value(case) if case.evaluated else None
            if number is not None:
                clusters.setdefault(source_of(case, position), []).append(number)
        return list(clusters.values())

    def _over_runs(self, k: int) -> Mapping[str, Summary]:
        require_count("k", k)
        rows = [
            EvalRow("", position, {"passed": float(trial.passed)} if trial.evaluated else {})
            for position, case in enumerate(self.case_results)
            for trial in case.trials or (case,)
        ]
        return PassAtK(k, 0.5, "passed").summarise(rows)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None


def _kept_inside(interval: Interval | None) -> Interval | None:
    return (max(0.0, interval[0]), min(1.0, interval[1])) if interval else None


def _row(case: CaseResult, position: int) -> EvalRow:
    scores = {result.evaluator: result.score for result in case.results if result.score is not None}
    absent = {result.evaluator: result.status for result in case.results if result.score is None}
    return EvalRow("", position, scores, metadata={"source_id": case.source_id}, absent=absent)
