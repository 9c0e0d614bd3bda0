"""A report on the terminal, with what a reader of its numbers should know."""

from __future__ import annotations

from collections.abc import Iterator

from rich.console import Console

from multivon_eval.experiments import min_detectable_effect
from multivon_eval.passk import PassKResult
from multivon_eval.report import EvalReport
from multivon_eval.validate import ValidationReport
from ringtrue.reports.report_text import report_text
from ringtrue.reports.table import printable

__all__ = ["console", "print_report", "print_validation"]

WIDTH = 110
SHOWN = 5
"""So many cases are named in a notice."""
COARSE = 0.2
"""A suite that would not show a smaller change of its pass rate than this says so."""
FEWEST = 3
"""A suite of fewer cases says nothing by passing."""

console = Console()


def print_report(report: EvalReport) -> None:
    """Print a report on standard output; text from outside is never markup, and what the output lacks is escaped."""
    wide = console.width if console.is_terminal else WIDTH
    text = report_text(report.native(), width=wide, colour=console.is_terminal)
    _print(text + "".join(f"{notice}\n" for notice in notices(report)))


def print_validation(report: ValidationReport) -> None:
    """Print what the checks of a suite are worth."""
    _print("".join(f"{printable(line)}\n" for line in str(report).splitlines()))


def notices(report: EvalReport) -> Iterator[str]:
    """What the numbers do not say by themselves: luck, saturation, too few cases."""
    if (k := report.runs_per_case) > 1:
        yield f"Reliability ({k} runs/case):"
        yield f"  {_estimate(report.pass_at_k(k))}  capability: one of {k} runs passes"
        yield f"  {_estimate(report.pass_hat_k(k))}  reliability: all of {k} runs pass"
        if lottery := report.lottery_cases():
            yield f"  passes sometimes, never reliably: {_named([case.case_input for case in lottery])}"
    if never := report.zero_pass_cases:
        yield f"Never passed: {_named([case.case_input for case in never])}"
        yield "  `multivon-eval validate FILE` shows whether the checks pass what is right."
    if report.purpose == "regression":
        if failed := report.failed_cases:
            yield f"A regression suite should pass whole; triage: {_named([case.case_input for case in failed])}"
    elif report.saturated and report.evaluated >= FEWEST:
        low = f"{report.pass_rate_ci()[0]:.1%}"
        yield f"Saturated: all {report.evaluated} evaluated cases passed, which a true pass rate of {low} may do, too."
        yield "  Graduate the suite to purpose='regression', and add cases that are harder."
    least = min_detectable_effect(report.total) if report.total else 0.0
    if least > COARSE:
        yield f"Power warning: {report.total} cases show only pass rate changes of {least:.0%} or more (80% power)"


def _print(text: str) -> None:
    console.out(text.encode(console.encoding, "backslashreplace").decode(console.encoding), highlight=False, end="")


def _estimate(found: PassKResult) -> str:
    name = found.metric.replace("k", str(found.k))
    if found.value is None or found.ci_low is None or found.ci_high is None:
        return f"{name} {found.unknown_reason}"
    return f"{name} {found.value:.3f} [{found.ci_low:.3f}, {found.ci_high:.3f}]"


def _named(inputs: list[str]) -> str:
    more = len(inputs) - SHOWN
    return ", ".join(repr(str(text)[:60]) for text in inputs[:SHOWN]) + (f" and {more} more" if more > 0 else "")
