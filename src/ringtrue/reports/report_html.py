"""A suite's report as a page."""

from __future__ import annotations

from ringtrue.dialects.suite import CheckResult
from ringtrue.reports.case_result import CaseResult, EvalStatus
from ringtrue.reports.eval_report import EvalReport, Interval
from ringtrue.reports.html import Grid, html_page

_KINDS = {EvalStatus.PASSED: "passed", EvalStatus.FAILED_QUALITY: "failed"}


def report_html(report: EvalReport) -> str:
    """The report as one HTML file: the numbers with their intervals, the checks, the tags, and every case."""
    title = report.suite_name + (f" ({report.model_id})" if report.model_id else "")
    grids = [_summary(report), _checks(report), _tags(report), _cases(report)]
    return html_page(title, [grid for grid in grids if grid.rows])


def _summary(report: EvalReport) -> Grid:
    rows = [
        ["cases", f"{report.total:,}"],
        ["evaluated", f"{report.evaluated:,}"],
        ["passed", f"{report.passed:,}"],
        ["failed", f"{report.failed:,}"],
        ["errors", ", ".join(f"{count:,} {kind}" for kind, count in report.errors_by_kind.items()) or "0"],
        ["skipped", f"{report.skipped:,}"],
        ["pass rate", _number(report.pass_rate) + _interval(report.pass_rate_ci())],
        ["mean score", _number(report.avg_score) + _interval(report.avg_score_ci())],
    ]
    if report.runs_per_case > 1:
        rows += [["runs per case", f"{report.runs_per_case:,}"], ["flaky cases", f"{report.flaky_count:,}"]]
    return Grid("Summary (95% intervals)", ("", "value"), rows)


def _checks(report: EvalReport) -> Grid:
    counts = ("n", "passed", "failed", "skipped", "errors")
    rows = [
        [name, _number(summary.value), _interval(summary.interval).strip() or "–"]
        + [f"{getattr(summary, count) or 0:,}" for count in counts]
        for name, summary in report.summaries.items()
    ]
    return Grid("Checks", ("check", "mean score", "95% interval", *counts), rows)


def _tags(report: EvalReport) -> Grid:
    scores, rates = report.scores_by_tag, report.passed_by_tag
    rows = [[tag, f"{n:,}", _number(scores[tag]), _number(rates[tag])] for tag, n in report.count_by_tag.items()]
    return Grid("Tags", ("tag", "cases", "mean score", "pass rate"), rows)


def _cases(report: EvalReport) -> Grid:
    heading = ("case", "status", "score", "input", "expected", "output", "checks", "ms", "tags")
    kinds = [_KINDS.get(case.status, "absent") for case in report.case_results]
    return Grid("Cases", heading, [_case(case) for case in report.case_results], kinds)


def _case(case: CaseResult) -> list[str]:
    checks = [_check(result) for result in case.results]
    if case.runs > 1:
        checks.append(f"{case.pass_count:,} of {case.runs:,} runs passed")
    return [
        str(case.case_id),
        str(case.status) + (f": {case.error}" if case.error else ""),
        _number(case.score),
        case.case_input,
        " | ".join(case.expected or ()),
        case.actual_output,
        "\n".join(checks),
        "–" if case.latency_ms is None else f"{case.latency_ms:,.0f}",
        ", ".join(case.tags),
    ]


def _check(result: CheckResult) -> str:
    verdict = ("passed" if result.passed else "failed") if result.status == "scored" else result.status
    number = "" if result.score is None else f" {result.score:.3f}"
    return f"{result.evaluator}: {verdict}{number}" + (f", {result.reason}" if result.reason else "")


def _number(value: float | None) -> str:
    return "–" if value is None else f"{value:.3f}"


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else " [{:.3f}, {:.3f}]".format(*interval)
