"""The tokenizers sacreBLEU offers without a model file: 13a, intl, zh, char, none."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from functools import lru_cache

import regex  # type: ignore[import-untyped]

_SYMBOLS = '!"#$%&()*+/:;<=>?@[\\]^_`{|}~'
"""ASCII punctuation that is always a token of its own; the apostrophe never is, and . , - depend on digits."""

_ASIDE = {symbol: f" {symbol} " for symbol in _SYMBOLS}
_DIGITS = "0123456789"
_ENTITIES = (("&quot;", '"'), ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"))


def _tokens_13a(text: str) -> list[str]:
    """mteval-v13a: symbols apart, stops and commas apart unless between digits, a dash apart after a digit."""
    text = text.rstrip().replace("<skipped>", "").replace("-\n", "")
    if "&" in text:
        for entity, character in _ENTITIES:
            text = text.replace(entity, character)
    for symbol, aside in _ASIDE.items():
        if symbol in text:
            text = text.replace(symbol, aside)
    if not any(map(text.__contains__, _DIGITS)):
        return text.replace(".", " . ").replace(",", " , ").split()
    if ".." in text or ".," in text or ",." in text or ",," in text:
        return _in_passes(f" {text} ")
    tokens: list[str] = []
    for chunk in text.split():
        if chunk.isalpha():
            tokens.append(chunk)
        else:
            tokens += _PIECE.findall(chunk)
    return tokens


# One piece of a chunk without symbols, in which no two stops or commas touch. Possessive, so that it is linear.
_NUMBER = r"[0-9]++(?:[.,][0-9]++)*+"
_REST = r"[^.,0-9]++"
_PIECE = re.compile(
    rf"-(?<=[0-9]-)|[.,]|(?:{_NUMBER}(?!-))?+{_REST}(?:{_NUMBER}(?!-){_REST})*+(?:{_NUMBER})?+|{_NUMBER}"
)

# Where stops touch, which of them stays with a digit depends on how the passes of the Perl script consume the text:
# each pass takes pairs of neighbours from the left.
_PASSES = (
    (re.compile(r"([^0-9])([.,])"), r"\1 \2 "),
    (re.compile(r"([.,])([^0-9])"), r" \1 \2"),
    (re.compile(r"([0-9])-"), r"\1 - "),
)


def _in_passes(text: str) -> list[str]:
    for pattern, replacement in _PASSES:
        text = pattern.sub(replacement, text)
    return text.split()


# What sacreBLEU 2.6.0 takes for Chinese. Its table writes the ranges beyond the basic plane with four digits and one
# more character, which makes them U+2001 to U+2A6D (so also curly quotes and dashes) and leaves extension B out.
_HAN = re.compile(
    "[\u2001-\u2a6d\u2e80-\u2fdf\u2ff0-\u303f\u3100-\u312f\u31a0-\u31ef\u3200-\u4db5\u4e00-\u9fbb"
    "\uf900-\ufa2d\ufa30-\ufa6a\ufa70-\ufad9\ufe10-\ufe1f\ufe30-\ufe4f\uff00-\uffef]"
)


def _tokens_zh(text: str) -> list[str]:
    """Every Chinese character apart, the rest as 13a splits it, without entities and without padding at the ends."""
    text = _HAN.sub(r" \g<0> ", text.strip())
    for symbol, aside in _ASIDE.items():
        text = text.replace(symbol, aside)
    return _in_passes(text)


# mteval-v14: any Unicode punctuation apart unless between numbers, any symbol apart.
_INTERNATIONAL = (
    (regex.compile(r"(\P{N})(\p{P})"), r"\1 \2 "),
    (regex.compile(r"(\p{P})(\P{N})"), r" \1 \2"),
    (regex.compile(r"(\p{S})"), r" \1 "),
)


def _tokens_intl(text: str) -> list[str]:
    text = text.rstrip()
    for pattern, replacement in _INTERNATIONAL:
        text = pattern.sub(replacement, text)
    return text.split()


def _tokens_char(text: str) -> list[str]:
    """Every character that is not whitespace."""
    return list("".join(text.split()))


TOKENIZERS: dict[str, Callable[[str], list[str]]] = {
    "13a": _tokens_13a,
    "intl": _tokens_intl,
    "zh": _tokens_zh,
    "char": _tokens_char,
    "none": str.split,
}
"""Name -> text to tokens."""

# References come again with every system, model and trial. Short lines alone, so that the memory is bounded.
_REMEMBERED = {name: lru_cache(maxsize=4_096)(split) for name, split in TOKENIZERS.items()}
_SHORT = 400


def tokens_of(text: str, tokenize: str) -> Sequence[str]:
    """The tokens of a text, to be read and not changed: a short text seen lately is not split again."""
    return _REMEMBERED[tokenize](text) if len(text) <= _SHORT else TOKENIZERS[tokenize](text)


def forget() -> None:
    """Empty what `tokens_of` remembers, for measurements."""
    for remembered in _REMEMBERED.values():
        remembered.cache_clear()
