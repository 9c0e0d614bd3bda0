"""Needles in a haystack: keys with values, hidden among noise, prose or other needles (RULER, niah)."""

from __future__ import annotations

import random
import uuid
from collections.abc import Collection
from dataclasses import dataclass
from functools import partial
from typing import Literal

from ringtrue.datasets.synthetic.example import Example
from ringtrue.datasets.synthetic.fitting import largest_within
from ringtrue.datasets.synthetic.words import pairs, sentence

NOISE = "The grass is green. The sky is blue. The sun is yellow. Here we go. There and back again."
REPLY = 128
"""Tokens that the authors leave for the reply."""
Kind = Literal["words", "numbers", "uuids"]


@dataclass(frozen=True)
class Needles:
    """One task: what hides the needles, what keys and values are, and how many of each there are."""

    haystack: Literal["noise", "prose", "needles"]
    keys: Kind = "words"
    values: Kind = "numbers"
    key_count: int = 1
    values_each: int = 1
    asked: int = 1

    def example(self, tokens: int, key: str) -> Example:
        """The longest example within the tokens, reply included; `key` decides everything random."""
        make = partial(self._make, key)
        return largest_within(tokens - REPLY, make, lambda example: example.text, least=self._needles)[0]

    @property
    def _needles(self) -> int:
        return self.key_count * self.values_each

    def _make(self, key: str, units: int) -> Example:
        chance = random.Random(key)
        found = {_drawn(self.keys, chance): [_drawn(self.values, chance) for _ in range(self.values_each)]
                 for _ in range(self.key_count)}  # fmt: skip
        needles = [_needle(self.values, name, value) for name, values in found.items() for value in values]
        chance.shuffle(needles)
        asked = chance.sample(sorted(found), self.asked)
        places = sorted(chance.sample(range(units + len(needles)), len(needles)))
        filler = random.Random(f"{key}:hay")  # a longer haystack begins like a shorter one
        hidden = dict(zip(places, needles, strict=True))
        lines = [hidden.get(place) or self._hay(filler, found) for place in range(units + len(needles))]
        required = [value for name in asked for value in found[name]]
        return Example("\n".join(lines), _question(self.values, asked, len(required)), required)

    def _hay(self, chance: random.Random, taken: Collection[str]) -> str:
        if self.haystack == "noise":
            return NOISE
        if self.haystack == "prose":
            return sentence(chance)
        name = _drawn(self.keys, chance)
        while name in taken:
            name = _drawn(self.keys, chance)
        return _needle(self.values, name, _drawn(self.values, chance))


def _drawn(kind: Kind, chance: random.Random) -> str:
    if kind == "words":
        return chance.choice(pairs())
    if kind == "numbers":
        return str(chance.randint(1_000_000, 9_999_999))
    return str(uuid.UUID(int=chance.getrandbits(128), version=4))


def _needle(kind: Kind, name: str, value: str) -> str:
    return f"A special {kind.removesuffix('s')} to remember for {name} is {value}."


def _question(kind: Kind, asked: list[str], count: int) -> str:
    listed = asked[0] if len(asked) == 1 else f"{', '.join(asked[:-1])} and {asked[-1]}"
    if count == 1:
        one = kind.removesuffix("s")
        return f"Which special {one} is to be remembered for {listed} in the text? Answer with it alone."
    return f"Which special {kind} are to be remembered for {listed} in the text? Answer with all {count} of them."
