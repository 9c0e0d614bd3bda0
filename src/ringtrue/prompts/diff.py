"""`diff_records`: which prompts changed between two scans, and these changes as text, JSON and Markdown."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

from ringtrue.prompts.matching import match_records
from ringtrue.prompts.record import PromptDiff, PromptRecord
from ringtrue.reports.markdown import escaped, fence

_ORDER = ("modified", "added", "removed", "dynamic")
_NONE = "No prompt changes."
_MAX_LINES, _MAX_CHARACTERS = 6, 400


def diff_records(base: Iterable[PromptRecord], head: Iterable[PromptRecord]) -> list[PromptDiff]:
    """The prompts that differ between two scans: first modified ones, then added, removed and dynamic ones.

    A prompt on another line, or with the same text elsewhere, is the same prompt.
    """
    verdicts, added = match_records(list(base), list(head))
    pairs = [(verdict.baseline, verdict.live) for verdict in verdicts] + [(None, record) for record in added]
    found = [
        PromptDiff(one.call_site_id, kind, before, after)
        for before, after in pairs
        if (one := after or before) and (kind := _kind(before, after))
    ]
    return sorted(found, key=lambda diff: (_ORDER.index(diff.change_type), diff.call_site_id))


def diff_text(diffs: Sequence[PromptDiff]) -> str:
    """One line for each change."""
    return "\n".join(f"[{diff.change_type}] {diff.call_site_id}" for diff in diffs) or _NONE


def diff_dicts(diffs: Sequence[PromptDiff]) -> list[dict[str, Any]]:
    """The changes as plain values, with the texts before and after."""
    return [
        {
            "call_site_id": diff.call_site_id,
            "change_type": diff.change_type,
            **{
                f"{side}_{name}": getattr(getattr(diff, side), name, None)
                for name in ("text", "fingerprint")
                for side in ("before", "after")
            },
        }
        for diff in diffs
    ]


def diff_markdown(diffs: Sequence[PromptDiff], *, dynamic_unscanned_count: int = 0) -> str:
    """What changed, with the texts before and after, as a comment on a pull request.

    Why something else changed with it is not said.
    """
    counts = Counter(diff.change_type for diff in diffs)
    lines = ["## Prompt changes", ""]
    lines.append(", ".join(f"{count} {kind}" for kind, count in counts.items()) if diffs else _NONE)
    for diff in diffs:
        lines += ["", f"### {escaped(diff.call_site_id)} ({diff.change_type})"]
        for title, record in (("before", diff.before), ("after", diff.after)):
            if record is not None:
                lines += ["", f"{title}, in {escaped(record.qualname)}:", "", *_quoted(record)]
    if dynamic_unscanned_count:
        lines += ["", f"{dynamic_unscanned_count} prompt source(s) are made while the program runs, and not compared."]
    return "\n".join(lines) + "\n"


def _kind(before: PromptRecord | None, after: PromptRecord | None) -> str:
    if before is None or after is None:
        return "removed" if after is None else "added"
    if before.is_dynamic or after.is_dynamic:
        return "dynamic" if before.text != after.text else ""
    return "modified" if before.fingerprint != after.fingerprint else ""


def _quoted(record: PromptRecord) -> list[str]:
    """The text in a fence that it cannot close."""
    lines = record.text[:_MAX_CHARACTERS].splitlines()[:_MAX_LINES]
    shown = ["".join(sign if sign.isprintable() or sign == "\t" else " " for sign in line) for line in lines]
    marks = fence("\n".join(shown))
    left = len(record.text) - len("\n".join(lines))
    return [f"{marks}text", *shown, marks, *([f"(truncated: {left:,} more characters)"] if left > 0 else [])]
