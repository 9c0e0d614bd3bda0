"""The union of subsequences is the one rouge-score's walk through its table collects."""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from ringtrue.scoring.overlap.union_lcs import union_lcs

SENTENCES = st.lists(st.lists(st.sampled_from([b"a", b"b", b"c", b"d"]), max_size=9), max_size=5)


def walked(reference: list[bytes], candidate: list[bytes]) -> set[int]:
    """Cell by cell: a match goes diagonally, else to the larger neighbour, up in the reference on a tie."""
    table = [[0] * (len(candidate) + 1) for _ in range(len(reference) + 1)]
    for i, token in enumerate(reference, 1):
        for j, other in enumerate(candidate, 1):
            table[i][j] = table[i - 1][j - 1] + 1 if token == other else max(table[i - 1][j], table[i][j - 1])
    i, j = len(reference), len(candidate)
    found = set()
    while i and j:
        if reference[i - 1] == candidate[j - 1]:
            i, j = i - 1, j - 1
            found.add(i)
        elif table[i][j - 1] > table[i - 1][j]:
            j -= 1
        else:
            i -= 1
    return found


def cell_by_cell(reference: list[list[bytes]], candidate: list[list[bytes]]) -> Counter[bytes]:
    union: Counter[bytes] = Counter()
    for sentence in reference:
        places = set().union(*(walked(sentence, other) for other in candidate))
        union.update(sentence[place] for place in places)
    return union


@pytest.mark.parametrize("held_bits", [0, 1 << 26], ids=["columns computed twice", "columns held"])
@given(SENTENCES, SENTENCES)
@example([[b"a", b"a"]], [[b"a", b"x"], [b"x", b"a"]])
@example([[b"a", b"b"]] * 2, [[b"b", b"a"]])
@example([[b"a"], [b"b"], [b"a", b"b"]], [[b"a"], [b"b"], [b"b", b"a"], [b"a", b"b"]])
def test_unions(held_bits: int, reference: list[list[bytes]], candidate: list[list[bytes]]) -> None:
    assert union_lcs(reference, candidate, held_bits=held_bits) == cell_by_cell(reference, candidate)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1 << 30))
def test_long_texts_of_few_words(seed: int) -> None:
    random = Random(seed)
    reference, candidate = (
        [[random.choice([b"a", b"b", b"c"]) for _ in range(random.randrange(8))] for _ in range(rows)]
        for rows in (40, 300)
    )
    assert union_lcs(reference, candidate) == cell_by_cell(reference, candidate)
