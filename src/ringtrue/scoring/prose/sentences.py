"""Sentences of an English text, exactly as NLTK 3.8.1's Punkt splitter with its English parameters finds them.

Punkt looks at every `.`, `?` and `!` that is followed by space or a closing mark. It cuts the word before and the word
after into tokens, and asks what is known of them: abbreviations, initials, numbers, words that go together across a
period, words that often start a sentence, and whether a word is seen with a capital in mid-sentence.
"""

from __future__ import annotations

import json
import re
import zlib
from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import islice, pairwise
from typing import NamedTuple

from ringtrue.scoring.data import read_bytes

_MARK = r"""[)";}\]*:@'({\[?!]"""
_CANDIDATE = re.compile(rf"[.?!](?={_MARK}|(\s+)\S)")
_WORD = re.compile(r"\S+")
_SPACES = " \n\t\r\x0b\x0c"
_CLOSING = re.compile(r"""["')\]}]+?(?:\s+|(?=--)|$)""", re.MULTILINE)

# Dashes, ellipses and spaced ellipses stay whole; a word ends before space, a mark, or a comma that ends it.
_WHOLE = r"-{2,}|\.{2,}|(?:\.\s){2,}\."
_END = rf"\s|$|{_MARK}|{_WHOLE}"
_TOKEN = re.compile(rf"{_WHOLE}|[^\s(\"`{{\[:;&#*@)}}\]\-,]\S*?(?={_END}|,(?:{_END}))|\S")
_INITIAL = re.compile(r"[^\W\d]\.$")
_ELLIPSIS = re.compile(r"\.\.+$")
_NUMBER = re.compile(r"-?[.,]?\d[\d,.\-]*$")
_NUMBER_TYPE = "##number##"

# How a word was seen in training: in mid-sentence or at its start, with a capital or without.
_MID_UPPER = 0b0000100
_ANY_UPPER = 0b0001110
_START_LOWER = 0b0010000
_ANY_LOWER = 0b1110000


def split_sentences(text: str) -> list[str]:
    """The sentences of a text, in order, without the space between them."""
    return [text[start:end] for start, end in _sentences(text)]


def count_sentences(text: str, limit: int | None = None) -> int:
    """Count the sentences of a text; counting stops at the limit."""
    return sum(1 for _ in islice(_sentences(text), limit))


def _sentences(text: str) -> Iterator[tuple[int, int]]:
    """Yield the start and end of sentences; closing quotes and brackets belong to the sentence before them."""
    pieces = _pieces(text)
    start, end = next(pieces)
    for following_start, following_end in pieces:
        closing = _CLOSING.match(text, following_start, following_end)
        if closing:
            yield start, following_start + len(closing[0].rstrip())
        elif start < end:
            yield start, end
        start, end = closing.end() if closing else following_start, following_end
    if start < end:
        yield start, end


def _pieces(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for word_start, candidate in _candidates(text):
        if _is_break(text, word_start, candidate):
            yield start, candidate.end()
            start = candidate.end(1) if candidate[1] else candidate.end()
    yield start, len(text.rstrip())


def _candidates(text: str) -> Iterator[tuple[int, re.Match[str]]]:
    """The possible ends of sentences, each with the start of the word before; the last one of each word counts."""
    spaces = [space for space in _SPACES if space in text]
    start = stop = 0
    previous = None
    for candidate in _CANDIDATE.finditer(text):
        at = candidate.start()
        space = max([text.rfind(space, stop, at) for space in spaces], default=-1)
        word = space + 1 if space > stop else start
        if previous is not None and stop <= word:
            yield start, previous
        previous, start, stop = candidate, word, at
    if previous is not None:
        yield start, previous


def _is_break(text: str, word_start: int, candidate: re.Match[str]) -> bool:
    at = candidate.start()
    if text[at] != ".":
        # A question or exclamation mark is always a token of its own, and something follows it here.
        return True
    word = text[word_start:at]
    if len(word) > 1 and word.isalpha() and word.lower() not in _punkt_tables().special:
        return True
    end = candidate.end()
    following = _WORD.match(text, candidate.end(1)) if candidate[1] else None
    return _holds_break(text[word_start : following.end() if following else end + 1])


class _Token(NamedTuple):
    text: str
    type: str
    """The token in lower case, with every number as one word."""
    ends_sentence: bool
    shortened: bool
    """Whether it is an ellipsis or a known abbreviation."""


@lru_cache(maxsize=4_096)
def _holds_break(context: str) -> bool:
    """Whether a sentence ends behind any token of this context but the last."""
    tokens = [_token(found) for line in context.split("\n") for found in _TOKEN.findall(line)]
    return any(_ends(token, following) for token, following in pairwise(tokens))


def _token(text: str) -> _Token:
    lower = text.lower()
    kind = _NUMBER_TYPE if _NUMBER.match(lower) else lower
    if text in (".", "?", "!"):
        return _Token(text, kind, True, False)
    if not text.endswith("."):
        return _Token(text, kind, False, False)
    if text.endswith(".."):
        return _Token(text, kind, False, _ELLIPSIS.match(text) is not None)
    stem = text[:-1].lower()
    shortened = stem in _punkt_tables().abbreviations or stem.split("-")[-1] in _punkt_tables().abbreviations
    return _Token(text, kind, not shortened, shortened)


def _ends(token: _Token, following: _Token) -> bool:
    """Whether a sentence ends between two tokens, once the second is looked at."""
    if not token.text.endswith("."):
        return token.ends_sentence
    kind = _without_period(token.type)
    following_kind = _without_period(following.type) if following.ends_sentence else following.type
    if (kind, following_kind) in _punkt_tables().collocations:
        return False
    initial = _INITIAL.match(token.text) is not None
    upper = following.text[0].isupper()
    starts = _starts_sentence(following.text, following_kind)
    if token.shortened and not initial and (starts or (upper and following_kind in _punkt_tables().starters)):
        return True
    if initial or kind == _NUMBER_TYPE:
        if starts is False:
            return False
        never_lower = not _punkt_tables().contexts.get(following_kind, 0) & _ANY_LOWER
        if starts is None and initial and upper and never_lower:
            return False
    return token.ends_sentence


def _starts_sentence(text: str, kind: str) -> bool | None:
    """Return whether the word starts a sentence, by its first letter; None if it may do either."""
    if text in (";", ":", ",", ".", "!", "?"):
        return False
    seen = _punkt_tables().contexts.get(kind, 0)
    if text[0].isupper() and seen & _ANY_LOWER and not seen & _MID_UPPER:
        return True
    if text[0].islower() and (seen & _ANY_UPPER or not seen & _START_LOWER):
        return False
    return None


def _without_period(kind: str) -> str:
    return kind[:-1] if len(kind) > 1 and kind[-1] == "." else kind


class _PunktTables(NamedTuple):
    abbreviations: frozenset[str]
    starters: frozenset[str]
    collocations: frozenset[tuple[str, str]]
    contexts: dict[str, int]
    special: frozenset[str]
    """The words before a period that need a second look."""


@cache
def _punkt_tables() -> _PunktTables:
    table = json.loads(zlib.decompress(read_bytes("punkt_english.bin")))
    collocations = frozenset((first, second) for first, second in table["collocations"])
    abbreviations = frozenset(table["abbreviations"])
    contexts: dict[str, int] = {}
    for flags, words in table["contexts"].items():
        contexts.update(dict.fromkeys(words.split(" "), int(flags)))
    special = abbreviations | {first for first, _ in collocations}
    return _PunktTables(abbreviations, frozenset(table["starters"]), collocations, contexts, special)
