"""Summary-level ROUGE-L over distinct words, as the package rouge 1.0.1 computes it by default."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

_SMALL = 1e-8
"""What that package adds to a denominator that may be 0; it shows in the eighth decimal."""

Sentences = Sequence[Sequence[str]]


def distinct_rouge_l(reply: Sentences, reference: Sentences) -> float:
    """F1 of the distinct words that longest common subsequences of the sentences have; 0 where a side has no sentence.

    Words count once however often they occur, in both texts and in what they share.
    """
    said, wanted = set(chain.from_iterable(reply)), set(chain.from_iterable(reference))
    if not said or not wanted:
        return 0.0
    shared: set[str] = set()
    for theirs in reference:
        for mine in reply:
            shared |= _common_words(theirs, mine)
    recall, precision = len(shared) / len(wanted), len(shared) / len(said)
    return 2 * precision * recall / (precision + recall + _SMALL)


def _common_words(first: Sequence[str], second: Sequence[str]) -> set[str]:
    """The words of one longest common subsequence; of several, the one found from the end, leaving `second` first."""
    if not first or not second or set(first).isdisjoint(second):
        return set()
    lengths = [[0] * (len(second) + 1)]
    for word in first:
        above, row = lengths[-1], [0]
        for at, other in enumerate(second):
            row.append(above[at] + 1 if word == other else max(above[at + 1], row[-1]))
        lengths.append(row)
    found: set[str] = set()
    at, other_at = len(first), len(second)
    while at and other_at:
        if first[at - 1] == second[other_at - 1]:
            found.add(first[at - 1])
            at, other_at = at - 1, other_at - 1
        elif lengths[at - 1][other_at] > lengths[at][other_at - 1]:
            at -= 1
        else:
            other_at -= 1
    return found
