"""The same question, written a little differently: what a system should bear, or, with a negation, should notice.

Each variation takes a text and a source of chance, and returns another text, or None where it does not apply.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from random import Random

Variation = Callable[[str, Random], str | None]

_LONG_WORD = re.compile(r"[A-Za-z]{5,}")
_WORD = re.compile(r"[A-Za-z]{2,}")
_NEGATABLE = re.compile(r"\b(?:is not|is|cannot|can|not)\b")
_NEGATED = {"is not": "is", "is": "is not", "cannot": "can", "can": "cannot", "not": ""}
LOOKALIKES: Mapping[str, str] = dict(zip("aceijopsxyABCEHKMOPTX", "асеіјорѕхуАВСЕНКМОРТХ", strict=True))
"""Latin letters and the Cyrillic ones that look the same."""


def slip(text: str, chance: Random) -> str | None:
    """A slip of the fingers in one word of five letters or more; a number is never touched."""
    words = list(_LONG_WORD.finditer(text))
    if not words:
        return None
    word = chance.choice(words)
    letters = list(word.group())
    at = chance.randrange(len(letters) - 1)
    kinds = ["lost", "doubled"] + (["swapped"] if letters[at] != letters[at + 1] else [])
    kind = chance.choice(kinds)
    if kind == "swapped":
        letters[at : at + 2] = reversed(letters[at : at + 2])
    elif kind == "lost":
        del letters[at]
    else:
        letters.insert(at, letters[at])
    return text[: word.start()] + "".join(letters) + text[word.end() :]


def spacing(text: str, chance: Random) -> str | None:
    """A blank doubled, a blank as a tab, or blanks at the end."""
    if not text.strip():
        return None
    blanks = [at for at, sign in enumerate(text) if sign == " "]
    kind = chance.choice(["end", *(["double", "tab"] if blanks else [])])
    if kind == "end":
        return f"{text}  "
    at = chance.choice(blanks)
    return text[:at] + ("  " if kind == "double" else "\t") + text[at + 1 :]


def letter_case(text: str, chance: Random) -> str | None:
    """One or two words in capitals, or with their letters' case turned round."""
    words = list(_WORD.finditer(text))
    if not words:
        return None
    changed = list(text)
    for word in chance.sample(words, min(len(words), chance.randint(1, 2))):
        shouted = word.group().upper()
        loud = shouted != word.group() and chance.random() < 0.5
        changed[word.start() : word.end()] = shouted if loud else word.group().swapcase()
    return "".join(changed)


def lookalikes(text: str, chance: Random) -> str | None:
    """Up to three letters replaced by letters of another script that look the same."""
    places = [at for at, sign in enumerate(text) if sign in LOOKALIKES]
    if not places:
        return None
    letters = list(text)
    for at in chance.sample(places, min(len(places), chance.randint(1, 3))):
        letters[at] = LOOKALIKES[letters[at]]
    return "".join(letters)


def disguise_letters(text: str, chance: Random) -> str | None:
    """Every letter that has one replaced by a letter of another script that looks the same."""
    changed = "".join(LOOKALIKES.get(sign, sign) for sign in text)
    return changed if changed != text else None


def zero_width(text: str, chance: Random) -> str | None:
    """A sign without width between all others."""
    return "\u200b".join(text) if len(text) > 1 else None


def right_to_left(text: str, chance: Random) -> str | None:
    """The same text behind a mark that shows it backwards."""
    return f"\u202e{text}" if text.strip() else None


def drop_punctuation(text: str, chance: Random) -> str | None:
    """The sign at the end left out, or all commas."""
    body = text.rstrip()
    kinds = ([text.replace(",", "")] if "," in text else []) + (
        [body[:-1] + text[len(body) :]] if body.endswith((".", "!", "?")) else []
    )
    return chance.choice(kinds) if kinds else None


def negate(text: str, chance: Random) -> str | None:
    """`is`, `can` or `not` turned into its opposite where there is only one of them: the answer may change."""
    sites = list(_NEGATABLE.finditer(text))
    if len(sites) != 1:
        return None
    (site,) = sites
    other = _NEGATED[site.group()]
    before = text[: site.start()] if other else text[: site.start()].removesuffix(" ")
    return before + other + text[site.end() :]
