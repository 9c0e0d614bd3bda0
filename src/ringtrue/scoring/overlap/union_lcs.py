"""Unions of longest common subsequences, the core of ROUGE-Lsum, for all reference sentences at once.

One bit stands for each token of the reference. A column of the table of common subsequences is then one integer: where
a bit is zero, the table grows from the row before. A candidate's token takes one column to the next with one addition
(Hyyrö, 2004). A spare bit above each sentence keeps carries and borrows inside it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from math import isqrt
from typing import NamedTuple

_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_NO_MATCH = (0, 0)


def union_lcs(
    reference: Sequence[Sequence[bytes]], candidate: Sequence[Sequence[bytes]], *, held_bits: int = 1 << 26
) -> Counter[bytes]:
    """Count each token in the unions of an LCS of each reference sentence with each candidate sentence.

    Of several longest subsequences it takes the one rouge-score takes: their unions differ in size. A table larger
    than `held_bits` is computed twice instead of being held.
    """
    known = set(chain.from_iterable(candidate))
    # A token that no candidate holds is in no subsequence; equal sentences have equal unions.
    sentences = Counter(tuple(token for token in sentence if token in known) for sentence in reference)
    board = _laid_out(sentences)
    taken = 0
    for sentence in dict.fromkeys(map(tuple, candidate)):
        taken |= _trace_back(board, _matches(board, sentence), held_bits)
    union: Counter[bytes] = Counter()
    marks = f"{taken:0{8 * board.size}b}"
    start = 0
    for tokens, copies in sentences.items():
        for token, mark in zip(tokens, marks[start : start + len(tokens)], strict=True):
            if mark == "1":
                union[token] += copies
        start += len(tokens) + 1
    return union


class _Board(NamedTuple):
    """The bits of all reference sentences; `back_` the same bits mirrored, the last token of a sentence lowest."""

    size: int
    bits: int
    back_bits: int
    back_spare: int
    back_lowest: int
    matches: dict[bytes, tuple[int, int]]


def _laid_out(sentences: Iterable[Sequence[bytes]]) -> _Board:
    places: dict[bytes, list[int]] = {}
    starts: list[int] = []
    ends: list[int] = []
    at = 0
    for sentence in sentences:
        starts.append(at)
        for token in sentence:
            places.setdefault(token, []).append(at)
            at += 1
        ends.append(at)
        at += 1
    size = at // 8 + 1
    matches = {token: _bits(where, size) for token, where in places.items()}
    bits, back_bits = _bits(chain.from_iterable(places.values()), size)
    # Mirrored, the spare bit above a sentence is the one before its first token.
    _, back_spare = _bits(starts, size)
    _, back_end = _bits(ends, size)
    return _Board(size, bits, back_bits, back_spare << 1, back_end << 1, matches)


def _bits(places: Iterable[int], size: int) -> tuple[int, int]:
    """An integer with these bits, and its mirror image."""
    buffer = bytearray(size)
    for place in places:
        buffer[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(buffer, "little"), int.from_bytes(buffer.translate(_MIRRORED), "big")


def _matches(board: _Board, sentence: Sequence[bytes]) -> list[tuple[int, int]]:
    """Return where a candidate's tokens are in the reference; unknown ones at the start are left out, others merged."""
    columns: list[tuple[int, int]] = []
    for token in sentence:
        found = board.matches.get(token, _NO_MATCH)
        # A stranger matters once: it makes the trace leave rows that do not grow.
        if found is not _NO_MATCH or (columns and columns[-1] is not _NO_MATCH):
            columns.append(found)
    return columns


def _trace_back(board: _Board, columns: Sequence[tuple[int, int]], held_bits: int) -> int:
    """The reference tokens, mirrored, that rouge-score's walk back through the table of each sentence takes.

    From the last row and column, in all sentences at once: down to the nearest row that matches or grows; a match is
    taken and its row left behind; on to the column before.
    """
    size, bits, back_bits, spare, lowest, _ = board
    walkable = back_bits
    taken = 0
    table = _table_backwards(board, columns, held_bits)
    for (match, back_match), column in zip(reversed(columns), table, strict=False):
        stops = (bits ^ column) | match
        back_stops = int.from_bytes(stops.to_bytes(size, "little").translate(_MIRRORED), "big") & walkable
        passed = (back_stops ^ ((back_stops | spare) - lowest)) & back_bits
        nearest = back_stops & passed
        matched = nearest & back_match
        taken |= matched
        walkable = (back_bits ^ passed) | (nearest ^ matched)
        if not walkable:
            break
    return taken


def _table_backwards(board: _Board, columns: Sequence[tuple[int, int]], held_bits: int) -> Iterator[int]:
    """The columns of the table, the last one first."""
    held = (len(columns) or 1) if len(columns) * 8 * board.size <= held_bits else isqrt(len(columns)) + 1
    firsts = [board.bits]
    for start in range(0, len(columns) - held, held):
        firsts.append(_forward(board.bits, firsts[-1], columns[start : start + held])[-1])
    for block in reversed(range(len(firsts))):
        start = block * held
        yield from reversed(_forward(board.bits, firsts[block], columns[start : start + held]))


def _forward(bits: int, column: int, columns: Sequence[tuple[int, int]]) -> list[int]:
    """The columns of the table after each of these, beginning from one."""
    reached: list[int] = []
    for match, _ in columns:
        both = column & match
        column = ((column + both) | (column ^ both)) & bits
        reached.append(column)
    return reached
