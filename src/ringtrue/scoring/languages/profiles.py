"""langdetect's n-gram profiles: how often each of its languages uses one, two or three letters in a row."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from functools import cache
from itertools import accumulate, pairwise
from sys import byteorder

from ringtrue.scoring.data import read_bytes

UNIT = 4096
"""Logarithms are stored as multiples of 1 / UNIT."""

_LARGEST = (1 << 48) - 1

_ALIKE = (
    (0x1EA0, 0x1EFF, "\u1ec3"),
    (0x2000, 0x206F, " "),
    (0x3040, 0x309F, "\u3042"),
    (0x30A0, 0x30FF, "\u30a2"),
    (0x3100, 0x312F, "\u3105"),
    (0x31A0, 0x31BF, "\u3105"),
    (0xAC00, 0xD7AF, "\uac00"),
)
"""Ranges of characters that the profiles do not tell apart, and what stands for them."""


class Profiles:
    """The profiles of all languages; a language's index is its place in `codes`.

    N-grams are sorted numbers and found by bisection: a text needs few of them, and nothing is built to look them up.
    """

    def __init__(self, data: bytes) -> None:
        start = data.index(b"\n") + 1
        header = json.loads(data[:start])
        self.codes: tuple[str, ...] = tuple(header["languages"])
        self.normal = _Normal(header["kanji"])
        places = pairwise(accumulate(header["bytes"], initial=start))
        keys, starts, users, logarithms = (data[start:end] for start, end in places)
        self._keys = _numbers("Q", keys)
        self._starts = _numbers("I", starts)
        self._users = users
        self._logarithms = _numbers("H", logarithms)
        self._none = array("I", [0] * len(self.codes))

    def pack(self, gram: str) -> int:
        """For each language the logarithm of how much likelier an n-gram is there than elsewhere, as lanes of a number.

        langdetect adds 0.5 / 10,000 to every relative frequency f, so that is log(1 + 20,000 f).
        """
        key = int.from_bytes(gram.encode("utf-16-be", "surrogatepass"))
        # No profile has a character of more than sixteen bits, so a gram with one is longer than every key.
        number = bisect_left(self._keys, key) if key <= _LARGEST else len(self._keys)
        if number == len(self._keys) or self._keys[number] != key:
            return 0
        start, end = self._starts[number], self._starts[number + 1]
        lanes = self._none[:]
        for language, logarithm in zip(self._users[start:end], self._logarithms[start:end], strict=True):
            lanes[language] = logarithm
        return int.from_bytes(lanes, byteorder)

    def unpack(self, packed: int) -> list[int]:
        """The number of each language in a sum of packed ones."""
        return array("I", packed.to_bytes(len(self._none) * self._none.itemsize, byteorder)).tolist()


def _numbers(kind: str, stored: bytes) -> array[int]:
    numbers = array(kind, stored)
    if byteorder == "big":
        numbers.byteswap()
    return numbers


class _Normal(dict[int, str]):
    """Character -> the one that stands for it in the profiles, as `str.translate` wants it."""

    def __init__(self, kanji: list[str]) -> None:
        super().__init__({0xA0: " ", 0xAB: " ", 0xB0: " ", 0xBB: " ", 0x219: "ş", 0x21B: "ţ", 0x6CC: "ي"})
        self.update((code, chr(code) if chr(code).isalpha() else " ") for code in range(0x80))
        for group in kanji:
            self.update(dict.fromkeys(map(ord, group), group[0]))

    def __missing__(self, code: int) -> str:
        for first, last, stands_for in _ALIKE:
            if first <= code <= last:
                return self.setdefault(code, stands_for)
        return self.setdefault(code, chr(code))


@cache
def profiles() -> Profiles:
    """The packaged profiles, read once."""
    return Profiles(read_bytes("languages.bin"))
