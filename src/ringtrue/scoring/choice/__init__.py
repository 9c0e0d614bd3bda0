"""Multiple choice: which option a reply commits to."""

from __future__ import annotations

from ringtrue.scoring.choice.reading import extract_letter, read_choice
from ringtrue.scoring.choice.segment import Choice

__all__ = ["Choice", "extract_letter", "read_choice"]
