"""Pages over a folder of saved reports: all of them in a table, one of them, two side by side."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

from multivon_eval.case_result import CaseResult
from multivon_eval.compare import CaseDiff
from multivon_eval.report import EvalReport
from multivon_eval.reporters.html import framed, safe_text

__all__ = ["Entry", "discover", "is_eval_report", "load_report", "render_diff", "render_index", "render_open"]

HIGH_ERRORS = 0.1
"""A report of which so many cases broke is marked."""
OFFERED = 50
"""So many other reports are offered for a comparison with one."""

_BACK = '<a href="/">← all reports</a>'
_COLUMNS = {
    "run": lambda entry: entry.name,
    "suite": lambda entry: entry.suite,
    "model": lambda entry: entry.model,
    "cases": lambda entry: entry.total,
    "passed": lambda entry: entry.pass_rate,
    "score": lambda entry: entry.avg_score,
    "errors": lambda entry: entry.error_rate,
}


@dataclass(frozen=True)
class Entry:
    """A report in a folder: where it is, and its numbers."""

    idx: int
    path: Path
    stem: str
    parent_prefix: str
    content_digest: str
    suite: str
    model: str
    total: int
    pass_rate: float
    avg_score: float
    error_rate: float

    @property
    def name(self) -> str:
        """The file's name below the folder, without its suffix."""
        return f"{self.parent_prefix}/{self.stem}" if self.parent_prefix else self.stem

    @property
    def key(self) -> str:
        """What tells the file from others of the folder."""
        return hashlib.sha256(self.name.encode("utf-8", "surrogateescape")).hexdigest()[:12]


def is_eval_report(data: Any) -> bool:
    """Whether JSON looks like a report: a summary with a pass rate, and cases with inputs and checks."""
    if not isinstance(data, Mapping) or not isinstance(data.get("summary"), Mapping):
        return False
    cases = data.get("cases") or ()
    known = isinstance(cases, list) and "pass_rate" in data["summary"]
    return known and all(_is_case(case) for case in cases)


def _is_case(case: Any) -> bool:
    return isinstance(case, Mapping) and "input" in case and ("evaluators" in case or "status" in case)


class Changed(ValueError):
    """A file is not what it was when it was listed."""


def load_report(path: Path, *, expected_digest: str | None = None, base_dir: Path | None = None) -> EvalReport:
    """The report in a file, or a ValueError that names it; of this content, below this folder, if these are given."""
    if base_dir is not None and not path.resolve().is_relative_to(base_dir.resolve()):
        raise ValueError(f"{path} is outside {base_dir}")
    data = path.read_bytes()
    if expected_digest is not None and _digest(data) != expected_digest:
        raise Changed(f"{path} has changed since it was listed")
    return _loaded(path, data)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()


def _loaded(path: Path, data: bytes) -> EvalReport:
    try:
        return EvalReport.from_dict(json.loads(data))
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError) as error:
        raise ValueError(f"{path} is no report: {error}") from error


def discover(folder: Path, recursive: bool = False) -> tuple[list[Entry], list[Path]]:
    """The reports of a folder, and its other JSON files; a link may lead out of it, and is none of its reports."""
    entries: list[Entry] = []
    skipped: list[Path] = []
    for path in sorted(folder.rglob("*.json") if recursive else folder.glob("*.json")):
        try:
            data = path.read_bytes()
            if path.is_symlink() or not is_eval_report(json.loads(data)):
                raise ValueError("not a report of this folder")
            entries.append(_entry(len(entries), path, folder, data))
        except (OSError, ValueError, RecursionError):
            skipped.append(path)
    return entries, skipped


def _entry(place: int, path: Path, folder: Path, data: bytes) -> Entry:
    report, inside = _loaded(path, data), path.parent.relative_to(folder)
    return Entry(
        place,
        path,
        path.stem,
        "" if inside == Path() else inside.as_posix(),
        _digest(data),
        report.suite_name,
        report.model_id,
        report.total,
        report.pass_rate,
        report.avg_score,
        report.error_rate,
    )


def render_index(
    valid: Sequence[Entry],
    skipped: Sequence[Path],
    base_dir: Path | None = None,
    sort: str = "run",
    direction: str = "asc",
) -> str:
    """The table of all reports, sorted by a column; each opens, and offers the others for a comparison."""
    shown = sorted(valid, key=_COLUMNS.get(sort, _COLUMNS["run"]), reverse=direction == "desc")
    turned = "asc" if direction == "desc" else "desc"
    head = [_link("/", column, sort=column, direction=turned if column == sort else "asc") for column in _COLUMNS]
    rows = [[*_cells(entry), _offers(entry, valid)] for entry in shown]
    body = _table([*head, ""], rows) if rows else "<p>There is no report here.</p>"
    if skipped:
        names = "".join(f"<li>{safe_text(str(path))}</li>" for path in skipped)
        words = f"{len(skipped)} file(s) skipped (not eval reports)"
        body += f'<div class="muted">{words}<details><summary>show files</summary><ul>{names}</ul></details></div>'
    return _page(f"Reports in {base_dir}" if base_dir else "Reports", body, back="")


