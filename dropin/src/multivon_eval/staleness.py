"""Which prompts changed since a baseline, and which cases were made for those; what does it is ringtrue's."""

from __future__ import annotations

from functools import partial

from ringtrue.prompts import pages
from ringtrue.prompts.baseline import (
    DEFAULT_BASELINE_NAME,
    DEFAULT_STALENESS_IGNORES,
    SCHEMA_VERSION,
    Baseline,
    BaselineError,
    load_baseline,
    scan_repo,
    staleness_ignores,
    write_baseline,
)
from ringtrue.prompts.cases import CaseVerdict, discover_case_files, evaluate_cases
from ringtrue.prompts.matching import SiteVerdict, match_records, match_target
from ringtrue.prompts.pages import BLIND_SPOTS
from ringtrue.prompts.recordings import DEFAULT_RECORDINGS_NAME, TRUST_TIERS, ObservedVerdict
from ringtrue.prompts.staleness import StalenessReport
from ringtrue.prompts.staleness import check_prompts as build_staleness_report

__all__ = [
    "BLIND_SPOTS",
    "DEFAULT_BASELINE_NAME",
    "DEFAULT_RECORDINGS_NAME",
    "DEFAULT_STALENESS_IGNORES",
    "SCHEMA_VERSION",
    "TRUST_TIERS",
    "Baseline",
    "BaselineError",
    "CaseVerdict",
    "ObservedVerdict",
    "SiteVerdict",
    "StalenessReport",
    "build_staleness_report",
    "discover_case_files",
    "evaluate_cases",
    "load_baseline",
    "match_records",
    "match_target",
    "render_json",
    "render_markdown",
    "render_text",
    "scan_repo",
    "staleness_ignores",
    "write_baseline",
]

_STALENESS = "multivon-eval staleness"
_COMMANDS = pages.Commands(f"{_STALENESS} baseline", f"{_STALENESS} stamp", f"{_STALENESS} baseline --merge-recordings")

render_text = partial(pages.render_text, commands=_COMMANDS)
render_markdown = partial(pages.render_markdown, commands=_COMMANDS)
render_json = partial(pages.render_json, commands=_COMMANDS)
