"""Which language a text is written in, by langdetect 1.0.9's rule and n-gram profiles, always with the same answer.

langdetect draws n-grams of the text at random and multiplies the odds of each language by how often it uses them, until
one language holds practically everything; the outcome of seven such trials is averaged. It is unseeded, so a text near
a tie changes its answer between calls. Here the answer is the language that wins most trials, found in one of three
ways.

English, which is asked for most, is the answer without a draw if for every other language B the mean, over the text's
n-grams, of (odds of B / odds of English) ** e is below 1. The product of these ratios over a trial's draws is then a
supermartingale, and by Wald's argument English gets as far ahead as a trial asks for before B does at odds of
99999 ** e or better. Long texts get a few seeded trials, which draw places of the text and are enough if all agree.
What is left gets more trials, which draw from a list of all n-grams, until the outcome is plain.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache
from itertools import accumulate, chain, islice
from random import Random
from string import ascii_letters

from ringtrue.scoring.languages.letters import letters_of
from ringtrue.scoring.languages.odds import LANE, foremost, is_clearly_english, logarithm_at, logarithms
from ringtrue.scoring.languages.profiles import UNIT, profiles

_SHORT = 200
_HASTY_STEPS = 40
_TRIALS = 15
_AGREEING = 4
_LEAD = 6
_STEPS = 200
_FIVE = 5
_SOME = 50
_CONVERGED = round(11.513 * UNIT)
"""A language whose logarithm is this far ahead holds 0.99999 of the probability."""
_MASK = (1 << LANE) - 1
_TEXTS = 64


def identify(text: str) -> str | None:
    """The langdetect code of the text's language; None where the text holds no known n-gram."""
    return _identified(letters_of(text))


def is_written_in(text: str, code: str) -> bool | None:
    """Whether `identify` gives this code; None where it gives None."""
    return _is_written_in(letters_of(text), code)


def codes() -> tuple[str, ...]:
    """Every code that `identify` can give."""
    return profiles().codes


@lru_cache(_TEXTS)
def _is_written_in(letters: str, code: str) -> bool | None:
    if code == "en" and is_clearly_english(letters):
        return True
    if code not in _with_latin() and letters.isascii():
        # Latin letters raise other languages only, and every run of them holds a known n-gram.
        return None if letters in ("", " ") else False
    winner = _identified(letters)
    return None if winner is None else winner == code


def _identified(letters: str) -> str | None:
    winner = _unanimous(letters)
    if winner is None:
        grams = logarithms(letters)
        if not grams:
            return None
        winner = _majority(grams)
    return profiles().codes[winner]


def _unanimous(letters: str) -> int | None:
    """The language that wins a few trials, which draw places of the text; None where they differ or find too little."""
    if len(letters) < _SHORT or letters.isupper():
        return None
    text = "  " + letters
    size = len(letters)
    winners = {
        _trial([logarithm_at(text, int(place * size) + 2, length) for place, length in some] for some in draws)
        for draws in _places()
    }
    return winners.pop() if len(winners) == 1 else None


def _majority(grams: list[int]) -> int:
    """The language that wins most of many trials, which draw from all n-grams."""
    scale = float(len(grams)).__mul__
    votes = [0] * len(profiles().codes)
    for number, draws in enumerate(_draws(), 1):
        winner = _trial(map(grams.__getitem__, map(int, map(scale, some))) for some in draws)
        if winner is not None:
            votes[winner] += 1
            *_, second, first = sorted(votes)
            # Four of seven trials that agree cannot be outvoted by the other three.
            if first - second >= (_LEAD if second else _AGREEING):
                break
        elif number == _AGREEING and not any(votes):
            break
    # Where no trial ends, the sum over all n-grams is left to tell the languages apart.
    return votes.index(max(votes)) if any(votes) else foremost(sum(grams))[0]


def _trial(draws: Iterable[Iterable[int]]) -> int | None:
    """The language that first holds practically everything after five, ten … draws; None where they end before."""
    first = second = 0
    for total in islice(accumulate(chain.from_iterable(draws)), _FIVE - 1, None, _FIVE):
        # Two lanes are cheap to compare: all are unpacked only when these two lie far apart.
        if first == second or abs((total >> first & _MASK) - (total >> second & _MASK)) >= _CONVERGED:
            winner, rival, lead = foremost(total)
            if lead >= _CONVERGED:
                return winner
            first, second = winner * LANE, rival * LANE
    return None


@cache
def _draws() -> list[list[list[float]]]:
    """Many trials of draws, some at a time, each a place among all n-grams."""
    # The seed is fixed, so an answer depends on nothing but the text.
    random = Random(0).random
    return [[[random() for _ in range(_SOME)] for _ in range(_FIVE * _STEPS // _SOME)] for _ in range(_TRIALS)]


@cache
def _places() -> list[list[list[tuple[float, int]]]]:
    """A few trials of draws, five at a time, each a place in the text and how long the n-gram is that ends there."""
    random = Random(1).random
    return [
        [[(random(), 1 + int(3 * random())) for _ in range(_FIVE)] for _ in range(_HASTY_STEPS)]
        for _ in range(_AGREEING)
    ]


@cache
def _with_latin() -> frozenset[str]:
    """The languages whose profiles hold Latin letters."""
    users = {index for letter in ascii_letters for index in profiles().uses(letter)[0]}
    return frozenset(code for index, code in enumerate(profiles().codes) if index in users)
