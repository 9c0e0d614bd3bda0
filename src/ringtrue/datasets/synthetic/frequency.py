"""Lists of words in which some are frequent: which are (RULER, common words and frequent words)."""

from __future__ import annotations

import random
from bisect import bisect
from collections import Counter
from functools import cache, partial
from itertools import accumulate
from string import ascii_lowercase

from ringtrue.datasets.synthetic.example import Example
from ringtrue.datasets.synthetic.fitting import largest_within
from ringtrue.datasets.synthetic.words import ADJECTIVES, NOUNS, VERBS, pairs

COMMON, FREQUENT = 10, 3
_SHORT = 4096
_VOCABULARY = 2_000
_ALPHA = 2.0


def common_words(tokens: int, key: str) -> Example:
    """A numbered list: ten words are in it ten times as often as the others, six times in short lists."""
    often, seldom = (30, 3) if tokens >= _SHORT else (6, 1)
    make = partial(_common, key, often, seldom)
    return largest_within(tokens, make, lambda example: example.text, least=1)[0]


def frequent_words(tokens: int, key: str) -> Example:
    """Made-up words whose frequency falls with the square of their rank, dots among them: the first three."""
    return largest_within(tokens, partial(_frequent, key), lambda example: example.text, least=60)[0]


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


def _frequent(key: str, units: int) -> Example:
    chance = random.Random(key)
    vocabulary = _vocabulary(key)
    # Expected counts for the first three, so that their order is never in doubt; the rest is drawn.
    share = _shares()
    sure = [word for word, part in zip(vocabulary[:FREQUENT], share, strict=False) for _ in range(round(part * units))]
    drawn = [vocabulary[FREQUENT + _rank(chance)] for _ in range(max(0, units - len(sure)))]
    most = max(1, sure.count(vocabulary[FREQUENT - 1]) - 1)
    drawn = [word for word, times in Counter(drawn).items() for _ in range(min(most, times))]
    words = [*sure, *drawn]
    random.Random(f"{key}:order").shuffle(words)
    dotted = [word if chance.random() > 0.1 else f"{word} ...." for word in words]
    asked = (
        "The text is written in code, and dots in it mean nothing. Which three coded words stand in it most often? "
        "Answer with the three words alone."
    )
    return Example(" ".join(dotted), asked, vocabulary[:FREQUENT])


@cache
def _shares() -> list[float]:
    weights = [rank**-_ALPHA for rank in range(1, _VOCABULARY + 1)]
    return [weight / sum(weights) for weight in weights]


@cache
def _below() -> list[float]:
    return list(accumulate(_shares()[FREQUENT:]))


def _rank(chance: random.Random) -> int:
    below = _below()
    return min(bisect(below, chance.random() * below[-1]), len(below) - 1)


def _vocabulary(key: str) -> list[str]:
    chance = random.Random(f"{key}:words")
    words: dict[str, None] = {}
    while len(words) < _VOCABULARY:
        words["".join(chance.choices(ascii_lowercase, k=6))] = None
    return list(words)
