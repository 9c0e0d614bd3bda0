"""A report as JUnit XML."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from multivon_eval.native import native_case
from ringtrue.reports.junit import Entry, junit_document
from ringtrue.reports.report_lines import junit_entries

if TYPE_CHECKING:
    from multivon_eval.report import EvalReport


def to_junit_xml(report: EvalReport) -> str:
    """One testcase per check, each with its own verdict; the body of a failure begins with the reason."""
    entries = junit_entries([native_case(case) for case in report.case_results], report.suite_name)
    return junit_document(map(_told, entries), report.suite_name)


def _told(entry: Entry) -> Entry:
    # Some dashboards show the body of a failure and not its message.
    return replace(entry, detail=f"{entry.message}\n{entry.detail}") if entry.detail else entry
