"""Unions of longest common subsequences, the core of ROUGE-Lsum.

One bit stands for each token of the reference. A column of the table of common subsequences is then one integer: where
a bit is zero, the table grows from the row before. A candidate's token takes one column to the next with one addition
(Hyyrö, 2004). Back through the table, rouge-score goes in each column down to the nearest row that matches or grows; it
takes a match, and leaves its row behind.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain
from math import isqrt
from typing import Generic, NamedTuple, TypeVar

_FEW, _SOME, _LONG = 16, 256, 8_000
"""A few reference sentences have an integer each, more of them share one. Where a candidate sentence is long, some go
their own ways back through its table, more of them all at once: these choices change the time and nothing else."""
_TURN_COLUMNS = 500
"""After this many columns it pays to look which sentences are settled."""
_HELD_BITS = 1 << 26
_MIRRORED = bytes(int(f"{byte:08b}"[::-1], 2) for byte in range(256))
_TAKEN = ord("1")
_SPARE = b" "
"""No token: tokens are letters and digits."""

_Sentence = tuple[bytes, ...]
_Marked = tuple[_Sentence, bytes | bytearray]
"""A sentence with a 1 for each token that is taken, and a 0 for the others."""
_More = TypeVar("_More")


class _Column(NamedTuple, Generic[_More]):
    """Where a candidate's token stands in the reference, and what else the way back needs of it."""

    match: int
    more: _More


_STRANGER = _Column(0, _SPARE)
_NOWHERE = [1 << 62]


def union_lcs(reference: Sequence[Sequence[bytes]], candidate: Sequence[Sequence[bytes]]) -> Counter[bytes]:
    """How often each token stands in the unions of an LCS of each reference sentence with each candidate sentence.

    Of several longest subsequences it takes the one rouge-score takes: their unions differ in size.
    """
    known = set(chain.from_iterable(candidate))
    # A token that no candidate holds is in no subsequence; equal sentences have equal unions.
    sentences = Counter(tuple(token for token in sentence if token in known) for sentence in reference)
    others = list(dict.fromkeys(map(tuple, candidate)))
    few = len(sentences) <= _FEW and max(map(len, others), default=0) <= _LONG
    marks = _one_by_one(sentences, others) if few else _together(sentences, others)
    union: Counter[bytes] = Counter()
    for sentence, taken in marks:
        copies = sentences[sentence]
        for token, mark in zip(sentence, taken, strict=True):
            if mark == _TAKEN:
                union[token] += copies
    return union


