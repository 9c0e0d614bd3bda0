"""The language of a text, by langdetect 1.0.9's rule and n-gram profiles, always with the same answer.

langdetect draws n-grams of the text at random and multiplies the odds of each language by how often it uses them, until
one language holds practically everything; the outcome of seven such trials is averaged. It is unseeded, so a text near
a tie changes its answer between calls. In logarithms a trial is a walk of random steps, and it drifts to the language
that is ahead in the sum over all n-grams: that one is the answer here, and mostly nothing is drawn.

A long text is not read to its end where three samples of it agree: each shows the lead at which a trial ends. Between
two scripts steps are so long that the drift may not decide: near a tie seeded trials do.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from itertools import accumulate, islice
from random import Random
from string import ascii_lowercase

from ringtrue.scoring.languages.letters import has_two_scripts, letters_of
from ringtrue.scoring.languages.odds import gram_logarithms, logarithms, logarithms_of_capitals
from ringtrue.scoring.languages.profiles import UNIT, profiles

_SAMPLES = (48, 160)
_AT_ONCE = 3
_AHEAD = 12 * UNIT
_BEHIND = -24 * UNIT
"""There are many languages to be behind of, so chance alone puts the right one behind the best of the others."""
_NEAR = UNIT
"""A lead per letter of one script over another that may not decide."""

_TRIALS = 15
_DRAWS = 1_000
_FIVE = 5
_CONVERGED = round(11.513 * UNIT)
"""A language whose logarithm is this far ahead holds 0.99999 of the probability."""


def is_written_in(text: str, code: str) -> bool | None:
    """Whether this is the code of the text's language; None where the text holds no known n-gram."""
    letters = letters_of(text)
    language = codes().index(code)
    if letters.isascii() and letters.isupper():
        return _decide(logarithms_of_capitals(letters), language)
    if has_two_scripts(letters):
        return _decided_between_scripts(letters, language)
    sampled = _decide_by_sample(letters, language)
    return _decide(logarithms(letters), language) if sampled is None else sampled


def codes() -> tuple[str, ...]:
    """The code of every language."""
    return profiles().codes


def _decide_by_sample(letters: str, language: int) -> bool | None:
    """Return the language that a few letters of a long text show; None if they do not agree."""
    for size in _SAMPLES:
        step = len(letters) // size
        if step <= _AT_ONCE:
            break
        # Different steps, or a text that repeats itself could show the same few letters to all of them.
        leads = [_lead(logarithms(letters, number, step + number), language) for number in range(_AT_ONCE)]
        if min(leads) >= _AHEAD:
            return True
        if max(leads) <= _BEHIND:
            return False
    return None


def _decide(total: int, language: int) -> bool | None:
    return _foremost(profiles().unpack(total)) == language if total else None


def _decided_between_scripts(letters: str, language: int) -> bool | None:
    total = logarithms(letters)
    best = [0, 0]
    for number, is_latin in zip(profiles().unpack(total), _are_latin(), strict=True):
        best[is_latin] = max(best[is_latin], number)
    if total and abs(best[0] - best[1]) < _NEAR * len(letters):
        return _majority(gram_logarithms(letters), language)
    return _decide(total, language)


@cache
def _are_latin() -> list[bool]:
    """For each language whether it is written in Latin letters."""
    numbers = profiles().unpack(sum(map(profiles().pack, ascii_lowercase)))
    # The profiles of others hold some, too, from foreign words.
    return [4 * number > 3 * max(numbers) for number in numbers]


def _majority(grams: list[int], language: int) -> bool:
    """Whether a language wins more trials than any other; trials that do not end count for the one that is ahead."""
    random = Random(0).random
    votes = [0] * len(codes())
    for _ in range(_TRIALS):
        votes[_winner(grams[int(random() * len(grams))] for _ in range(_DRAWS))] += 1
        if 2 * max(votes) > _TRIALS:
            break
    return _foremost(votes) == language


def _winner(draws: Iterable[int]) -> int:
    """The language that first holds practically everything after five, ten … draws, or that is ahead in the end."""
    numbers: list[int] = []
    for total in islice(accumulate(draws), _FIVE - 1, None, _FIVE):
        numbers = profiles().unpack(total)
        *_, second, first = sorted(numbers)
        if first - second >= _CONVERGED:
            break
    return _foremost(numbers)


def _foremost(numbers: list[int]) -> int:
    return numbers.index(max(numbers))


def _lead(total: int, language: int) -> int:
    """Return the lead of a language over the best of the others."""
    numbers = profiles().unpack(total)
    own, numbers[language] = numbers[language], -1
    return own - max(numbers)
