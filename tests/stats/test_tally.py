"""A tally of pieces equals the tally of the whole, and absence never enters a mean."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.records import Score
from ringtrue.stats.tally import Tally

scores = st.one_of(
    st.floats(0, 1).map(lambda value: Score(value, passed=value >= 0.5, parts={"f1": value, "recall": 1 - value})),
    st.just(Score.skipped("no answer")),
    st.just(Score.error("boom")),
)


@given(st.lists(scores), st.lists(scores))
def test_merging_is_counting_together(left: list[Score], right: list[Score]) -> None:
    whole, first, second = Tally("f1"), Tally("f1"), Tally("f1")
    whole.add([*left, *right])
    first.add(left)
    second.add(right)
    first.merge(second)
    for part, summary in whole.summaries().items():
        merged = first.summaries()[part]
        assert merged.value == pytest.approx(summary.value, abs=1e-12)
        assert (merged.n, merged.skipped, merged.errors, merged.passed) == (
            summary.n,
            summary.skipped,
            summary.errors,
            summary.passed,
        )


@given(st.lists(scores))
def test_the_mean_is_over_what_was_measured(column: list[Score]) -> None:
    tally = Tally("f1")
    tally.add(column)
    summary = tally.summaries()["f1"]
    values = [score.value for score in column if score.value is not None]
    assert summary.n == len(values)
    assert summary.value == (pytest.approx(fmean(values), abs=1e-12) if values else None)
    assert summary.n + summary.skipped + summary.errors == len(column)
    if summary.interval:
        assert summary.interval[0] - 1e-12 <= summary.value <= summary.interval[1] + 1e-12


def test_zeros_and_ones_get_wilson_and_others_student() -> None:
    tally = Tally("f1")
    tally.add([Score(1.0, passed=True)] * 9)
    assert tally.summaries()["f1"].method == "wilson"
    assert tally.summaries()["f1"].interval == (pytest.approx(0.7008, abs=1e-4), 1.0)
    tally.add([Score(0.5, passed=True)])
    assert tally.summaries()["f1"].method == "t"


def test_a_users_part_outside_the_unit_range_is_kept() -> None:
    tally = Tally("ratio")
    tally.add([Score(1.0, parts={"ratio": 2.5}), Score(0.5, parts={"ratio": 0.5})])
    assert tally.summaries()["ratio"].value == 1.5


def test_the_first_skip_says_why() -> None:
    tally, other = Tally("f1"), Tally("f1")
    tally.add([Score(1.0), Score.error("it broke")])
    other.add([Score.skipped("no answer"), Score.skipped("no question")])
    tally.merge(other)
    assert (tally.skipped, tally.why) == (2, "no answer")


def test_zeros_of_a_count_are_no_failures() -> None:
    tally = Tally("win_rate", counts={"order_disagreement"})
    tally.add([Score(1.0, passed=True, parts={"win_rate": 1.0, "order_disagreement": 0.0})])
    found = tally.summaries()
    assert (found["win_rate"].passed, found["win_rate"].failed) == (1, 0)
    assert (found["order_disagreement"].passed, found["order_disagreement"].failed) == (None, None)
