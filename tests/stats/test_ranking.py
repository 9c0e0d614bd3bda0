"""Kendall's W against two worked examples of S. Siegel, "Nonparametric Statistics" (1956), chapter 9."""

from __future__ import annotations

from collections import Counter
from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.correlation import spearman
from ringtrue.stats.ranking import kendall_w, mean_ranks, midranks, win_rates

EXECUTIVES = [[1, 6, 3, 2, 5, 4], [1, 5, 6, 4, 2, 3], [6, 3, 2, 5, 4, 1]]
TIED = [
    [1, 4.5, 2, 4.5, 3, 7.5, 6, 9, 7.5, 10],
    [2.5, 1, 2.5, 4.5, 4.5, 8, 9, 6.5, 10, 6.5],
    [2, 1, 4.5, 4.5, 4.5, 4.5, 8, 8, 8, 10],
]
PERMUTATIONS = st.integers(2, 7).flatmap(
    lambda n: st.lists(st.permutations([*map(float, range(1, n + 1))]), min_size=2, max_size=6)
)
PLACES = st.integers(2, 6).flatmap(
    lambda n: st.lists(st.lists(st.integers(1, 4).map(float), min_size=n, max_size=n), min_size=2, max_size=6)
)


@pytest.mark.parametrize(
    ("rankings", "w"),
    [
        pytest.param(EXECUTIVES, 306 / 1890, id="three executives, six applicants: .16"),
        pytest.param(TIED, 591 / 714, id="ties: .828"),
        pytest.param([[1, 2, 3], [1, 2, 3]], 1.0, id="the same"),
        pytest.param([[1, 2, 3], [3, 2, 1]], 0.0, id="opposite"),
        pytest.param([[1, 1, 3], [1, 1, 3]], 1.0, id="the same, with ties: their places are shared"),
        pytest.param([[1, 1, 1], [1, 2, 3]], 0.5, id="one says nothing"),
    ],
)
def test_concordance(rankings: list[list[float]], w: float) -> None:
    assert kendall_w(rankings) == pytest.approx(w, abs=1e-12)


@pytest.mark.parametrize(
    "rankings", [[], [[]], [[1, 2, 3]], [[1], [1]], [[1, 1], [2, 2]]], ids=["none", "empty", "one", "one thing", "ties"]
)
def test_where_nothing_can_agree_there_is_no_number(rankings: list[list[float]]) -> None:
    assert kendall_w(rankings) is None


def test_rankings_of_different_things_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="lengths differ"):
        kendall_w([[1, 2], [1, 2, 3]])


@given(PLACES)
def test_concordance_keeps_its_bounds_and_sees_only_the_order(rankings: list[list[float]]) -> None:
    w = kendall_w(rankings)
    assert w is None or 0 <= w <= 1
    assert w == pytest.approx(kendall_w([[place * 2 + 7 for place in one] for one in rankings]))
    assert w == pytest.approx(kendall_w(rankings[::-1]))


@given(PERMUTATIONS)
def test_concordance_is_the_mean_spearman_moved(rankings: list[list[float]]) -> None:
    """W = ((m - 1) r + 1) / m for the mean r of all pairs, which is what Kendall made it for."""
    m = len(rankings)
    pairs = [spearman(one, other).value or 0.0 for one, other in combinations(rankings, 2)]
    mean = sum(pairs) / len(pairs)
    assert kendall_w(rankings) == pytest.approx(((m - 1) * mean + 1) / m, abs=1e-9)


@given(st.lists(st.integers(0, 5).map(float), max_size=9))
def test_midranks_share_what_they_take_up(values: list[float]) -> None:
    ranks = midranks(values)
    assert sum(ranks) == pytest.approx(len(values) * (len(values) + 1) / 2)
    for value, count in Counter(values).items():
        places = {rank for rank, one in zip(ranks, values, strict=True) if one == value}
        below = sum(one < value for one in values)
        assert places == {below + (count + 1) / 2}


def test_mean_ranks_and_win_rates_tell_their_n() -> None:
    rankings = [{"a": 1, "b": 2, "c": 3}, {"a": 1, "b": 3, "c": 2}, {"a": 2, "b": 1}, {"a": 1, "b": 1, "c": 3}]
    ranks, wins = mean_ranks(rankings), win_rates(rankings)
    assert {name: (one.value, one.n) for name, one in ranks.items()} == {
        "a": (1.25, 4),
        "b": (1.75, 4),
        "c": (pytest.approx(8 / 3), 3),
    }
    assert {name: (one.value, one.n) for name, one in wins.items()} == {"a": (0.625, 4), "b": (0.375, 4), "c": (0.0, 3)}
    for one in (*ranks.values(), *wins.values()):
        assert one.interval is not None
        assert one.interval[0] <= (one.value or 0.0) <= one.interval[1]
    assert (mean_ranks([]), win_rates([])) == ({}, {})
    assert mean_ranks([{"a": 1}])["a"].interval is None


@given(PERMUTATIONS)
def test_wins_are_shared_out_whole(rankings: list[list[float]]) -> None:
    named = [dict(enumerate(one)) for one in rankings]
    assert sum(one.value or 0.0 for one in win_rates(named).values()) == pytest.approx(1)
    count = len(rankings[0])
    assert sum(one.value or 0.0 for one in mean_ranks(named).values()) == pytest.approx(count * (count + 1) / 2)
