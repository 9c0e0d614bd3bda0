"""F1 over characters, for scripts that put no space between words."""

from __future__ import annotations

import string
from collections import Counter

_FULL_WIDTH = (
    "！？｡。＂＃＄％＆＇（）＊＋，－／：；＜＝＞＠［＼］＾＿｀｛｜｝～｟｠｢｣､、〃》「」『』【】〔〕〖〗〘〙〚〛〜〝〞〟〰〾〿"
    "–—‘’‛“”„‟…‧﹏"
)
_DROPPED = str.maketrans("", "", string.punctuation + _FULL_WIDTH)


def bare_characters(text: str) -> str:
    """A text in lower case without whitespace and without ASCII or full-width punctuation."""
    return "".join(text.lower().translate(_DROPPED).split())


def character_f1(reply: str, reference: str) -> float:
    """Harmonic mean of the shares of characters, counted with repetition, that two texts have in common."""
    said, wanted = bare_characters(reply), bare_characters(reference)
    common = (Counter(said) & Counter(wanted)).total()
    return 2 * common / (len(said) + len(wanted)) if common else 0.0
