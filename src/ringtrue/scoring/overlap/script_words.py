"""The words of a text in any script; in scripts that put no spaces between words, its characters."""

from __future__ import annotations

import re
import unicodedata

_UNSPACED = (
    "\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Thai and Lao, Tibetan, Burmese, Khmer, kana, Chinese characters."""
WITHOUT_SPACES = re.compile(f"[{_UNSPACED}]")


def words_of_any_script(text: str) -> list[str]:
    """Runs of letters, digits and their marks; in a script without spaces each letter with its marks is a word."""
    words: list[str] = []
    begun = -1  # where the word at hand begins
    for at, sign in enumerate(text):
        kind = unicodedata.category(sign)[0]
        apart = kind in "LN" and WITHOUT_SPACES.match(sign) is not None
        if begun >= 0 and (kind not in "LNM" or apart or (kind != "M" and WITHOUT_SPACES.match(text[begun]))):
            words.append(text[begun:at])
            begun = -1
        if begun < 0 and kind in "LN":
            begun = at
    return [*words, text[begun:]] if begun >= 0 else words
