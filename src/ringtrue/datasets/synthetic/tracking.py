"""Chains of variables among noise: which of them have a value in the end (RULER, variable tracking)."""

from __future__ import annotations

import random
from functools import partial
from itertools import pairwise
from string import ascii_uppercase

from ringtrue.datasets.synthetic.example import Example
from ringtrue.datasets.synthetic.fitting import largest_within
from ringtrue.datasets.synthetic.needles import NOISE

HOPS = 4
REPLY = 30
"""Tokens that the authors leave for the reply."""


def variable_chain(tokens: int, key: str) -> Example:
    """The longest example within the tokens, reply included: a chain of five variables, each set to the one before."""
    return largest_within(tokens - REPLY, partial(_make, key), lambda example: example.text, least=HOPS + 1)[0]


def _make(key: str, units: int) -> Example:
    chance = random.Random(key)
    names: list[str] = []
    while len(names) <= HOPS:
        name = "".join(chance.choices(ascii_uppercase, k=5))
        names += [name] if name not in names else []
    value = str(chance.randint(10_000, 99_999))
    links = [f"VAR {names[0]} = {value}"]
    links += [f"VAR {later} = VAR {earlier}" for earlier, later in pairwise(names)]
    places = sorted(chance.sample(range(units + len(links)), len(links)))
    hidden = dict(zip(places, links, strict=True))
    lines = [hidden.get(place, NOISE) for place in range(units + len(links))]
    asked = (
        f"The text assigns values to variables, some of them through others. Which variables have the value {value}? "
        f"There are {len(names)}; answer with their names alone."
    )
    return Example("\n".join(lines), asked, names)
