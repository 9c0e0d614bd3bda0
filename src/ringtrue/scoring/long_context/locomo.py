"""LoCoMo's answers as its authors score them: F1 over stemmed words, by the kind of question."""

from __future__ import annotations

import re
import string
from collections import Counter

from ringtrue.scoring.overlap.porter import stem

MULTI_HOP, ADVERSARIAL = 1, 5
_DROPPED = re.compile(r"\b(?:a|an|the|and)\b")
_WITHOUT_PUNCTUATION = str.maketrans("", "", string.punctuation)


def locomo_score(reply: str, answer: str, category: int) -> float:
    """F1 of stemmed words; of several answers the mean of the best; for questions without answer, 1 for saying so."""
    if category == ADVERSARIAL:
        lowered = reply.lower()
        return float("no information available" in lowered or "not mentioned" in lowered)
    if category == MULTI_HOP:
        said, wanted = ([part.strip() for part in text.split(",")] for text in (reply, answer))
        return sum(max(stemmed_f1(one, gold) for one in said) for gold in wanted) / len(wanted)
    return stemmed_f1(reply, answer)


def stemmed_f1(reply: str, answer: str) -> float:
    """F1 of two texts' words, stemmed, without a, an, the and and."""
    said, wanted = _stems(reply), _stems(answer)
    common = (Counter(said) & Counter(wanted)).total()
    return 2 * common / (len(said) + len(wanted)) if common else 0.0


def _stems(text: str) -> list[str]:
    bare = text.lower().translate(_WITHOUT_PUNCTUATION)
    return [stem(word) for word in _DROPPED.sub(" ", bare).split()]
