"""A run, what of a framework its checks show, and whether its log is whole, as one page."""

from __future__ import annotations

from typing import TYPE_CHECKING

from multivon_eval.compliance import WORDS, ComplianceReporter
from multivon_eval.report import EvalReport
from multivon_eval.reporters.html import page, safe_text, table

if TYPE_CHECKING:
    from multivon_eval.suite import EvalSuite

__all__ = ["ComplianceHtmlReporter", "render_compliance_html"]


class ComplianceHtmlReporter:
    """Pages of the runs that a reporter keeps."""

    def __init__(self, reporter: ComplianceReporter) -> None:
        self.reporter = reporter

    def render(self, report: EvalReport, *, suite: EvalSuite | None = None) -> str:
        """The page of a run; with its suite, what of the framework it shows."""
        about = [("suite", report.suite_name), ("model", report.model_id), ("framework", self.reporter.framework)]
        counts = [(name, str(getattr(report, name))) for name in ("total", "passed", "failed", "errors", "skipped")]
        scores, rates = report.scores_by_evaluator(), report.passed_by_evaluator()
        checks = [(name, f"{scores[name]:.3f}", f"{rates[name]:.1%}") for name in scores]
        sections = [
            _section("Run summary", table(("", ""), [*about, *counts])),
            _section("Evaluators", table(("Check", "mean score", "pass rate"), checks)),
            *([] if suite is None else [_section("Regulatory coverage", self._coverage(suite))]),
            _section("Audit log integrity", self._log(report.suite_name)),
        ]
        written = page(f"Compliance report: {report.suite_name}", report, sections, "Per-case detail")
        return written.replace("<!DOCTYPE html>", "<!doctype html>", 1)  # as the original writes it

    def _coverage(self, suite: EvalSuite) -> str:
        return table(("Control", "what it asks for", "shown by"), self.reporter.coverage(suite).rows())

    def _log(self, suite_name: str) -> str:
        links = list(self.reporter.log(suite_name).links())
        whole = bool(links) and not any(link.fault for link in links)
        told = "PASS: every record is as it was written" if whole else "FAIL: the log is not whole"
        lines = [
            (WORDS[link.fault], str(link.record.get("record_id", "?")), str(link.record.get("timestamp", "")))
            for link in links
        ]
        return f"<p>{safe_text(told)}</p>{table(('Record', 'id', 'time'), lines)}"


def render_compliance_html(reporter: ComplianceReporter, report: EvalReport, *, suite: EvalSuite | None = None) -> str:
    """The page of a run."""
    return ComplianceHtmlReporter(reporter).render(report, suite=suite)


def _section(title: str, content: str) -> str:
    return f"<h2>{safe_text(title)}</h2>\n{content}"
