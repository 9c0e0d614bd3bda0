"""Whether an answer is in a response: as words in a row, or else how many of its words are."""

from __future__ import annotations

import re

from ringtrue.scoring.overlap.script_words import WITHOUT_SPACES
from ringtrue.scoring.overlap.squad import normalize_answer, recall_score

_HYPHENS = re.compile(r"[-\u2010-\u2015\u2212/]")


def answer_recall(response: str, answer: str) -> float:
    """1.0 where the answer is in the response word for word, else the share of its words that the response holds.

    Words are SQuAD's (lower case, no ASCII punctuation, no articles), but a hyphen, dash or slash parts two words
    instead of gluing them: "five-year" holds "five". An answer in a script without spaces is looked for as a text; one
    that is nothing but articles and punctuation, as it is written.
    """
    wanted = normalize_answer(_HYPHENS.sub(" ", answer))
    if not wanted:
        return 1.0 if answer.strip() and answer.strip().lower() in response.lower() else 0.0
    said = normalize_answer(_HYPHENS.sub(" ", response))
    if f" {wanted} " in f" {said} " or (WITHOUT_SPACES.search(wanted) and wanted in said):
        return 1.0
    return recall_score(said, wanted)
