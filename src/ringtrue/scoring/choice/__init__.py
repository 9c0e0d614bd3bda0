"""Multiple choice: which option a reply commits to.

reading         the reply without markup, the letters that count -> `read_choice`
segment         one stretch of the reply that answers one question; its last commitment wins
mentions        where options are named by letter; option_text and worded: by their words or their place
surroundings    the sentence around a mention, read by leadup (the words before) and verdict (the words after)
stance          how far a sentence commits; words: the vocabulary
"""

from __future__ import annotations

from ringtrue.scoring.choice.reading import extract_letter, read_choice
from ringtrue.scoring.choice.segment import OptionChoice

__all__ = ["OptionChoice", "extract_letter", "read_choice"]
