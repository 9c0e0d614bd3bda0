"""The Porter stemmer of 1980 with the amendments NLTK applies by default, which is the one rouge-score stems with."""

from __future__ import annotations

from functools import lru_cache

# What NLTK answers without looking at suffixes.
_IRREGULAR = {
    "skies": "sky",
    "sky": "sky",
    "dying": "die",
    "lying": "lie",
    "tying": "tie",
    "news": "news",
    "innings": "inning",
    "inning": "inning",
    "outings": "outing",
    "outing": "outing",
    "cannings": "canning",
    "canning": "canning",
    "howe": "howe",
    "proceed": "proceed",
    "exceed": "exceed",
    "succeed": "succeed",
}

# Each step replaces the first suffix of its table that the word ends with; a failed condition ends the step.
_STEP_2 = (
    ("ational", "ate"),
    ("tional", "tion"),
    ("enci", "ence"),
    ("anci", "ance"),
    ("izer", "ize"),
    ("bli", "ble"),
    ("alli", "al"),
    ("entli", "ent"),
    ("eli", "e"),
    ("ousli", "ous"),
    ("ization", "ize"),
    ("ation", "ate"),
    ("ator", "ate"),
    ("alism", "al"),
    ("iveness", "ive"),
    ("fulness", "ful"),
    ("ousness", "ous"),
    ("aliti", "al"),
    ("iviti", "ive"),
    ("biliti", "ble"),
    ("fulli", "ful"),
)
_STEP_3 = (
    ("icate", "ic"),
    ("ative", ""),
    ("alize", "al"),
    ("iciti", "ic"),
    ("ical", "ic"),
    ("ful", ""),
    ("ness", ""),
)
_STEP_4 = (
    *("al", "ance", "ence", "er", "ic", "able", "ible", "ant", "ement", "ment", "ent", "ion"),
    *("ou", "ism", "ate", "iti", "ous", "ive", "ize"),
)
_STEP_2_SUFFIXES = tuple(suffix for suffix, _ in _STEP_2)
_STEP_3_SUFFIXES = tuple(suffix for suffix, _ in _STEP_3)
_LONGEST_REMEMBERED = 32


def stem(word: str) -> str:
    """The stem of a lower-case word; words of one or two letters are their own stem."""
    if len(word) <= 2:
        return word
    # Remembering only words of ordinary length bounds the memory by the number of entries.
    return _remembered(word) if len(word) <= _LONGEST_REMEMBERED else _stem(word)


def _stem(word: str) -> str:
    irregular = _IRREGULAR.get(word)
    if irregular is not None:
        return irregular
    word = _final_y(_past_and_gerund(_plural(word)))
    return _final_e_and_ll(_step_4(_step_3(_step_2(word))))


_remembered = lru_cache(maxsize=16_384)(_stem)


def _plural(word: str) -> str:
    if not word.endswith("s"):
        return word
    if word.endswith("ies"):
        return word[:-1] if len(word) == 4 else word[:-2]
    if word.endswith("sses"):
        return word[:-2]
    return word if word.endswith("ss") else word[:-1]


def _past_and_gerund(word: str) -> str:
    if word.endswith("ed"):
        if word.endswith("ied"):
            return word[:-1] if len(word) == 4 else word[:-2]
        if word.endswith("eed"):
            return word[:-1] if _measure(word[:-3]) > 0 else word
        rest = word[:-2]
    elif word.endswith("ing"):
        rest = word[:-3]
    else:
        return word
    return _mend(rest) if "v" in _shape(rest) else word


def _mend(rest: str) -> str:
    """Return the rest of a word without -ed or -ing, with its own ending put back."""
    if rest.endswith(("at", "bl", "iz")):
        return rest + "e"
    shape = _shape(rest)
    if len(rest) >= 2 and rest[-1] == rest[-2] and shape[-1] == "c":
        return rest if rest[-1] in "lsz" else rest[:-1]
    return rest + "e" if shape.count("vc") == 1 and _ends_short(rest, shape) else rest


def _final_y(word: str) -> str:
    if word.endswith("y") and len(word) > 2 and _shape(word[:-1])[-1] == "c":
        return word[:-1] + "i"
    return word


def _step_2(word: str) -> str:
    if word.endswith("alli") and _measure(word[:-4]) > 0:
        word = word[:-2]
    if word.endswith(_STEP_2_SUFFIXES):
        return _replace_suffix(word, _STEP_2)
    # The l counts with the stem, so that geo- and theo- are treated like archaeo-.
    return word[:-1] if word.endswith("logi") and _measure(word[:-3]) > 0 else word


def _step_3(word: str) -> str:
    return _replace_suffix(word, _STEP_3) if word.endswith(_STEP_3_SUFFIXES) else word


def _step_4(word: str) -> str:
    if not word.endswith(_STEP_4):
        return word
    suffix = next(suffix for suffix in _STEP_4 if word.endswith(suffix))
    rest = word[: -len(suffix)]
    if _measure(rest) <= 1 or (suffix == "ion" and rest[-1] not in "st"):
        return word
    return rest


def _final_e_and_ll(word: str) -> str:
    if word.endswith("e"):
        rest = word[:-1]
        shape = _shape(rest)
        measure = shape.count("vc")
        if measure > 1 or (measure == 1 and not _ends_short(rest, shape)):
            word = rest
    return word[:-1] if word.endswith("ll") and _measure(word[:-1]) > 1 else word


def _replace_suffix(word: str, table: tuple[tuple[str, str], ...]) -> str:
    for suffix, replacement in table:
        if word.endswith(suffix):
            rest = word[: -len(suffix)]
            return rest + replacement if _measure(rest) > 0 else word
    return word


def _measure(part: str) -> int:
    """Count how many times a vowel is followed by a consonant."""
    return _shape(part).count("vc")


_LETTERS = bytes(ord("y" if chr(code) == "y" else "v" if chr(code) in "aeiou" else "c") for code in range(256))


def _shape(part: str) -> str:
    """One c or v for each letter; y is a vowel after a consonant and a consonant elsewhere."""
    shape = part.encode("ascii", "replace").translate(_LETTERS).decode()
    if "y" not in shape:
        return shape
    letters: list[str] = []
    before = "v"
    for letter in shape:
        before = letter if letter != "y" else "v" if before == "c" else "c"
        letters.append(before)
    return "".join(letters)


def _ends_short(part: str, shape: str) -> bool:
    """Whether it ends consonant, vowel, consonant other than w, x, y; or is just a vowel and a consonant."""
    return (shape.endswith("cvc") and part[-1] not in "wxy") or shape == "vc"
