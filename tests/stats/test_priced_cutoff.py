"""The cheapest threshold is the cheapest, and it is tried on sources it has not seen."""

from __future__ import annotations

from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.records import Score
from ringtrue.stats.calibration import calibration
from ringtrue.stats.intervals import clopper_pearson
from ringtrue.stats.priced_cutoff import LabelledScore, least_cost

ROWS = st.lists(
    st.builds(LabelledScore, st.sampled_from([0.0, 0.25, 1 / 3, 0.75, 1.0]), st.booleans(), st.sampled_from("abcd")),
    max_size=25,
)
COSTS = st.sampled_from([0.1, 1.0, 5.0])


def cost_of(rows: list[LabelledScore], threshold: float | None, false_pass: float, false_fail: float) -> float:
    """The mean over sources of the mean over rows, written down plainly."""
    by_source: dict[object, list[float]] = {}
    for value, label, source in rows:
        assert value is not None
        passed = threshold is not None and value >= threshold
        paid = 0.0 if passed == label else false_pass if passed else false_fail
        by_source.setdefault(source, []).append(paid)
    return fmean(fmean(paid) for paid in by_source.values())


@given(ROWS, COSTS, COSTS)
def test_no_other_threshold_is_cheaper(rows: list[LabelledScore], false_pass: float, false_fail: float) -> None:
    found = least_cost(rows, false_pass=false_pass, false_fail=false_fail)
    if found is None:
        assert len({row.label for row in rows}) < 2
        return
    costs = {cut: cost_of(rows, cut, false_pass, false_fail) for cut in (None, *(row.value for row in rows))}
    assert found.cost == pytest.approx(costs[found.threshold])
    assert found.cost == pytest.approx(min(costs.values()))
    cheap = [cut for cut, cost in costs.items() if cost <= found.cost - 1e-9]
    assert not cheap
    assert (found.rows, set(found.sources)) == (len(rows), {row.source for row in rows})


def test_a_source_counts_once_however_many_rows_it_has() -> None:
    rows = [LabelledScore(0.5, False, "long")] * 9 + [LabelledScore(0.5, True, "a"), LabelledScore(0.5, True, "b")]
    found = least_cost(rows, false_pass=1, false_fail=1)
    assert found is not None
    assert (found.threshold, found.cost) == (0.5, pytest.approx(1 / 3))


def test_where_everything_is_dear_nothing_passes() -> None:
    found = least_cost([LabelledScore(0.9, False, 1), LabelledScore(0.9, True, 2)], false_pass=3, false_fail=1)
    assert found is not None
    assert (found.threshold, found.passes(1.0), found.passes(None)) == (None, False, None)


def test_it_is_tried_on_whole_sources() -> None:
    found = least_cost([LabelledScore(0.2, False, "x"), LabelledScore(0.8, True, "y")], false_pass=1, false_fail=1)
    assert found is not None
    assert found.threshold == 0.8
    tried = found.try_on(
        [
            LabelledScore(0.9, False, "a"),
            LabelledScore(0.9, True, "a"),
            LabelledScore(0.1, False, "b"),
            LabelledScore(0.1, True, "b"),
            LabelledScore(0.1, True, "b"),
            LabelledScore(None, True, "c"),
            LabelledScore(0.9, False, "c"),
            LabelledScore(0.9, None, "d"),
        ]
    )
    assert (tried.rows, tried.sources, tried.complete_sources) == (8, 4, 2)
    assert tried.counts.cells == (1, 2, 2, 1)
    assert (tried.false_passes.failed, tried.false_passes.n) == (1, 2)
    assert (tried.false_fails.failed, tried.false_fails.n) == (1, 2)
    assert tried.false_fails.interval == clopper_pearson(1, 2)


def test_nothing_to_try_it_on_is_not_a_number() -> None:
    found = least_cost([LabelledScore(0.2, False, "x"), LabelledScore(0.8, True, "y")], false_pass=1, false_fail=1)
    assert found is not None
    tried = found.try_on([])
    assert (tried.false_passes.value, tried.false_fails.interval, tried.counts.n) == (None, None, 0)


@pytest.mark.parametrize(
    ("rows", "costs", "words"),
    [
        pytest.param([LabelledScore(None, True, 1)], (1, 1), "1 of 1 rows have no score", id="no-score"),
        pytest.param([LabelledScore(0.5, None, 1)], (1, 1), "no label", id="no-label"),
        pytest.param([], (0, 1), "false_pass must be a number above 0", id="free"),
        pytest.param([], (1, float("nan")), "false_fail must be a number above 0", id="nan"),
    ],
)
def test_what_cannot_be_priced_is_refused(rows: list[LabelledScore], costs: tuple[float, float], words: str) -> None:
    with pytest.raises(ConfigurationError, match=words):
        least_cost(rows, false_pass=costs[0], false_fail=costs[1])


def test_a_source_that_it_was_found_on_is_refused() -> None:
    found = least_cost([LabelledScore(0.2, False, "x"), LabelledScore(0.8, True, "y")], false_pass=1, false_fail=1)
    assert found is not None
    with pytest.raises(ConfigurationError, match=r"leakage: .*: y$"):
        found.try_on([LabelledScore(0.5, True, "y")])


def test_a_calibration_finds_it_on_some_rows_and_tries_it_on_the_others() -> None:
    scores = [Score(value) for value in (0.2, 0.8, 0.9, 0.3, 0.4)] + [Score.skipped("none")]
    labels = [0.0, 1.0, 0.0, 1.0, None, 1.0]
    held = [False, False, True, True, True, True]
    found = calibration(scores, labels, costs=(5, 1), held_out=held)
    assert found.priced is not None
    assert found.tried is not None
    assert (found.priced.threshold, found.priced.rows, found.priced.cost) == (0.8, 2, 0.0)
    assert found.tried.counts.cells == (0, 1, 1, 0)
    assert (found.tried.sources, found.tried.complete_sources) == (4, 2)
    assert calibration(scores, labels, costs=(5, 1)).tried is None
    assert calibration(scores, labels).priced is None


def test_no_threshold_is_found_on_what_is_held_out() -> None:
    """The held-out rows alone would recommend 0.9."""
    scores = [Score(value) for value in (0.2, 0.2, 0.4, 0.4, 0.8, 0.8, 0.9, 0.9)]
    labels = [0.0, 0.0, 1.0, 1.0, 0.0, 0.0, 1.0, 1.0]
    held = [False] * 4 + [True] * 4
    alone = calibration(scores[:4], labels[:4])
    found = calibration(scores, labels, held_out=held)
    assert found.cutoff == alone.cutoff
    assert found.counts.n == 8


def test_a_source_with_a_row_that_no_one_labelled_is_not_complete() -> None:
    scores, labels = [Score(value) for value in (0.2, 0.8, 0.9, 0.1)], [0.0, 1.0, 1.0, None]
    found = calibration(scores, labels, sources=["a", "b", "c", "c"], costs=(1, 1), held_out=[False, False, True, True])
    assert found.tried is not None
    assert (found.tried.sources, found.tried.complete_sources, found.tried.false_fails.n) == (1, 0, 0)
    assert "no source that was held out has every score and label" in found.doubts[-1]


def test_that_nothing_could_be_priced_is_reported() -> None:
    found = calibration([Score(0.2), Score(0.8)], [1.0, 1.0], costs=(1, 1))
    assert found.priced is None
    assert "no threshold is the cheapest" in found.doubts[-1]
