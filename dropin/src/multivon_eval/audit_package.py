"""`build_audit_package`: the log of a suite with what it shows, and the means to check it, in one archive."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path, PurePosixPath
from string import Template
from typing import Any

from _ringtrue_dropin import __version__

from multivon_eval.compliance import log_of, require_framework
from multivon_eval.controls import CATALOGS
from multivon_eval.thresholds import calibration_file, load_calibration
from ringtrue.reports.plain import plain_json
from ringtrue.reports.whole_file import Where, write_whole

__all__ = ["build_audit_package"]

_PACKAGE_FORMAT_VERSION = 1


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
    period = period_label or datetime.now(UTC).strftime("%Y-%m-%d")
    records = [link.record for link in log.links()]
    tip = str(records[-1].get("record_hash", "")) if records else ""
    own = files("multivon_eval")
    readme = Template(own.joinpath("audit_readme.md").read_text("utf-8"))
    logged = _calibration_version(records)
    label, table = _read_calibration_data(logged)
    thresholds = f"calibration_{label}.json"
    words = {"suite": suite_name, "period": period, "framework": framework, "tip": tip, "calibration": thresholds}
    content = {
        "audit_log.ndjson": log.path.read_bytes(),
        thresholds: table,
        "coverage_report.md": _coverage(records, framework).encode(),
        "verify.py": own.joinpath("audit_verify.py").read_bytes(),
        "README.md": readme.substitute(words).encode(),
    }
    for name, data in (extra_files or {}).items():
        path = PurePosixPath(name)
        if name in content or name == "manifest.json" or path.is_absolute() or ".." in path.parts or "\\" in name:
            raise ValueError(f"extra_files: {name!r} is the name of another file, or leads out of the archive")
        content[name] = bytes(data)
    manifest = {
        "package_format_version": _PACKAGE_FORMAT_VERSION,
        "suite_name": suite_name,
        "framework": framework,
        "period": period,
        "created_at": datetime.now(UTC).isoformat(),
        "library_version": __version__,
        "calibration_version": label,
        "calibration_source": "default" if logged is None else "logged",
        "records": len(records),
        "chain_tip": tip,
        "files": [
            {"path": name, "sha256": hashlib.sha256(data).hexdigest(), "bytes": len(data)}
            for name, data in content.items()
        ],
    }
    folder = "compliance-evidence-" + "".join("_" if sign in "/\\\0 " else sign for sign in period)
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as package:
        for name, data in {**content, "manifest.json": plain_json(manifest).encode()}.items():
            package.writestr(f"{folder}/{name}", data)
    write_whole(out_path, archive.getvalue())
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


def _coverage(records: list[Mapping[str, Any]], framework: str) -> str:
    """Which controls the checks of the records show."""
    names = {
        str(check.get("evaluator"))
        for record in records
        for check in (*record.get("evaluator_results", ()), *(record.get("case") or {}).get("evaluators", ()))
    }
    catalog = CATALOGS[framework]
    lines = [f"# {framework}", "", "| control | asks for | shown by |", "|---|---|---|"]
    for key, control in catalog.measurable.items():
        shown = sorted(name for name in names if key in catalog.by_evaluator.get(name, ()))
        lines.append(f"| {control.id} | {control.description} | {', '.join(shown) or 'no recorded check'} |")
    lines += [f"| {each.id} | {each.description} | beyond any check |" for each in catalog.process.values()]
    return "\n".join([*lines, ""])
