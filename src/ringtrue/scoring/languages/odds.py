"""How much likelier n-grams are in one language than in another, for all languages at once.

The numbers of all languages are lanes of one large integer: to add them all is one addition.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from math import exp
from struct import Struct
from typing import TypeVar

from ringtrue.scoring.languages.profiles import UNIT, profiles

LANE = 32
"""How many bits a lane has."""

_EXPONENT = 0.05
_RATIO_UNIT = 1 << 15
_ROOM = 40_000
_LONG_WORD = 24
_FEW = 4
_NOTHING = ("", "", "")

T = TypeVar("T")


class _Remembered(dict[str, T]):
    """What is worked out of a short string, kept while there is room."""

    def __init__(self, work_out: Callable[[str], T]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, key: str) -> T:
        found = self._work_out(key)
        if len(key) <= _LONG_WORD:
            if len(self) >= _ROOM:
                self.clear()
            self[key] = found
        return found


def logarithms(letters: str) -> list[int]:
    """The packed logarithms of every known n-gram of a text, one by one."""
    *words, last = letters.split(" ")
    return [gram for word in words for gram in _pieces[word + " "]] + _pieces[last]


def logarithm_at(text: str, end: int, length: int) -> int:
    """The packed logarithms of the n-gram of this length whose last letter is at this place; 0 for an unknown one."""
    if text[end].isupper() and text[end - 1].isupper():
        return 0
    return _gram_logarithms[text[end - length + 1 : end + 1]]


def foremost(total: int) -> tuple[int, int, int]:
    """The two languages with the largest numbers, and how far these lie apart."""
    lanes = list(_unpacked(total))
    first = max(lanes)
    winner = lanes.index(first)
    lanes[winner] = 0
    second = max(lanes)
    return winner, lanes.index(second), first - second


def is_clearly_english(letters: str) -> bool:
    """Whether, for every other language, the mean of (its odds / those of English) ** e over all n-grams is below 1."""
    # The last word is not followed by a space, so its n-grams are others.
    *words, last = letters.split(" ")
    lanes = list(_unpacked(sum(map(_word_ratios.__getitem__, words)) + _ratios_of_piece(last)))
    share, lanes[_english()] = lanes[_english()], 0
    return max(lanes) < share


def _ratios_of_piece(piece: str) -> int:
    """The sum over the n-grams of a word, or of a word and the space behind it."""
    return sum(map(_window_ratios.__getitem__, _windows_of(piece)))


def _ratios_of_window(window: str) -> int:
    return sum(map(_gram_ratios.__getitem__, _grams_of(window)))


def _ratios_of_gram(gram: str) -> int:
    users, stored = profiles().uses(gram)
    if not users:
        return 0
    place = users.find(_english())
    own = stored[place] >> 3 if place >= 0 else 0
    rest = _ratios[-own]
    if len(users) <= _FEW:
        return rest * _ones() + sum(
            _ratios[(logarithm >> 3) - own] - rest << language * LANE
            for language, logarithm in zip(users, stored, strict=True)
        )
    lanes = [rest] * len(profiles().codes)
    for language, logarithm in zip(users, stored, strict=True):
        lanes[language] = _ratios[(logarithm >> 3) - own]
    return _packed(lanes)


@cache
def _english() -> int:
    return profiles().codes.index("en")


class _Ratios(dict[int, int]):
    """The ratio ** e of two odds by the difference of their logarithms at an eighth of their precision."""

    def __missing__(self, step: int) -> int:
        return self.setdefault(step, int(_RATIO_UNIT * exp(_EXPONENT * 8 / UNIT * step)))


def _windows_of(piece: str) -> list[str]:
    # Two spaces more, and the windows at the first letter are the ones langdetect's buffer starts with.
    padded = "  " + piece
    return [padded[at : at + 3] for at in range(len(piece))]


def _grams_of(window: str) -> tuple[str, ...]:
    # Inside a word in capitals langdetect takes no n-grams.
    capital = window[1].isupper() and window[2].isupper()
    return _NOTHING if capital else (window[2], window[1:], window)


def _piece_logarithms(piece: str) -> list[int]:
    return [packed for window in _windows_of(piece) for packed in _window_logarithms[window] if packed]


def _logarithms_of_window(window: str) -> tuple[int, ...]:
    return tuple(map(_gram_logarithms.__getitem__, _grams_of(window)))


def _logarithms_of_gram(gram: str) -> int:
    users, stored = profiles().uses(gram)
    if len(users) <= _FEW:
        return sum(logarithm << language * LANE for language, logarithm in zip(users, stored, strict=True))
    lanes = [0] * len(profiles().codes)
    for language, logarithm in zip(users, stored, strict=True):
        lanes[language] = logarithm
    return _packed(lanes)


def _packed(lanes: list[int]) -> int:
    return int.from_bytes(_lanes().pack(*lanes), "little")


def _unpacked(packed: int) -> tuple[int, ...]:
    return _lanes().unpack(packed.to_bytes(_lanes().size, "little"))


@cache
def _ones() -> int:
    return _packed([1] * len(profiles().codes))


@cache
def _lanes() -> Struct:
    return Struct(f"<{len(profiles().codes)}I")


_ratios = _Ratios()
_gram_ratios = _Remembered(_ratios_of_gram)
_window_ratios = _Remembered(_ratios_of_window)
_word_ratios = _Remembered(lambda word: _ratios_of_piece(word + " "))
_gram_logarithms = _Remembered(_logarithms_of_gram)
_pieces = _Remembered(_piece_logarithms)
_window_logarithms = _Remembered(_logarithms_of_window)
