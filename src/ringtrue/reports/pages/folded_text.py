"""Long texts, of which a page shows the beginning and says how much more there is."""

from __future__ import annotations

from typing import NamedTuple

from ringtrue.reports.number import count

MOST_LINES, MOST_CHARS = 12, 900
"""A longer text is folded."""
SHOWN_LINES = 6
MOST_KEPT = 20_000
"""What a page holds of one text; the rest is in the run."""


class FoldedText(NamedTuple):
    """A text as a page shows it: all of it, or its beginning with the whole behind a fold.

    `size` names what unfolds ("All 1,204 words"), and `left_out` what even the fold does not hold.
    """

    beginning: str
    whole: str = ""
    size: str = ""
    left_out: str = ""


def fold_text(text: str) -> FoldedText:
    """The text, folded where it has more than 12 lines or 900 characters."""
    lines = text[: MOST_KEPT + 1].splitlines(keepends=True)
    if len(text) <= MOST_CHARS and len(lines) <= MOST_LINES:
        return FoldedText(text)
    beginning = "".join(lines[:SHOWN_LINES])
    if len(beginning) > MOST_CHARS:
        cut = beginning[:MOST_CHARS].rsplit(" ", 1)[0]
        beginning = cut if len(cut) > MOST_CHARS // 2 else beginning[:MOST_CHARS]
    words = len(text.split())
    size = f"All {count(words, 'word') if len(text) < 40 * words else count(len(text), 'character')}"
    if len(text) <= MOST_KEPT:
        return FoldedText(beginning, text, size)
    left = f"{count(len(text) - MOST_KEPT, 'more character')} in the run"
    return FoldedText(beginning, text[:MOST_KEPT], f"The first {MOST_KEPT:,} characters of {len(text):,}", left)
