"""`StalenessReport`: which prompts changed since a baseline, and which cases were made for those."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from ringtrue.errors import ConfigurationError
from ringtrue.prompts.baseline import DEFAULT_BASELINE_NAME, Baseline, BaselineError, load_baseline, scan_repo
from ringtrue.prompts.cases import (
    NO_EVIDENCE,
    CaseVerdict,
    cases_of_file,
    cases_of_suite,
    discover_case_files,
    evaluate_cases,
)
from ringtrue.prompts.commit import git_info
from ringtrue.prompts.matching import SiteVerdict, match_records, record_of_target
from ringtrue.prompts.record import PromptRecord
from ringtrue.prompts.recordings import (
    DEFAULT_RECORDINGS_NAME,
    ObservedVerdict,
    RecorderError,
    compare_observed,
    load_recordings,
    unmerged_runtime_sites,
)
from ringtrue.prompts.source import SCANNER_VERSION
from ringtrue.prompts.stamps import RUNTIME_SOURCE
from ringtrue.reports.whole_file import Where

T = TypeVar("T")

FAILURES = ("changed", "removed", "added")
"""What a check can fail on."""


@dataclass
class StalenessReport:
    """What a scan found beside a baseline, the cases, and the recordings; it says nothing of what it cannot see."""

    repo_root: str
    git: dict[str, Any]
    baseline_path: str
    baseline: Baseline | None
    no_baseline: bool
    baseline_warning: str | None
    scanner_mismatch: bool
    ignore_warning: str | None
    live_records: list[PromptRecord]
    verdicts: list[SiteVerdict]
    added: list[PromptRecord]
    case_verdicts: list[CaseVerdict]
    fail_on: tuple[str, ...] = ()
    observed: list[ObservedVerdict] = field(default_factory=list)
    recordings_path: str | None = None
    has_current_recordings: bool = False
    recordings_warning: str | None = None
    unmerged_runtime: int = 0
    skipped_files: list[tuple[str, str]] = field(default_factory=list)

    @property
    def determinacy(self) -> dict[str, int]:
        """How many prompts there are, how many of them reading the source tells, and how many places were observed."""
        dynamic = sum(record.is_dynamic for record in self.live_records)
        sites = len(self.live_records)
        static = sites - dynamic
        return {"call_sites": sites, "static": static, "dynamic": dynamic, "observed_runtime": len(self.observed)}

    def counts(self) -> dict[str, int]:
        """How many prompts had which verdict."""
        found = Counter(_kind(verdict) for verdict in self.verdicts)
        formatting = sum(v.status == "changed" and "formatting-only" in v.labels for v in self.verdicts)
        kinds = ("unchanged", "moved", "changed", "removed", "unknown", "unscannable")
        return {**{kind: found[kind] for kind in kinds}, "formatting_only": formatting, "added": len(self.added)}

    def case_stats(self) -> dict[str, int]:
        """How many cases have which stamp."""
        found = Counter(case.status for case in self.case_verdicts)
        return {
            "total": len(self.case_verdicts),
            "stamped": found["stamped"] + found["bound"],
            **{status: found[status] for status in ("bound", "unstamped", "unreadable")},
            "restamped_no_evidence": sum(NO_EVIDENCE in case.notes for case in self.case_verdicts),
        }

    def coverage(self) -> tuple[int, int]:
        """How many prompts that stand in the source have a case made for their text or place, of how many."""
        targets = [
            record_of_target(target)
            for case in self.case_verdicts
            for target in case.targets
            if target.get("source") not in ("external", RUNTIME_SOURCE) and not target.get("is_dynamic")
        ]
        texts = {target.fingerprint for target in targets if target.fingerprint}
        places = {target.anchor for target in targets}
        static = [record for record in self.live_records if not record.is_dynamic]
        return sum(record.fingerprint in texts or record.anchor in places for record in static), len(static)

    @property
    def exit_code(self) -> int:
        """1 where something happened that should fail, 2 where there is nothing to compare with, else 0."""
        counts = self.counts()
        if any(counts[kind] for kind in self.fail_on):
            return 1
        return 2 if self.no_baseline or self.baseline_warning or self.scanner_mismatch else 0


def check_prompts(
    repo_root: Where = ".",
    *,
    baseline_path: Where | None = None,
    case_files: Iterable[Where] | None = None,
    suite: str | None = None,
    ignore_dirs: Iterable[str] | None = None,
    include_tests: bool = False,
    fail_on: Iterable[str] = (),
    recordings_path: Where | None = None,
) -> StalenessReport:
    """Compare a repository with its baseline, its cases' stamps and its recordings; nothing is written.

    `suite` names a suite file, or a suite in Python as `module:name`: its module is imported.
    """
    root, wanted = Path(repo_root), tuple(fail_on)
    if odd := [kind for kind in wanted if kind not in FAILURES]:
        words = f"fail_on knows {', '.join(FAILURES)}; got {', '.join(map(str, odd))}"
        raise ConfigurationError(words, parameter="fail_on", value=wanted)
    place = Path(baseline_path) if baseline_path else root / DEFAULT_BASELINE_NAME
    live, ignored, skipped = scan_repo(root, ignore_dirs, include_tests)
    unread = {path for path, _ in skipped}
    baseline, warning = _read(load_baseline, place)
    verdicts, added = match_records(baseline.records, live, unscannable_files=unread) if baseline else ([], [])
    files = discover_case_files(root) if case_files is None else case_files
    sources = [cases_of_file(path) for path in files] + ([cases_of_suite(suite)] if suite else [])
    recorded = Path(recordings_path) if recordings_path else root / DEFAULT_RECORDINGS_NAME
    current, trouble = _read(load_recordings, recorded)
    seen = baseline.runtime_records if baseline else []
    report = StalenessReport(
        repo_root=str(root),
        git=git_info(root),
        baseline_path=str(place),
        baseline=baseline,
        no_baseline=baseline is None and warning is None,
        baseline_warning=warning,
        scanner_mismatch=baseline is not None and baseline.scanner_version != SCANNER_VERSION,
        ignore_warning=_other_folders(baseline, ignored),
        live_records=live,
        verdicts=verdicts,
        added=added,
        case_verdicts=evaluate_cases(sources, live, unread),
        fail_on=wanted,
        observed=compare_observed(seen, current),
        recordings_path=str(recorded),
        has_current_recordings=current is not None,
        recordings_warning=trouble,
        unmerged_runtime=unmerged_runtime_sites(seen, current),
        skipped_files=skipped,
    )
    _bind_cases(report)
    return report


def _kind(verdict: SiteVerdict) -> str:
    special = next((label for label in ("moved", "unscannable") if label in verdict.labels), None)
    return special or verdict.status


def _read(load: Callable[[Path], T], place: Path) -> tuple[T | None, str | None]:
    """What a file holds, or why it cannot be read; neither where there is none."""
    try:
        return load(place) if place.exists() else None, None
    except (BaselineError, RecorderError) as error:
        return None, str(error)


def _other_folders(baseline: Baseline | None, ignored: Sequence[str]) -> str | None:
    if baseline is None or sorted(baseline.ignore_dirs) == sorted(ignored):
        return None
    before, now = (", ".join(sorted(names)) or "no folder" for names in (baseline.ignore_dirs, ignored))
    return f"the baseline passed over {before}, this scan {now}: what was added or removed may come from that alone"


def _bind_cases(report: StalenessReport) -> None:
    """Tell each verdict of the cases that were made for its prompt."""
    sites: defaultdict[Any, list[SiteVerdict]] = defaultdict(list)
    for verdict in report.verdicts:
        if verdict.baseline is not None:
            sites[verdict.baseline.fingerprint].append(verdict)
            sites[verdict.baseline.anchor].append(verdict)
    for case in report.case_verdicts:
        told: dict[int, SiteVerdict] = {}
        for target in map(record_of_target, case.targets):
            told |= {
                id(verdict): verdict for key in (target.fingerprint, target.anchor) for verdict in sites.get(key, ())
            }
        for verdict in told.values():
            verdict.bound_cases.append({"file": case.file, "index": case.index, "case_uid": case.case_uid})
