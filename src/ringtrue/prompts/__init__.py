"""The prompts in Python source, what became of them since they were approved, and the cases made for them."""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # spelled out: `typing` alone would load a dozen modules
if TYPE_CHECKING:
    from ringtrue.prompts.baseline import Baseline as Baseline
    from ringtrue.prompts.baseline import BaselineError as BaselineError
    from ringtrue.prompts.baseline import load_baseline as load_baseline
    from ringtrue.prompts.baseline import write_baseline as write_baseline
    from ringtrue.prompts.cases import CaseVerdict as CaseVerdict
    from ringtrue.prompts.diff import diff_markdown as diff_markdown
    from ringtrue.prompts.diff import diff_records as diff_records
    from ringtrue.prompts.fingerprint import fingerprint_text as fingerprint_text
    from ringtrue.prompts.matching import SiteVerdict as SiteVerdict
    from ringtrue.prompts.matching import match_records as match_records
    from ringtrue.prompts.pages import render_json as render_json
    from ringtrue.prompts.pages import render_markdown as render_markdown
    from ringtrue.prompts.pages import render_text as render_text
    from ringtrue.prompts.places import AmbiguousSiteError as AmbiguousSiteError
    from ringtrue.prompts.places import stamp as stamp
    from ringtrue.prompts.record import PromptDiff as PromptDiff
    from ringtrue.prompts.record import PromptRecord as PromptRecord
    from ringtrue.prompts.recorder import PromptRecorder as PromptRecorder
    from ringtrue.prompts.recordings import RecorderError as RecorderError
    from ringtrue.prompts.recordings import apply_bindings as apply_bindings
    from ringtrue.prompts.recordings import load_recordings as load_recordings
    from ringtrue.prompts.recordings import merge_recordings_into_baseline as merge_recordings_into_baseline
    from ringtrue.prompts.recordings import propose_bindings as propose_bindings
    from ringtrue.prompts.source import scan as scan
    from ringtrue.prompts.source import scan_with_skips as scan_with_skips
    from ringtrue.prompts.staleness import StalenessReport as StalenessReport
    from ringtrue.prompts.staleness import check_prompts as check_prompts
    from ringtrue.prompts.stamped_file import StampResult as StampResult
    from ringtrue.prompts.stamped_file import stamp_jsonl as stamp_jsonl
    from ringtrue.prompts.stamps import ProvenanceError as ProvenanceError
    from ringtrue.prompts.stamps import read_provenance as read_provenance

_MODULES = {
    "baseline": ["Baseline", "BaselineError", "load_baseline", "write_baseline"],
    "cases": ["CaseVerdict"],
    "diff": ["diff_markdown", "diff_records"],
    "fingerprint": ["fingerprint_text"],
    "matching": ["SiteVerdict", "match_records"],
    "pages": ["render_json", "render_markdown", "render_text"],
    "places": ["AmbiguousSiteError", "stamp"],
    "record": ["PromptDiff", "PromptRecord"],
    "recorder": ["PromptRecorder"],
    "recordings": [
        "RecorderError", "apply_bindings", "load_recordings", "merge_recordings_into_baseline", "propose_bindings",
    ],
    "source": ["scan", "scan_with_skips"],
    "staleness": ["StalenessReport", "check_prompts"],
    "stamped_file": ["StampResult", "stamp_jsonl"],
    "stamps": ["ProvenanceError", "read_provenance"],
}  # fmt: skip
_NAMES = {name: module for module, names in _MODULES.items() for name in names}

__all__ = sorted(_NAMES)


def __getattr__(name: str) -> object:
    if name not in _NAMES:
        raise AttributeError(f"module 'ringtrue.prompts' has no attribute {name!r}")
    return getattr(import_module(f"ringtrue.prompts.{_NAMES[name]}"), name)


def __dir__() -> list[str]:
    return __all__
