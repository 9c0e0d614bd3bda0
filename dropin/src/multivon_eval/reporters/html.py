"""A report as HTML."""

from __future__ import annotations

from multivon_eval.report import EvalReport

__all__ = ["to_html"]


def to_html(report: EvalReport) -> str:
    """The report as one HTML file."""
    return report.to_html()