def _one_by_one(sentences: Iterable[_Sentence], candidate: Iterable[_Sentence]) -> Iterator[_Marked]:
    """The sentences, marked one after the other."""
    for sentence in sentences:
        walker = _Walker(sentence)
        bits = (1 << len(sentence)) - 1
        columns = {
            token: _Column(_bits((row - 1 for row in rows), len(sentence) // 8 + 1), token)
            for token, rows in walker.rows.items()
        }
        for other in candidate:
            _walk(bits, _columns(columns, other, _STRANGER), [walker])
        yield sentence, walker.taken


class _Walker:
    """One sentence on the way back: its tokens lie above so many lower bits, and `taken` has a 1 for each it takes."""

    def __init__(self, sentence: _Sentence, lower: int = 0) -> None:
        self.sentence, self.lower = sentence, lower
        self.rows = {token: [place + 1 for place in places] for token, places in _places(sentence).items()}
        self.taken = bytearray(b"0" * len(sentence))


def _walk(bits: int, columns: Sequence[_Column[bytes]], walkers: Sequence[_Walker]) -> None:
    """Mark what the way back takes in each sentence.

    A row that grows and does not match grows in the column before, too: the way waits there for its token. So only a
    taken token needs a look at the table, in the column before it.
    """
    places = _places(token for _, token in columns)
    at = [(len(walker.sentence), len(columns) - 1) for walker in walkers]
    for start, reached in _blocks(bits, columns):
        for number, walker in enumerate(walkers):
            sentence, lower, rows, taken = walker.sentence, walker.lower, walker.rows, walker.taken
            row, column = at[number]
            while row and column >= start:
                below = (1 << row) - 1
                shown = reached[column - start]
                grown = ((shown >> lower if lower else shown) & below ^ below).bit_length()
                same = rows.get(columns[column].more, _NOWHERE)
                matched = same[bisect_right(same, row) - 1] if same[0] <= row else 0
                if matched < grown:
                    row, before = grown, places[sentence[grown - 1]]
                    column = before[bisect_left(before, column) - 1]
                else:
                    row = matched
                if row:
                    row -= 1
                    taken[row] = _TAKEN
                column -= 1
            at[number] = row, column
        if not any(row for row, _ in at):
            return


def _together(sentences: Iterable[_Sentence], candidate: Iterable[_Sentence]) -> Iterator[_Marked]:
    """The same for many sentences, which share one integer; those with all their tokens taken leave it in turns."""
    marks = {sentence: b"0" * len(sentence) for sentence in sentences}
    board = _laid_out(marks)
    taken = seen = 0
    for other in candidate:
        if len(other) > _LONG and len(marks) <= _SOME:
            taken |= _walk_back(board, marks, other)
            continue
        columns = _columns(board.columns, other, _Column(0, 0))
        taken |= _trace_back(board, columns)
        seen += len(columns)
        if seen < _TURN_COLUMNS:
            continue
        seen = 0
        if 2 * taken.bit_count() >= board.tokens:
            marks = _marks(board, marks, taken)
            unsettled = {sentence: found for sentence, found in marks.items() if b"0" in found}
            if 2 * sum(map(len, unsettled)) <= board.tokens:
                yield from ((sentence, found) for sentence, found in marks.items() if sentence not in unsettled)
                marks = unsettled
                board = _laid_out(marks)
                taken = _join_marks(marks.values(), board.size)
    yield from _marks(board, marks, taken).items()


def _walk_back(board: _Board, sentences: Iterable[_Sentence], other: _Sentence) -> int:
    """The tokens, mirrored, that the way back takes where each sentence goes its own."""
    walkers: list[_Walker] = []
    lower = 0
    for sentence in sentences:
        walkers.append(_Walker(sentence, lower))
        lower += len(sentence) + 1
    columns = {token: _Column(match, token) for token, (match, _) in board.columns.items()}
    _walk(board.bits, _columns(columns, other, _STRANGER), walkers)
    return _join_marks((walker.taken for walker in walkers), board.size)


def _join_marks(marks: Iterable[bytes | bytearray], size: int) -> int:
    """The mirrored bits of sentences whose tokens are marked."""
    return int(b"0".join(marks).ljust(8 * size, b"0"), 2)


class _Board(NamedTuple):
    """The bits of all reference sentences; a spare bit above each keeps carries and borrows inside it.

    `back_` are the same bits mirrored, the last token of a sentence lowest.
    """

    tokens: int
    size: int
    bits: int
    back_bits: int
    back_spare: int
    back_lowest: int
    columns: dict[bytes, _Column[int]]


def _laid_out(sentences: Iterable[_Sentence]) -> _Board:
    starts: list[int] = []
    ends: list[int] = []
    line: list[bytes] = []
    for sentence in sentences:
        starts.append(len(line))
        line += sentence
        ends.append(len(line))
        line.append(_SPARE)
    size = len(line) // 8 + 1
    places = _places(line)
    places.pop(_SPARE, None)
    columns = {token: _Column(bits := _bits(where, size), _mirror(bits, size)) for token, where in places.items()}
    bits = _bits(chain.from_iterable(places.values()), size)
    # Mirrored, the spare bit above a sentence is the one before its first token.
    spare, lowest = (_mirror(_bits(where, size), size) << 1 for where in (starts, ends))
    return _Board(len(line) - len(ends), size, bits, _mirror(bits, size), spare, lowest, columns)


def _marks(board: _Board, sentences: Iterable[_Sentence], taken: int) -> dict[_Sentence, bytes]:
    """For each token of each sentence a 1 if it is taken."""
    marks = f"{taken:0{8 * board.size}b}".encode()
    found = {}
    start = 0
    for sentence in sentences:
        found[sentence] = marks[start : start + len(sentence)]
        start += len(sentence) + 1
    return found


def _trace_back(board: _Board, columns: Sequence[_Column[int]]) -> int:
    """The tokens, mirrored, that the way back takes, in all sentences at once."""
    _, size, bits, back_bits, spare, lowest, _ = board
    walkable = back_bits
    taken = 0
    backwards = chain.from_iterable(reversed(reached) for _, reached in _blocks(bits, columns))
    for (match, back_match), column in zip(reversed(columns), backwards, strict=False):
        back_stops = _mirror((bits ^ column) | match, size) & walkable
        passed = (back_stops ^ ((back_stops | spare) - lowest)) & back_bits
        nearest = back_stops & passed
        matched = nearest & back_match
        taken |= matched
        walkable = (back_bits ^ passed) | (nearest ^ matched)
        if not walkable:
            break
    return taken


def _columns(
    known: Mapping[bytes, _Column[_More]], sentence: Iterable[bytes], stranger: _Column[_More]
) -> list[_Column[_More]]:
    """The columns of a candidate's tokens; strangers at the start are left out, others merged."""
    columns: list[_Column[_More]] = []
    for token in sentence:
        found = known.get(token, stranger)
        # A stranger matters once: it makes the way back leave rows that do not grow.
        if found is not stranger or (columns and columns[-1] is not stranger):
            columns.append(found)
    return columns


def _blocks(bits: int, columns: Sequence[_Column[_More]]) -> Iterator[tuple[int, list[int]]]:
    """The columns of the table in blocks, the last one first, each with the number of its first column.

    Those of a long sentence are computed twice, not all held.
    """
    held = (len(columns) or 1) if len(columns) * bits.bit_length() <= _HELD_BITS else isqrt(len(columns)) + 1
    firsts = [bits]
    for start in range(0, len(columns) - held, held):
        firsts.append(_forward(bits, firsts[-1], columns[start : start + held])[-1])
    for block in reversed(range(len(firsts))):
        start = block * held
        yield start, _forward(bits, firsts[block], columns[start : start + held])


def _forward(bits: int, column: int, columns: Iterable[_Column[_More]]) -> list[int]:
    """The columns of the table after each of these, beginning from one."""
    reached: list[int] = []
    for match, _ in columns:
        both = column & match
        column = ((column + both) | (column ^ both)) & bits
        reached.append(column)
    return reached


def _places(tokens: Iterable[bytes]) -> dict[bytes, list[int]]:
    places: dict[bytes, list[int]] = {}
    for place, token in enumerate(tokens):
        places.setdefault(token, []).append(place)
    return places


def _bits(places: Iterable[int], size: int) -> int:
    """An integer of so many bytes with these bits."""
    buffer = bytearray(size)
    for place in places:
        buffer[place >> 3] |= 1 << (place & 7)
    return int.from_bytes(buffer, "little")


def _mirror(bits: int, size: int) -> int:
    """The integer whose highest bit is the lowest of this one."""
    return int.from_bytes(bits.to_bytes(size, "big").translate(_MIRRORED), "little")
