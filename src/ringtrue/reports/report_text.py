"""A suite's report in words, for a terminal."""

from __future__ import annotations

import sys

from ringtrue.reports.eval_report import EvalReport, Interval
from ringtrue.reports.suite_table import Line, Tag, suite_text


def print_report(report: EvalReport) -> None:
    """Print a report on standard output; what its encoding lacks is escaped, so that printing never fails a run."""
    from rich.console import Console

    console = Console(stderr=False)
    text = report_text(report, width=console.width if console.is_terminal else 110, colour=console.is_terminal)
    encoding = getattr(sys.stdout, "encoding", None) or "utf-8"
    sys.stdout.write(text.encode(encoding, "backslashreplace").decode(encoding))


def report_text(report: EvalReport, *, width: int = 110, colour: bool = False) -> str:
    """The report as text: cases, checks, tags, and the numbers with their intervals."""
    lines = [
        Line(
            case.case_id,
            case.case_input,
            str(case.status),
            case.score,
            case.latency_ms,
            [(str(case.status), case.model_error)]
            if case.model_error is not None
            else [(result.evaluator, result.reason) for result in case.results if not result.passed],
        )
        for case in report.case_results
    ]
    scores, rates = report.scores_by_tag, report.passed_by_tag
    tags = [Tag(name, count, scores[name], rates[name]) for name, count in report.count_by_tag.items()]
    title = report.suite_name + (f" ({report.model_id})" if report.model_id else "")
    return suite_text(title, lines, report.summaries, tags, _verdict(report), width=width, colour=colour)


def _verdict(report: EvalReport) -> list[str]:
    rate = "" if report.pass_rate is None else f": {report.pass_rate:.3f}{_interval(report.pass_rate_ci())}"
    mean = "" if report.avg_score is None else f"; mean score {report.avg_score:.3f}{_interval(report.avg_score_ci())}"
    words = [f"{report.passed:,} of {report.evaluated:,} evaluated cases passed{rate}{mean}"]
    kinds = ", ".join(f"{count:,} {kind}" for kind, count in report.errors_by_kind.items())
    missing = [f"{report.errors:,} errors ({kinds})"] if report.errors else []
    missing += [f"{report.skipped:,} skipped"] if report.skipped else []
    if missing:
        words.append(f"without a verdict: {', '.join(missing)} of {report.total:,} cases")
    if report.execution.get("stopped_by"):
        words.append(f"stopped early: {report.execution['stopped_by']}")
    if (k := report.runs_per_case) > 1:
        any_of, all_of = report.pass_at_k(k).value, report.pass_hat_k(k).value
        numbers = "" if any_of is None else f"; pass@{k} {any_of:.3f}, pass^{k} {all_of:.3f}"
        words.append(f"{k} runs per case, {report.flaky_count:,} flaky{numbers}")
    return words


def _interval(interval: Interval | None) -> str:
    return "" if interval is None else " [{:.3f}, {:.3f}]".format(*interval)