def _cells(entry: Entry) -> list[str]:
    errors = f"{entry.error_rate:.1%}"
    if entry.error_rate >= HIGH_ERRORS:
        errors = f'<span class="badge errflag">{errors}</span>'
    return [
        _link(f"/r/{entry.idx}", entry.name, key=entry.key, digest=entry.content_digest),
        safe_text(entry.suite),
        safe_text(entry.model),
        f"{entry.total}",
        f"{entry.pass_rate:.1%}",
        f"{entry.avg_score:.3f}",
        errors,
    ]


def _offers(entry: Entry, valid: Sequence[Entry]) -> str:
    others = [other for other in valid if other is not entry][:OFFERED]
    links = [_link("/diff", other.name, a=entry.key, b=other.key) for other in others]
    return f"<details><summary>diff vs</summary>{'<br>'.join(links)}</details>" if links else ""


def render_open(report: EvalReport, entry: Entry) -> str:
    """The report's own page, with the way back to all reports."""
    head, body, rest = report.to_html().partition("<body>")
    return f"{head}{body}\n<p>{_BACK} / {safe_text(entry.name)}</p>{rest}"


def render_diff(a: EvalReport, b: EvalReport, name_a: str = "baseline", name_b: str = "proposal") -> str:
    """What changed from one report to another, with what the checks of both said of each case that failed."""
    diff = a.compare(b)
    change = diff.pass_rate_delta or 0.0
    trend = "up" if change > 0 else "down" if change < 0 else "same"
    rates = f"{diff.baseline_pass_rate:.1%} → {diff.proposal_pass_rate:.1%}"
    failing = [case for case in diff.unchanged if case.evaluated and case.proposal_status == "failed_quality"]
    others = [case for case in diff.unchanged if case not in failing]
    sides = ((name_a, _by_case(a)), (name_b, _by_case(b)))
    body = f'<p>Pass rate {rates} <span class="delta {trend}">{change:+.1%}</span></p>'
    for title, cases in (("Regressed", diff.regressions), ("Fixed", diff.improvements), ("Still failing", failing)):
        body += f"<h2>{title} ({len(cases)})</h2>" + "".join(_changed(case, sides) for case in cases)
    body += f"<h2>Unchanged ({len(others)})</h2>"
    if diff.added or diff.removed:
        body += f"<h2>Unmatched cases ({len(diff.added)} added, {len(diff.removed)} removed)</h2>"
        body += "".join(f"<p>{safe_text(str(case.case_input))}</p>" for case in (*diff.added, *diff.removed))
    issues = dict.fromkeys([*diff.identity_issues, *a.evidence_issues, *b.evidence_issues])
    body += "".join(f'<p class="muted">{safe_text(issue)}</p>' for issue in issues)
    return _page(f"{name_a} → {name_b}", body)


def _changed(case: CaseDiff, sides: Iterable[tuple[str, Mapping[str, CaseResult]]]) -> str:
    told = "".join(_reasons(name, cases.get(str(case.case_id or case.case_input))) for name, cases in sides)
    named = f"<p>Case: {safe_text(str(case.case_id))}</p>" if case.case_id else ""
    return f"<details open><summary>{safe_text(case.case_input)}</summary>{named}{told}</details>"


def _reasons(name: str, case: CaseResult | None) -> str:
    if case is None:
        return ""
    lines = [f"{result.evaluator}: {result.reason}" for result in case.results]
    said = "\n".join([str(case.actual_output), "", *lines])
    return f"<p>{safe_text(name)}: {safe_text(str(case.status))}</p><pre>{safe_text(said)}</pre>"


def _by_case(report: EvalReport) -> dict[str, CaseResult]:
    return {case.case_id or str(case.case_input): case for case in report.case_results}


def _link(path: str, words: str, **query: Any) -> str:
    return f'<a href="{safe_text(f"{path}?{urlencode(query)}")}">{safe_text(words)}</a>'


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [[f"<th>{cell}</th>" for cell in head], *([f"<td>{cell}</td>" for cell in row] for row in rows)]
    return "<table>" + "".join(f"<tr>{''.join(cells)}</tr>" for cells in lines) + "</table>"


def _page(title: str, body: str, back: str = _BACK) -> str:
    return framed("folder.html", title, back=back, body=body)
