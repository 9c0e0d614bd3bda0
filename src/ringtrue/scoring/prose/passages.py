"""The passages of a text: its sentences where it is prose, its rows, lines and code where it is not."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from ringtrue.scoring.prose.markdown_blocks import Block, Kind, blocks, cells
from ringtrue.scoring.prose.sentences import split_sentences

# Marks of scripts that Punkt does not know; and a unit of one letter, which Punkt takes for an initial.
_OTHER_ENDS = re.compile(r"[。！？｡]+[」』）”’\"]*(?=.)|[।؟۔](?=\s)|(?<=\d)\s?[a-z]\.(?=\s[A-Z])", re.DOTALL)
# Abbreviations that Punkt's English does not know: some never end a sentence, some do not before a number.
_NEVER_LAST = re.compile(
    r"(?<![\w.])(?:(?i:cf|viz|approx|i\.e|e\.g|vs|ca|incl|esp|resp)"
    r"|Mr|Mrs|Ms|Dr|Prof|Gen|Sen|Rep|Gov|Capt|Lt|Col|Sgt|Hon|Rev|Mt)\.[)\]\"']*$"
)
_BEFORE_NUMBER = re.compile(
    r"(?<![\w.])(?:nos?|figs?|eqs?|refs?|secs?|ch|pp?|vols?|art|para|c|est|v)\.$", re.IGNORECASE
)
_BEFORE_SOURCE = re.compile(r"(?<!\w)et al\.$")
_LAST_WORDS = 24
_BREAKS = re.compile(r"[,;:}\])|]\s*(?=\S)|\s+(?=\S)")
_QUOTE_MARKS = re.compile(r"\n[ ]{0,3}(?:>[ ]?)+")


class Passage(NamedTuple):
    """A piece of a text: where it is, on which lines (the first is 1), and what it says on one line."""

    start: int
    end: int
    first_line: int
    last_line: int
    kind: Kind
    headings: tuple[str, ...]
    text: str
    sentence: int
    """Which sentence of the text it belongs to; several passages share one that was too long."""


def split_passages(text: str, longest: int | None = None) -> list[Passage]:
    """The passages of a text, in order, each a slice of it; none has more than `longest` characters where that is set.

    A sentence that is longer is cut at a comma or space.
    """
    starts = [0, *(found.end() for found in re.finditer("\n", text))]
    found: list[Passage] = []
    sentence = 0
    for block in blocks(text):
        for start, end in _spans(text, block):
            for first, last in _pieces(text, start, end, longest):
                lines = bisect_right(starts, first), bisect_right(starts, last - 1)
                said = _passage_text(text[first:last], block if (first, last) == (block.start, block.end) else None)
                found.append(Passage(first, last, *lines, block.kind, block.headings, said, sentence))
            sentence += 1
    return found


def _spans(text: str, block: Block) -> Iterator[tuple[int, int]]:
    if block.kind not in ("text", "item"):
        yield block.start, block.end
        return
    at = start = block.start
    end = -1
    for sentence in split_sentences(text[block.start : block.end]):
        first = text.index(sentence, at)
        at = first + len(sentence)
        if end >= 0 and not _continues(text, end, first):
            yield from _parts(text, start, end)
            start = first
        elif end < 0:
            start = first
        end = at
    if end >= 0:
        yield from _parts(text, start, end)


def _continues(text: str, end: int, following: int) -> bool:
    """Whether a sentence that seems to end continues: after an abbreviation, with a small letter, or with a picture."""
    before, letter = text[max(0, end - _LAST_WORDS) : end], text[following]
    if before.endswith("!") and letter == "[" and end == following:
        return True
    if not before.endswith((".", ")", "]", '"', "'", "”", "’")):
        return False
    if letter.islower() or _NEVER_LAST.search(before):
        return True
    if letter.isdigit() and _BEFORE_NUMBER.search(before):
        return True
    return (letter.isdigit() or letter in "([") and bool(_BEFORE_SOURCE.search(before))


def _parts(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for mark in _OTHER_ENDS.finditer(text, start, end):
        if mark.end() < end:
            yield start, mark.end()
            start = mark.end()
            while start < end and text[start].isspace():
                start += 1
    if start < end:
        yield start, end


def _pieces(text: str, start: int, end: int, longest: int | None) -> Iterator[tuple[int, int]]:
    while longest is not None and end - start > longest:
        cuts = [found.end() for found in _BREAKS.finditer(text, start + longest // 2, start + longest)]
        cut = cuts[-1] if cuts else start + longest
        last = cut
        while last > start and text[last - 1].isspace():
            last -= 1
        if start < last:
            yield start, last
        start = cut
    if start < end:
        yield start, end


def _passage_text(piece: str, block: Block | None) -> str:
    if block is not None and block.kind == "row" and len(block.header) == len(cells(piece)):
        pairs = zip(block.header, cells(piece), strict=True)
        return "; ".join(" ".join((f"{name}: " * bool(name) + cell).split()) for name, cell in pairs if cell)
    return " ".join(_QUOTE_MARKS.sub("\n", piece).split())
