"""N-grams that two texts share, counted as BLEU, ROUGE-N and chrF count them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Iterator, Sequence
from itertools import pairwise, repeat
from operator import add

# Up to this product of the lengths, looking an n-gram up as a substring beats building tables of n-grams.
_SEARCHABLE = 80_000
_ABSENT, _BETWEEN = "\0", "\1"
_CHARACTERS = tuple(map(chr, range(2, 2_000)))


def shared_tokens(
    hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]], max_order: int
) -> list[int]:
    """For each order, how many n-grams of the hypothesis a reference holds, each counted at most as often as in one."""
    length = len(hypothesis)
    if length > len(_CHARACTERS) or length * sum(map(len, references)) > _SEARCHABLE:
        return _by_counting(hypothesis, references, max_order)
    # Tokens become characters: a run of tokens is then a substring.
    characters: dict[Hashable, str] = {}
    tokens = "".join(map(characters.setdefault, hypothesis, _CHARACTERS))
    texts = ["".join(map(characters.get, reference, repeat(_ABSENT))) for reference in references]
    return _by_searching(tokens, texts, max_order)


def shared_characters(hypothesis: str, reference: str, max_order: int) -> list[int]:
    """For each order, the size of the multiset intersection of the character n-grams of two texts."""
    if len(hypothesis) * len(reference) > _SEARCHABLE:
        if hypothesis.isascii():
            return _by_counting(hypothesis, [reference], max_order)
        # As numbers, which are made once: slices of a text make its wider characters again.
        return _by_counting(list(map(ord, hypothesis)), [list(map(ord, reference))], max_order)
    return _by_searching(hypothesis, [reference], max_order)


def _by_searching(hypothesis: str, references: Sequence[str], max_order: int) -> list[int]:
    shared = [0] * max_order
    joined = references[0] if len(references) == 1 else _BETWEEN.join(references)
    distinct = set(hypothesis)
    repeats = len(distinct) != len(hypothesis)
    common = distinct.intersection(joined)
    shared[0] = _clipped_singles(hypothesis, common, references) if repeats else len(common)
    starts: list[int] = []
    for order in range(2, max_order + 1):
        if order == 2:
            starts = [start for start, pair in enumerate(map(add, hypothesis, hypothesis[1:])) if pair in joined]
        else:
            # A longer n-gram is shared only where two shared ones overlap.
            starts = [
                start
                for start, following in pairwise(starts)
                if following == start + 1 and hypothesis[start : start + order] in joined
            ]
        if not starts:
            break
        if repeats:
            found = [hypothesis[start : start + order] for start in starts]
            # Without a repeated n-gram there is no repeated longer one.
            repeats = len(set(found)) != len(found)
        shared[order - 1] = _clipped_count(Counter(found), references) if repeats else len(starts)
    return shared


def _clipped_singles(hypothesis: str, common: set[str], references: Sequence[str]) -> int:
    # A single character does not overlap itself, so that str.count is right for it.
    total = 0
    for one in common:
        count = hypothesis.count(one)
        total += 1 if count == 1 else min(count, max([text.count(one) for text in references]))
    return total


def _clipped_count(found: Counter[str], references: Sequence[str]) -> int:
    return sum(1 if n == 1 else max(_occurrences(text, gram, n) for text in references) for gram, n in found.items())


def _occurrences(text: str, gram: str, at_most: int) -> int:
    """Count the occurrences of an n-gram in a text, overlaps included."""
    count = 0
    position = text.find(gram)
    while position >= 0:
        count += 1
        if count == at_most:
            break
        position = text.find(gram, position + 1)
    return count


def _by_counting(hypothesis: Sequence[Hashable], references: Sequence[Sequence[Hashable]], max_order: int) -> list[int]:
    shared = [0] * max_order
    distinct = False
    for order in range(1, max_order + 1):
        if distinct:
            # A reference without a repeated n-gram has no repeated longer one: every shared one counts once.
            shared[order - 1] = len(set(_grams(references[0], order)).intersection(_grams(hypothesis, order)))
            if not shared[order - 1]:
                break
            continue
        tables = [Counter(_grams(reference, order)) for reference in references]
        known = tables[0] if len(tables) == 1 else set().union(*tables)
        distinct = len(tables) == 1 and len(tables[0]) == len(references[0]) - order + 1
        found = Counter(filter(known.__contains__, _grams(hypothesis, order)))
        if not found:
            break
        shared[order - 1] = sum(
            [1 if n == 1 else min(n, max([table.get(gram, 0) for table in tables])) for gram, n in found.items()]
        )
    return shared


def _grams(sequence: Sequence[Hashable], order: int) -> Iterator[tuple[Hashable, ...]]:
    return zip(*(sequence[i:] for i in range(order)), strict=False)
