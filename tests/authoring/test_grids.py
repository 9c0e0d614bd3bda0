"""Rows of a grid: all combinations, or all pairs in few rows."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.authoring.grids import every_combination, every_pair
from ringtrue.errors import ConfigurationError

AXES = st.dictionaries(
    st.sampled_from("abcd"), st.lists(st.integers(), min_size=1, max_size=4, unique=True), min_size=1
)


@given(AXES, st.integers(0, 5))
def test_every_pair_of_values_meets(axes: dict[str, list[int]], seed: int) -> None:
    rows = every_pair(axes, seed)
    assert rows == every_pair(axes, seed)
    assert len(rows) <= len(every_combination(axes, limit=1_000))
    for one, other in combinations(axes, 2):
        assert {(row[one], row[other]) for row in rows} == {(a, b) for a in axes[one] for b in axes[other]}


def test_pairs_need_far_fewer_rows_than_combinations() -> None:
    axes = {name: list(range(4)) for name in "abcdef"}
    assert 16 <= len(every_pair(axes)) <= 40
    with pytest.raises(ConfigurationError, match="4,096 combinations are above the cap of 1,000"):
        every_combination(axes, limit=1_000)


def test_combinations_come_in_order() -> None:
    rows = every_combination({"a": [1, 2], "b": ["xy", "z"]}, limit=10)
    assert rows == [{"a": 1, "b": "xy"}, {"a": 1, "b": "z"}, {"a": 2, "b": "xy"}, {"a": 2, "b": "z"}]


@pytest.mark.parametrize("axes", [{}, [], {"a": []}, {"a": "text"}, {"a": 7}], ids=str)
def test_what_is_not_a_grid_is_refused(axes: Any) -> None:
    for make in (every_pair, lambda given: every_combination(given, limit=9)):
        with pytest.raises(ConfigurationError, match="ax"):
            make(axes)
