"""Running text: its mathematical spans, its sentences, its numbers."""

from __future__ import annotations

import re
from typing import NamedTuple

NUMBER = re.compile(
    r"(?:(?<![\w.,)\]}%])[-+]\s?)?[$€£¥]?(?<![A-Za-z0-9_.])"
    r"(?:\d{1,3}(?:,\d{3}){1,20}(?!\d)|\d{1,4000}(?!\d))(?:\.\d{1,4000}(?!\d))?"
    r"(?:[eE][+-]?\d{1,4}(?!\w)|\s?/\s?\d{1,40}(?![\d/.])|\s\d{1,20}/\d{1,20}(?![\d/.]))?"
    r"(?:\s?\\?%|\s(?:per\s?cent|hundred|thousand|million|billion|trillion)\b)?"
)
"""A number as prose writes it: sign, currency, thousands, decimals, exponent, fraction, mixed number, percent."""
SENTENCE_END = re.compile(r"(?<!\\)[.!?。！？](?=[\s\"')*\]]|$)")
_DELIMITERS = (("$$", "$$"), ("\\[", "\\]"), ("\\(", "\\)"), ("$", "$"))


_WORD = re.compile(r"(?<![\\A-Za-z])[A-Za-z]{2,}|[^\W\d_\x00-\x7f]{2,}")


class Span(NamedTuple):
    """A piece of mathematics in prose: its content and where it is, delimiters included."""

    content: str
    start: int
    end: int


def spans(text: str) -> list[Span]:
    """The pieces of mathematics between dollar signs or LaTeX brackets; an amount of money opens none."""
    found: list[Span] = []
    position = 0
    missing: set[str] = set()
    while True:
        openings = [(text.find(opening, position), opening, closing) for opening, closing in _DELIMITERS]
        start, opening, closing = min(
            ((at, opening, closing) for at, opening, closing in openings if at >= 0), default=(-1, "", "")
        )
        if start < 0 or len(found) > 500:
            return found
        if opening == "$" and text.startswith("$$", start):
            opening = closing = "$$"
        inner = start + len(opening)
        end = -1 if closing in missing else _closing(text, inner, closing)
        if end < 0:
            if opening != "$":
                missing.add(closing)
            position = inner
            continue
        if text[inner:end].strip():
            found.append(Span(text[inner:end], start, end + len(closing)))
        position = end + len(closing)


def _closing(text: str, start: int, closing: str) -> int:
    if closing != "$":
        return text.find(closing, start)
    # As in Pandoc: an inline formula touches both its dollar signs, and no digit follows the second.
    if start >= len(text) or text[start].isspace() or text[start - 2 : start - 1] == "\\":
        return -1
    end = start
    for _ in range(50):
        end = text.find("$", end, start + 1_000)
        if end < 0:
            return -1
        before, after = text[end - 1], text[end + 1 : end + 2]
        if before == "\\" or end == start:
            end += 1
        elif before.isspace() or after.isdigit():
            return -1
        else:
            return end
    return -1


def is_prose(text: str, least: int = 1) -> bool:
    """Whether a text has words, two at least where it has commands of LaTeX, which are not counted."""
    return len(_WORD.findall(text)) >= (max(least, 2) if "\\" in text else least)


def sentences(line: str) -> list[str]:
    """The sentences of a line, without their final marks."""
    found = []
    start = 0
    for mark in SENTENCE_END.finditer(line):
        found.append(line[start : mark.start()])
        start = mark.end()
    found.append(line[start:])
    return [sentence.strip() for sentence in found if sentence.strip()]


def first_sentence(text: str) -> str:
    """The text up to the first mark that ends a sentence."""
    mark = SENTENCE_END.search(text)
    return text[: mark.start()] if mark else text
