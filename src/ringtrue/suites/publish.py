"""`Publishing`: writes a suite's report to files and to the terminal, and applies the gate."""

from __future__ import annotations

import sys
from dataclasses import dataclass

from ringtrue.atomic_file import Where, check_place
from ringtrue.errors import InputError
from ringtrue.reports.eval_report import EvalReport
from ringtrue.reports.run_text import print_run
from ringtrue.require import require_share

_FILES = ("save_json", "save_junit_xml", "save_csv", "save_html")


@dataclass(frozen=True, kw_only=True)
class Publishing:
    """The files to write, the gate, and whether to print; wrong values raise before the first call."""

    verbose: bool = True
    fail_threshold: float | None = None
    max_error_rate: float | None = None
    save_json: Where | None = None
    save_junit_xml: Where | None = None
    save_csv: Where | None = None
    save_html: Where | None = None

    def __post_init__(self) -> None:
        for name in ("fail_threshold", "max_error_rate"):
            if getattr(self, name) is not None:
                require_share(name, getattr(self, name))
        for name in _FILES:
            if (path := getattr(self, name)) is not None:
                check_place(path, name)

    def publish(self, report: EvalReport) -> EvalReport:
        """Write the files, then print, then apply the gate, so that a failure loses no result."""
        unwritten: InputError | None = None
        for name in _FILES:
            try:
                if (path := getattr(self, name)) is not None:
                    getattr(report, name)(path)
            except InputError as error:
                unwritten = unwritten or error
        if self.verbose:
            print_run(report.run, cases=True)
        if unwritten is not None:
            raise unwritten
        failure = report.gate(self.fail_threshold, self.max_error_rate)
        if failure is not None:
            sys.stderr.write(f"ringtrue: {failure}\n")  # an exit code alone would end the process without a word
            raise failure
        return report
