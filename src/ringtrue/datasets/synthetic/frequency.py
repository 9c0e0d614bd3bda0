"""Lists of words in which some are frequent: which are (RULER, common words and frequent words)."""

from __future__ import annotations

import random
from functools import partial
from math import pi
from string import ascii_lowercase

from ringtrue.datasets.synthetic.example import Example
from ringtrue.datasets.synthetic.fitting import largest_within
from ringtrue.datasets.synthetic.words import ADJECTIVES, NOUNS, VERBS, pairs

COMMON, FREQUENT = 10, 3
COMMON_REPLY, FREQUENT_REPLY = 120, 50
"""Tokens that the authors leave for the reply to each task."""
_SHORT = 4096
_TOKENS_PER_CODE = 50
_NOISE = "..."
_ALL_RANKS = pi**2 / 6
"""The sum of 1 / rank² over all ranks."""


def common_words(tokens: int, key: str) -> Example:
    """A numbered list: ten words are in it ten times as often as the others, six times below 4,096 tokens."""
    often, seldom = (30, 3) if tokens >= _SHORT else (6, 1)
    make = partial(_common, key, often, seldom)
    return largest_within(tokens - COMMON_REPLY, make, lambda example: example.text, least=1)[0]


def frequent_words(tokens: int, key: str) -> Example:
    """Coded words whose frequency falls with the square of their rank; dots have the first rank, three words the next.

    The longer the text, the more words there are.
    """
    make = partial(_frequent, key, tokens // _TOKENS_PER_CODE)
    return largest_within(tokens - FREQUENT_REPLY, make, lambda example: example.text, least=60)[0]


def _common(key: str, often: int, seldom: int, units: int) -> Example:
    chance = random.Random(key)
    known = sorted({*ADJECTIVES, *NOUNS, *VERBS})
    chance.shuffle(known)
    others = known[COMMON:] if units <= len(known) - COMMON else [*known[COMMON:], *_more(key, units)]
    wanted = known[:COMMON]
    listed = wanted * often + others[:units] * seldom
    random.Random(f"{key}:order").shuffle(listed)
    context = " ".join(f"{place}. {word}" for place, word in enumerate(listed, 1))
    asked = (
        f"The list holds {COMMON} words much more often than all others. Which? Answer with these {COMMON} words alone."
    )
    return Example(context, asked, wanted)


def _more(key: str, units: int) -> list[str]:
    return random.Random(f"{key}:more").sample(pairs(), min(units, len(pairs())))


def _frequent(key: str, vocabulary: int, units: int) -> Example:
    words = _coded_words(key, max(FREQUENT, vocabulary))
    # Expected counts instead of drawn ones, so that it is never in doubt which three words are the most frequent.
    ranked = [(word, int(units / rank**2 / _ALL_RANKS)) for rank, word in enumerate([_NOISE, *words], 1)]
    listed = [word for word, times in ranked for _ in range(times)]
    random.Random(f"{key}:order").shuffle(listed)
    asked = (
        "The text is written in code, and dots in it mean nothing. Which three coded words stand in it most often? "
        "Answer with the three words alone."
    )
    return Example(" ".join(listed), asked, words[:FREQUENT])


def _coded_words(key: str, count: int) -> list[str]:
    chance = random.Random(f"{key}:words")
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(chance.choices(ascii_lowercase, k=6))] = None
    return list(words)
