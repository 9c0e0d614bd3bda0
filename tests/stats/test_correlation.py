"""Correlations against scipy's numbers."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.stats.correlation import absolute_error, midranks, pearson, spearman

SCORES = [0.1, 0.4, 0.35, 0.8, 0.9, 0.4, 0.2]
LABELS = [0, 0.25, 0.5, 0.75, 1, 0.5, 0.25]


def test_numbers() -> None:
    """scipy 1.17.1, stats.pearsonr with its confidence interval, and stats.spearmanr."""
    found = pearson(SCORES, LABELS)
    assert found.value == pytest.approx(0.942421293656315, abs=1e-12)
    assert found.interval == pytest.approx((0.6522972034032923, 0.9916835636325895), abs=1e-9)
    assert spearman(SCORES, LABELS).value == pytest.approx(0.8807710121010887, abs=1e-12)
    error = absolute_error(SCORES, LABELS)
    assert error.value == pytest.approx(sum(abs(a - b) for a, b in zip(SCORES, LABELS, strict=True)) / 7)
    assert error.interval is not None
    assert 0 <= error.interval[0] < error.value < error.interval[1]


@pytest.mark.parametrize("scores", [[], [0.5], [0.5, 0.5, 0.5]])
def test_what_does_not_vary_has_no_correlation(scores: list[float]) -> None:
    labels = [0.1, 0.2, 0.3][: len(scores)]
    assert pearson(scores, labels).value is None
    assert spearman(scores, labels).value is None


@given(st.lists(st.tuples(st.sampled_from([0.0, 0.25, 0.5, 1.0]), st.floats(0, 1)), max_size=20))
def test_laws(pairs: list[tuple[float, float]]) -> None:
    first, second = [one for one, _ in pairs], [other for _, other in pairs]
    for measure in (pearson, spearman):
        here, there = measure(first, second), measure(second, first)
        assert (here.value is None) == (there.value is None)
        if here.value is not None and there.value is not None:
            assert here.value == pytest.approx(there.value, abs=1e-6)
            assert -1 <= here.value <= 1
            low, high = here.interval or (-1, 1)
            assert low <= here.value <= high


@given(st.lists(st.integers(0, 5).map(float), max_size=9))
def test_midranks_share_what_they_take_up(values: list[float]) -> None:
    ranks = midranks(values)
    assert sum(ranks) == pytest.approx(len(values) * (len(values) + 1) / 2)
    for value, count in Counter(values).items():
        places = {rank for rank, one in zip(ranks, values, strict=True) if one == value}
        below = sum(one < value for one in values)
        assert places == {below + (count + 1) / 2}
