"""`AuditLog`: the runs of a suite in a log whose records hold each other, and what of a framework their checks show."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from ringtrue._version import __version__
from ringtrue.api.engine import engine
from ringtrue.api.report import EvalReport
from ringtrue.records import Json
from ringtrue.reports.audit_package import audit_package
from ringtrue.reports.chained_log import ChainedLog, Link
from ringtrue.reports.controls import CoverageReport, catalog_of, controls_for, coverage
from ringtrue.reports.plain import plain_json
from ringtrue.reports.whole_file import Where, write_whole


@dataclass(frozen=True)
class AuditLog:
    """A file of runs, a line each, that shows whether a line was changed or taken out.

    Whoever can write to the file can write all of it anew: keep the last hash elsewhere.
    """

    path: Path
    framework: str = "none"

    def __post_init__(self) -> None:
        catalog_of(self.framework)

    def add(self, report: EvalReport, tags: Mapping[str, str] | None = None) -> str:
        """Add a run, and return the hash of its record."""
        told = report.to_dict()
        checks = [
            {"evaluator": name, **summary, "controls": [one.record() for one in controls_for(self.framework, name)]}
            for name, summary in told["summary"].pop("by_evaluator").items()
        ]
        record = {
            "suite": report.suite_name,
            "model": report.model_id,
            "time": datetime.now(UTC).isoformat(),
            "framework": self.framework,
            "tags": dict(tags or {}),
            "summary": told["summary"],
            "checks": checks,
            "run": report.execution.get("run"),
            "signatures": report.execution.get("signatures"),
            "ringtrue": __version__,
            "engine": engine(),
        }
        return self._log.append(json.loads(plain_json(record)))

    def links(self) -> list[Link]:
        """Every record, and what is wrong with it."""
        return list(self._log.links())

    def coverage(self) -> CoverageReport:
        """What of the framework the recorded checks show; a record with a fault shows nothing."""
        suite = ""
        checks: dict[str, None] = {}
        for link in self._log.links():
            if not link.fault:
                suite = suite or str(link.record.get("suite", ""))
                checks |= dict.fromkeys(_checks(link.record))
        return coverage(self.framework, suite, checks)

    def package(self, path: Where, period: str = "") -> None:
        """Write an archive of the log that anybody can check with Python alone."""
        shown = self.coverage()
        about = {
            "suite_name": shown.suite_name,
            "framework": self.framework,
            "period": period or datetime.now(UTC).strftime("%Y-%m-%d"),
            "ringtrue": __version__,
        }
        content = {"coverage_report.md": (shown.to_markdown().encode(), "which controls the recorded checks show.")}
        write_whole(path, audit_package(self._log, about, content))

    @property
    def _log(self) -> ChainedLog:
        return ChainedLog(self.path)


def _checks(record: Mapping[str, Json]) -> Iterator[str]:
    """The names of the checks in a record, which anybody may have written."""
    told = record.get("checks")
    for check in told if isinstance(told, list) else ():
        if isinstance(check, dict) and isinstance(check.get("evaluator"), str):
            yield check["evaluator"]
