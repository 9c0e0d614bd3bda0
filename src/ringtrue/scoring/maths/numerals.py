"""Numbers that are written out in words."""

from __future__ import annotations

from fractions import Fraction

from ringtrue.scoring.maths.units import read_unit
from ringtrue.scoring.maths.vocabulary import NUMBER_WORDS, SCALES

LONGEST = 200
"""A longer text is not a number in words."""

_SCALES = {name: int(scale) for name, scale in SCALES.items() if name not in ("percent", "hundred")}
_PARTS = "half third quarter fifth sixth seventh eighth ninth tenth"
_FACTORS = {name: Fraction(1, place) for place, part in enumerate(_PARTS.split(), 2) for name in (part, f"{part}s")}
_FACTORS |= {"halves": Fraction(1, 2), "fourth": Fraction(1, 4), "fourths": Fraction(1, 4), "dozen": Fraction(12)}
_FACTORS |= {"hundredth": Fraction(1, 100), "hundredths": Fraction(1, 100), "percent": SCALES["percent"]}
"""Words behind a number that multiply it; alone they stand for themselves."""

_PLURALS = frozenset(("people", "men", "women", "children", "mice", "geese", "sheep", "fish", "dice"))


def written_number(text: str) -> Fraction | None:
    """The number that words in lower case spell ("negative two thirds", "one hundred and five"), or None."""
    if len(text) > LONGEST:
        return None
    words = text.replace("-", " ").split()
    sign = -1 if words[:1] in (["negative"], ["minus"]) else 1
    words = words[1:] if sign < 0 else words
    if not words:
        return None
    factor = _FACTORS.get(words[-1])
    whole = 1 if factor and len(words) == 1 else _whole(words[:-1] if factor else words)
    return None if whole is None else sign * whole * (factor or Fraction(1))


def number_words(text: str) -> tuple[Fraction, str] | None:
    """The number that words in lower case begin with, and the plural or the unit behind it ("five people")."""
    words = text.split() if len(text) <= LONGEST and text[:1].isalpha() else []
    for end in range(min(len(words) - 1, 6), 0, -1):
        number = written_number(" ".join(words[:end]))
        rest = " ".join(words[end:])
        things = len(words) == end + 1 and (rest.endswith("s") or rest in _PLURALS) and rest not in _FACTORS
        if number is not None and (things or read_unit(rest)):
            return number, rest
    return None


def _whole(words: list[str]) -> int | None:
    """The whole number that words spell, the scales among them falling from left to right."""
    if len(words) == 1 and words[0].isdecimal():
        return int(words[0])
    total, group, last, reach = 0, 0, 10**18, 0
    if words[0] == "hundred" or words[0] in _SCALES:
        # "A hundred" has lost its article.
        group = 1
    for place, word in enumerate(words):
        if word == "and" and 0 < place < len(words) - 1:
            continue
        if word in _SCALES:
            if not group or _SCALES[word] >= last:
                return None
            last = _SCALES[word]
            total, group, reach = total + group * last, 0, 0
        elif word == "hundred":
            if not 0 < group < 10:
                return None
            group, reach = group * 100, 100
        else:
            value = NUMBER_WORDS.get(word)
            # A ten may follow a hundred, a unit a ten: nothing else adds up.
            if value is None or (group and value >= (reach or 1)):
                return None
            group += value
            reach = 10 if value >= 20 else 0
    return total + group
