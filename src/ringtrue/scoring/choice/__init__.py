"""Multiple choice: which option a reply commits to."""

from __future__ import annotations

from ringtrue.scoring.choice.reading import extract_letter, read_choice
from ringtrue.scoring.choice.segment import OptionChoice

__all__ = ["OptionChoice", "extract_letter", "read_choice"]
