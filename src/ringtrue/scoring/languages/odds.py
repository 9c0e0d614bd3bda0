"""The odds of a text's n-grams in one language against another, for all languages at once.

The numbers of all languages are lanes of one large integer: to add them all is one addition.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from ringtrue.scoring.languages.profiles import profiles

_ROOM = 40_000

K = TypeVar("K")


class _OddsCache(dict[K, int]):
    """Values computed from a key, kept while there is room."""

    def __init__(self, work_out: Callable[[K], int]) -> None:
        super().__init__()
        self._work_out = work_out

    def __missing__(self, key: K) -> int:
        found = self._work_out(key)
        if len(self) >= _ROOM:
            self.clear()
        self[key] = found
        return found


def logarithms(letters: str, start: int = 0, step: int = 1) -> int:
    """The packed sums of the logarithms of all n-grams of a text, or of those that end at every n-th letter."""
    # The n-grams that end with a letter are in a window of three, and two spaces come before the text.
    padded = "  " + letters
    windows = zip(padded[start::step], padded[start + 1 :: step], padded[start + 2 :: step], strict=False)
    return sum(map(_windows.__getitem__, windows))


def logarithms_of_capitals(letters: str) -> int:
    """The same for all n-grams of a text of Latin capitals and spaces, which are few: only words' ends have any."""
    *words, last = letters.split(" ")
    ends = [word if len(word) < 4 else word[0] + word[-2:] for word in words if word]
    return sum(map(_capitals.__getitem__, ends)) + logarithms(last)


def gram_logarithms(letters: str) -> list[int]:
    """The packed logarithms of every known n-gram of a text, one by one."""
    padded = "  " + letters.translate(profiles().normal)
    windows = (padded[start : start + 3] for start in range(len(letters)))
    return [packed for window in windows for gram in _grams_of(window) if (packed := _grams[gram])]


def _of_window(window: tuple[str, str, str]) -> int:
    letters = "".join(window)
    normal = letters.translate(profiles().normal)
    if normal != letters:
        return _windows[normal[0], normal[1], normal[2]]
    return sum(map(_grams.__getitem__, _grams_of(normal)))


def _grams_of(window: str) -> tuple[str, ...]:
    middle, last = window[1], window[2]
    if middle == " ":
        # An n-gram does not reach over a space, and only one space between words counts.
        return () if last == " " else (last, window[1:])
    # Inside a word in capitals langdetect takes no n-grams.
    return () if middle.isupper() and last.isupper() else (last, window[1:], window)


_windows = _OddsCache(_of_window)
_grams = _OddsCache[str](lambda gram: profiles().pack(gram))
_capitals = _OddsCache[str](lambda word: logarithms(word + " "))
