"""A reply that speaks of the options in their own words, read as if it had named their letters."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

from ringtrue.scoring.choice.option_text import is_wordy

PLACEHOLDERS = "BCDEFGHJKLMNOPQRSTUVWXYZ"
"""Letters that are never a word of their own."""

LONGEST = 120
"""Only options of at most this many characters are looked for inside a sentence."""

_FIRST_PERSON = re.compile(r"\b(?:i|we|i'd|i'll|i'm|we'd|my|let's|me|us)\b")
_SETTLED = frozenset(("answer", "answer is", "predicate", "conclusion", "correction", "letter alone", "change"))


@lru_cache(maxsize=256)
def _pattern(keys: tuple[str, ...]) -> re.Pattern[str]:
    longest_first = sorted(keys, key=len, reverse=True)
    words = "|".join(r"\s+".join(map(re.escape, key.split())) for key in longest_first)
    return re.compile(rf"(?<!\w)({words})(?!\w|[-'.,/]\w)")


def letter_options(text: str, options: Mapping[str, str]) -> tuple[str, dict[str, str]]:
    """The text in lower case with a letter for each option it names, and which option each letter stands for."""
    keys = tuple(key for key, letter in options.items() if letter and is_wordy(key) and len(key) <= LONGEST)
    if not keys or len(keys) > len(PLACEHOLDERS):
        return "", {}
    letter_of = dict(zip(keys, PLACEHOLDERS, strict=False))
    written = _pattern(keys).sub(lambda found: letter_of[" ".join(found[1].split())], text.lower())
    return written, {letter_of[key]: options[key] for key in keys}


def commits(written: str, letter: str, rule: str) -> bool:
    """Whether what commits to a letter also commits to the words it stands for.

    "Maria was the better surgeon" and "Sarah picked Maria" speak of people, not of options.
    """
    if rule in _SETTLED:
        return True
    if rule == "choice":
        return _FIRST_PERSON.search(written) is not None
    if rule == "verdict":
        judged = r"(?:it is|(?:is|must be|has to be|should be|would be) (?:\w+ ){0,2}?(?:correct|right|answer))\b"
        return re.search(rf"\b{letter} {judged}", written) is not None
    heads = rf"\W*{letter}(?:[.;:!()]| ?[—–-]|,? (?:because|since|as|not|which|rather|over|instead)\b)"
    return rule.startswith("option heads") and re.match(heads, written) is not None
