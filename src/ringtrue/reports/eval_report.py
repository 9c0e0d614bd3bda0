"""`EvalReport`: a run as `EvalSuite.run` returns it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import cached_property
from math import fsum
from typing import Any

from ringtrue._version import __version__
from ringtrue.atomic_file import Where, write_whole
from ringtrue.dialects.suite import CheckResult
from ringtrue.errors import ConfigurationError
from ringtrue.jsontext import json_text
from ringtrue.metrics.repeats import PassAtK
from ringtrue.records import EvalRow, Json, Row, Run, Summary
from ringtrue.reports.case_record import case_record, csv_rows
from ringtrue.reports.case_result import ERRORS, CaseResult, EvalStatus, not_asked, result_of_rows, source_of
from ringtrue.reports.comparing.case_pairs import Side
from ringtrue.reports.comparing.compare_runs import compare_sides
from ringtrue.reports.comparing.comparison import Comparison
from ringtrue.reports.csv_text import csv_lines
from ringtrue.reports.data_frame import Library, frame_of, row_records
from ringtrue.reports.gating.suite_gate import GateFailure, gate_failure
from ringtrue.reports.junit import junit_xml
from ringtrue.reports.run_text import run_text
from ringtrue.require import require_count
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.stats.summarise import part_keys
from ringtrue.stats.tally import Numbers

SCHEMA = "ringtrue.report/v2"

Interval = tuple[float, float]


class EvalReport:
    """A suite's report: the result of every case with its checks; missing measurements are never numbers.

    It is a view of a `run`. `system` chooses one of several systems. Cases that were not asked because the run stopped
    early are skipped. In a run that is not a suite, the headline score of a row is its one check.
    """

    def __init__(self, run: Run, *, system: str | None = None) -> None:
        self.run = run
        named = [one.name for one in run.made.systems]
        if system is None and len(named) > 1:
            words = f"the run has {len(named)} systems; choose one: {', '.join(named)}"
            raise ConfigurationError(words, parameter="system", value=named)
        self.system = system if system is not None else (named[0] if named else "")

    def __repr__(self) -> str:
        return f"EvalReport({self.suite_name!r}, {self.passed} of {self.total} cases passed)"

    def _repr_html_(self) -> str:
        """The report as a notebook shows it."""
        from ringtrue.reports.pages.notebook import run_html

        return run_html(self.run, ("report.failed_cases", "report.to_dataframe()", "report.save_html(path)"))

    def __str__(self) -> str:
        return run_text(self.run, cases=True)

    @property
    def suite_name(self) -> str:
        """The name of the suite, or of the run."""
        made = self.run.made
        return str(made.options.get("suite") or made.name or (made.datasets[0].name if made.datasets else ""))

    @property
    def model_id(self) -> str:
        """The `model_id` of the suite."""
        return str(self.run.made.options.get("model_id") or "")

    @property
    def purpose(self) -> str:
        """The purpose of the suite: `capability`, `regression` or an empty text."""
        return str(self.run.made.options.get("purpose") or "")

    @property
    def execution(self) -> dict[str, Json]:
        """The run id, status and seconds, and the signatures of system and evaluators."""
        made = self.run.made
        return {
            "run": self.run.id,
            "status": self.run.status,
            "stopped_by": self.run.stopped_by or None,
            "seconds": sum(self.run.seconds.values()),
            "systems": [one.name for one in made.systems],
            "signatures": {
                "systems": [one.signature for one in made.systems],
                "evaluators": [one.signature for one in made.evaluators],
            },
        }

    @cached_property
    def case_results(self) -> tuple[CaseResult, ...]:
        """The result of each case, in the order of the suite."""
        groups: dict[tuple[str, int], list[Row]] = {}
        for row in self.run.rows:
            if row.system == self.system:
                groups.setdefault((row.dataset, row.position), []).append(row)
        weights = self.run.made.options.get("weights") or {}
        return (*map(self._case_result, groups.values()), *(not_asked(case, weights) for case in self.run.unasked))

    def _case_result(self, rows: Sequence[Row]) -> CaseResult:
        """Combine the rows of one case, one for each repeat."""
        options, verdicts = self.run.made.options, self._verdicts
        headline = None if verdicts.by_every_check else verdicts.headline(rows[0])
        own = (options.get("case_weights") or {}).get(str(rows[0].trial.case.id)) or {}
        weights = {**(options.get("weights") or {}), **own}
        return result_of_rows(rows, weights, int(options.get("repeats", 1)), headline.evaluator if headline else "")

    @cached_property
    def _verdicts(self) -> RowVerdicts:
        return RowVerdicts(self.run.made)

    @property
    def total(self) -> int:
        """The number of cases."""
        return len(self.case_results)

    @property
    def evaluated(self) -> int:
        """The number of cases with a verdict."""
        return self.passed + self.failed

    @property
    def passed(self) -> int:
        """The number of cases that passed."""
        return self._count(EvalStatus.PASSED)

    @property
    def failed(self) -> int:
        """The number of cases whose output failed a check."""
        return self._count(EvalStatus.FAILED_QUALITY)

    @property
    def errors(self) -> int:
        """The number of cases without a verdict because the system or a check broke."""
        return self._count(*ERRORS)

    @property
    def skipped(self) -> int:
        """The number of cases with nothing to measure, and of cases that were not asked."""
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
        return _mean([case.score for case in self._evaluated_cases()])

    @property
    def flaky_count(self) -> int:
        """The number of cases that passed in some runs and failed in others."""
        return sum(case.is_flaky for case in self.case_results)

    @property
    def stability_score(self) -> float | None:
        """The share of cases that are not flaky."""
        return 1 - self.flaky_count / self.total if self.total else None

    @property
    def runs_per_case(self) -> int:
        """The largest number of times that a case was asked."""
        return max((case.runs for case in self.case_results), default=0)

    @property
    def saturated(self) -> bool:
        """True if every evaluated case passed: such a suite cannot show an improvement."""
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
        return [case for case in self._evaluated_cases() if not case.pass_count]

    def pass_rate_ci(self, confidence: float = 0.95) -> Interval | None:
        """The interval of the pass rate; cases that share a `source_id` are one piece of evidence."""
        return self._interval(lambda case: float(case.passed), confidence)

    def avg_score_ci(self, confidence: float = 0.95) -> Interval | None:
        """The interval of the mean score; cases that share a `source_id` are one piece of evidence."""
        return self._interval(lambda case: case.score, confidence)

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
        """The mean score of each check, with its interval and the numbers of passes, failures, skips and errors."""
        made = self.run.made
        numbers: dict[str, Summary] = {}
        for systems in self.run.summaries.values():
            numbers.update(systems.get(self.system) or {})
        keys = part_keys(made.evaluators)
        mains = {
            one.name: keys[one.name].get(one.main) or next(iter(keys[one.name].values())) for one in made.evaluators
        }
        return {name: numbers[key] for name, key in mains.items() if key in numbers}

    @property
    def scores_by_evaluator(self) -> dict[str, float | None]:
        """The mean of the measured scores of each check."""
        return {name: _mean([result.score for result in self._measured_checks(name)]) for name in self.evaluators}

    @property
    def passed_by_evaluator(self) -> dict[str, float | None]:
        """The share of the measurements of each check that passed."""
        return {
            name: _mean([float(result.passed) for result in self._measured_checks(name)]) for name in self.evaluators
        }

    @property
    def count_by_tag(self) -> dict[str, int]:
        """The number of cases with each tag."""
        return dict(Counter(tag for case in self.case_results for tag in dict.fromkeys(case.tags)))

    @property
    def scores_by_tag(self) -> dict[str, float | None]:
        """The mean score of the evaluated cases of each tag."""
        return {tag: _mean([case.score for case in self._tagged_cases(tag)]) for tag in self.count_by_tag}

    @property
    def passed_by_tag(self) -> dict[str, float | None]:
        """The pass rate of the evaluated cases of each tag."""
        return {tag: _mean([float(case.passed) for case in self._tagged_cases(tag)]) for tag in self.count_by_tag}

    def filter_by_evaluator(self, name: str) -> list[CaseResult]:
        """The cases that this check measured and failed."""
        if name not in self.evaluators:
            raise ConfigurationError(f"no check {name!r}; there are {', '.join(self.evaluators)}", value=name)
        failed = [(case, result) for case in self.case_results for result in case.measured if not result.passed]
        return [case for case, result in failed if result.evaluator == name]

    def gate(self, fail_threshold: float | None = None, max_error_rate: float | None = None) -> GateFailure | None:
        """Return the GateFailure that `run` would raise with these limits, or None."""
        counts = {"passed": self.passed, "failed": self.failed, "errors": self.errors, "skipped": self.skipped}
        return gate_failure(**counts, threshold=fail_threshold, max_error_rate=max_error_rate)

    def compare(self, other: EvalReport) -> Comparison:
        """Compare this report, the baseline, with another, case by case, as `ringtrue.compare` compares runs."""
        return compare_sides([Side(self.run, self.system, "baseline"), Side(other.run, other.system, "proposal")])

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

    def to_json(self) -> str:
        """The report as JSON, without Infinity or NaN."""
        return json_text(self.to_dict(), indent=True)

    def to_junit_xml(self) -> str:
        """The report as JUnit XML: one testcase per check and repeat, each with its own verdict."""
        rows = [row for row in self.run.rows if row.system == self.system]
        return junit_xml(rows, self.suite_name, self.run.made.evaluators, self.run.unasked)

    def to_csv(self) -> str:
        """The report as CSV with one line per check; a case without checks has one line, too."""
        return csv_lines([*csv_rows(self.case_results)]).decode()

    def to_html(self) -> str:
        """The report as one HTML file that needs nothing else."""
        from ringtrue.reports.pages.run_report import run_page

        return run_page(self.run)

    def to_dataframe(self, library: Library | None = None) -> Any:
        """A data frame with one line per case and repeat: texts, status, scores, cost; pandas, or else polars."""
        return frame_of(row_records([row for row in self.run.rows if row.system == self.system], self.run), library)

    def save_json(self, path: Where) -> None:
        """Write the report as JSON; missing folders are created."""
        write_whole(path, self.to_json().encode())

    def save_junit_xml(self, path: Where) -> None:
        """Write the report as JUnit XML; missing folders are created."""
        write_whole(path, self.to_junit_xml().encode())

    def save_csv(self, path: Where) -> None:
        """Write the report as CSV; missing folders are created."""
        write_whole(path, self.to_csv().encode())

    def save_html(self, path: Where) -> None:
        """Write the report as one HTML file; missing folders are created."""
        write_whole(path, self.to_html().encode())

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

    def _evaluated_cases(self) -> list[CaseResult]:
        return [case for case in self.case_results if case.evaluated]

    def _tagged_cases(self, tag: str) -> list[CaseResult]:
        return [case for case in self._evaluated_cases() if tag in case.tags]

    def _measured_checks(self, name: str) -> list[CheckResult]:
        return [result for case in self.case_results for result in case.measured if result.evaluator == name]

    def _interval(self, value: Callable[[CaseResult], float | None], level: float) -> Interval | None:
        numbers = Numbers()
        for position, case in enumerate(self.case_results):
            found = value(case) if case.evaluated else None
            if found is not None:
                numbers.add([found], [source_of(case, position)])
        return numbers.interval(level)[0]

    def _over_runs(self, k: int) -> Mapping[str, Summary]:
        require_count("k", k)
        rows = [
            EvalRow("", example_id=position, scores={"passed": float(trial.passed)} if trial.evaluated else {})
            for position, case in enumerate(self.case_results)
            for trial in case.trials or (case,)
        ]
        return PassAtK(k, 0.5, "passed").summarise(rows)


def _mean(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return fsum(known) / len(known) if known else None
