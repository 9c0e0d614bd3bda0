"""A report on the terminal."""

from __future__ import annotations

from multivon_eval.report import EvalReport
from ringtrue.api import report_text


def print_report(report: EvalReport) -> None:
    """Print a report on standard output; text from outside is never markup."""
    report_text.print_report(report.native())
