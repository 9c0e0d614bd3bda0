"""A suite's report check by check: testcases of JUnit and lines of CSV."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from ringtrue.dialects.suite import CheckResult
from ringtrue.records import Json
from ringtrue.reports.case_result import ERRORS, CaseResult
from ringtrue.reports.junit import Entry, Outcome, case_label, check_name, trial_detail

HEADING = (
    "case_id", "input", "output", "case_status", "case_score", "evaluator", "score", "passed", "status", "reason",
    "weight", "runs", "pass_count", "latency_ms", "tags",
)  # fmt: skip


def junit_entries(cases: Sequence[CaseResult], suite: str) -> Iterator[Entry]:
    """One testcase per check, named so that no two are alike; the time of an answer stands at its first check."""
    labels = [case_label(case.case_id, case.case_input) for case in cases]
    counts = Counter(labels)
    for position, (case, label) in enumerate(zip(cases, labels, strict=True), 1):
        unique = label if counts[label] == 1 else f"{label} #{position}"
        seconds = (case.latency_ms or 0.0) / 1_000
        for result in case.results:
            outcome, message = _outcome(result)
            kind = str(case.status) if outcome == "error" and case.status in ERRORS else ""
            detail = trial_detail(case.case_input, case.expected, case.actual_output) if outcome == "failed" else ""
            name = check_name(result.evaluator, unique)
            yield Entry(suite, name, outcome, message, kind, detail, seconds, result.score)
            seconds = 0.0
        if not case.results:
            yield _alone(case, suite, check_name("(no check)", unique), seconds)


def csv_rows(cases: Sequence[CaseResult]) -> Iterator[list[Json]]:
    """One line per check; a case without checks has one line, too."""
    for case in cases:
        start = [case.case_id, case.case_input, case.actual_output, str(case.status), case.score]
        end = [case.runs, case.pass_count, case.latency_ms, ",".join(case.tags)]
        for result in case.results:
            weight = case.weights.get(result.evaluator, 1.0)
            verdict = [result.evaluator, result.score, result.passed, result.status, result.reason, weight]
            yield [*start, *verdict, *end]
        if not case.results:
            yield [*start, None, None, None, None, case.error, None, *end]


def _outcome(result: CheckResult) -> tuple[Outcome, str]:
    if result.status != "scored":
        return result.status, result.reason
    return ("passed", "") if result.passed else ("failed", result.reason or f"scored {result.score:g}")


def _alone(case: CaseResult, suite: str, name: str, seconds: float) -> Entry:
    if case.status in ERRORS:
        return Entry(suite, name, "error", case.error or "", str(case.status), "", seconds)
    return Entry(suite, name, "skipped", "not run" if case.skipped else "nothing measured this case", "", "", seconds)
