"""`render_markdown`: changed prompts as a comment on a pull request."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from multivon_eval.attribution.schema import PromptDiff, PromptRecord
from ringtrue.reports.markdown import escaped, fence

__all__ = ["render_markdown"]

_MAX_LINES, _MAX_CHARACTERS = 6, 400


def render_markdown(diffs: Sequence[PromptDiff], *, dynamic_unscanned_count: int = 0) -> str:
    """What changed, with the texts before and after; why something else changed with it is not said."""
    counts = Counter(diff.change_type for diff in diffs)
    lines = ["## Prompt changes", ""]
    lines.append(", ".join(f"{count} {kind}" for kind, count in counts.items()) if diffs else "No prompt changes.")
    for diff in diffs:
        lines += ["", f"### {escaped(diff.call_site_id)} ({diff.change_type})"]
        for title, record in (("before", diff.before), ("after", diff.after)):
            if record is not None:
                lines += ["", f"{title}, in {escaped(record.qualname)}:", "", *_quoted(record)]
    if dynamic_unscanned_count:
        lines += ["", f"{dynamic_unscanned_count} prompt source(s) are made while the program runs, and not compared."]
    return "\n".join(lines) + "\n"


def _quoted(record: PromptRecord) -> list[str]:
    """The text in a fence that it cannot close."""
    lines = record.text[:_MAX_CHARACTERS].splitlines()[:_MAX_LINES]
    shown = ["".join(sign if sign.isprintable() or sign == "\t" else " " for sign in line) for line in lines]
    marks = fence("\n".join(shown))
    left = len(record.text) - len("\n".join(lines))
    return [f"{marks}text", *shown, marks, *([f"(truncated: {left:,} more characters)"] if left > 0 else [])]
