"""`build_audit_package`: the log of a suite with what it shows, and the means to check it, in one archive."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from _ringtrue_dropin import __version__
from ringtrue.reports.audit_package import FORMAT as _PACKAGE_FORMAT_VERSION
from ringtrue.reports.audit_package import audit_package
from ringtrue.reports.controls import coverage

from multivon_eval.compliance import log_of, require_framework
from multivon_eval.thresholds import calibration_file, load_calibration
from ringtrue.atomic_file import Where, write_whole

__all__ = ["_PACKAGE_FORMAT_VERSION", "build_audit_package"]


def build_audit_package(
    *,
    logs_dir: Where,
    suite_name: str,
    framework: str,
    out_path: Where,
    period_label: str | None = None,
    extra_files: Mapping[str, bytes] | None = None,
) -> Path:
    """Write an archive of a suite's log that can be checked without this library; where it is."""
    require_framework(framework)
    log = log_of(Path(logs_dir), suite_name)
    if not log.path.is_file():
        raise FileNotFoundError(f"there is no log of the suite {suite_name!r} in {str(logs_dir)!r}")
    records = [link.record for link in log.links()]
    logged = _calibration_version(records)
    label, table = _read_calibration_data(logged)
    about = {
        "suite_name": suite_name,
        "framework": framework,
        "period": period_label or datetime.now(UTC).strftime("%Y-%m-%d"),
        "library_version": __version__,
        "calibration_version": label,
        "calibration_source": "default" if logged is None else "logged",
    }
    shown = coverage(framework, suite_name, _checks(records)).to_markdown()
    content = {
        f"calibration_{label}.json": (table, "the thresholds that the judges of the recorded runs were held to."),
        "coverage_report.md": (shown.encode(), "which controls the recorded checks show."),
    }
    write_whole(out_path, audit_package(log, about, content, extra_files=extra_files))
    return Path(out_path)


def _read_calibration_data(label: str | None) -> tuple[str, bytes]:
    """The table of thresholds of a label, or the one in use, as it stands in its file."""
    return load_calibration(version=label).version_label, calibration_file(label).read_bytes()


def _calibration_version(records: Iterable[Mapping[str, Any]]) -> str | None:
    """The table that the first suite of a log which names one was run with; its own word goes before a check's."""
    for record in records:
        lock = (record.get("provenance") or {}).get("suite_lock") or {}
        checks = [(check.get("calibration") or {}).get("version") for check in lock.get("evaluators") or ()]
        label = next((found for found in (lock.get("calibration_version"), *checks) if found), None)
        if label is not None:
            return str(label)
    return None


def _calibration_version_from_log(log: bytes) -> str | None:
    return _calibration_version(json.loads(line) for line in log.splitlines() if line.strip())


def _checks(records: Iterable[Mapping[str, Any]]) -> list[str]:
    return sorted(
        str(check.get("evaluator"))
        for record in records
        for check in (*record.get("evaluator_results", ()), *(record.get("case") or {}).get("evaluators", ()))
    )
