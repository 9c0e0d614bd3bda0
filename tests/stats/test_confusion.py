"""Agreement with labels, against scikit-learn's numbers; intervals against what they promise."""

from __future__ import annotations

from math import sqrt
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.confusion import Confusion, kappa

COUNTS = st.integers(0, 60)


@pytest.mark.parametrize(
    ("cells", "wanted_kappa", "wanted_f1"),
    [
        # scikit-learn 1.9.1, cohen_kappa_score and f1_score
        ((20, 5, 10, 15), 0.4, 0.7272727272727273),
        ((45, 15, 25, 15), 0.13043478260869568, 0.6923076923076923),
        ((25, 35, 5, 35), 0.2592592592592593, 0.5555555555555556),
        ((3, 0, 1, 96), 0.8520710059171598, 0.8571428571428571),
    ],
)
def test_numbers(cells: tuple[int, int, int, int], wanted_kappa: float, wanted_f1: float) -> None:
    found = Confusion(*cells).summaries()
    assert found["kappa"].value == pytest.approx(wanted_kappa, abs=1e-12)
    assert found["f1"].value == pytest.approx(wanted_f1, abs=1e-12)
    hits, wrong, missed, rest = cells
    assert found["agreement"].value == pytest.approx((hits + rest) / sum(cells))
    assert (found["precision"].n, found["recall"].n) == (hits + wrong, hits + missed)


def test_counts_of_pairs() -> None:
    assert Confusion.of([True, True, False, False], [True, False, True, False]) == Confusion(1, 1, 1, 1)
    with pytest.raises(ValueError, match="shorter"):
        Confusion.of([True], [])
    with pytest.raises(ConfigurationError):
        Confusion(-1, 0, 0, 0)


def test_nothing_to_divide_by_is_not_a_number() -> None:
    assert all(summary.value is None for summary in Confusion(0, 0, 0, 0).summaries().values())
    found = Confusion(0, 0, 0, 9).summaries()
    assert found["agreement"].value == 1
    assert [found[name].value for name in ("kappa", "precision", "recall", "f1")] == [None] * 4


@settings(max_examples=30)
@given(COUNTS, COUNTS, COUNTS, COUNTS)
def test_every_interval_holds_its_number(a: int, b: int, c: int, d: int) -> None:
    for name, summary in Confusion(a, b, c, d).summaries().items():
        if summary.value is not None:
            assert summary.interval is not None
            assert summary.interval[0] - 1e-12 <= summary.value <= summary.interval[1] + 1e-12, name
            assert summary.interval[0] >= -1
            assert summary.interval[1] <= 1


def test_perfect_agreement_on_few_rows_is_not_certainty() -> None:
    low, high = Confusion(3, 0, 0, 3).summaries()["kappa"].interval or (1, 1)
    assert low < 0.6
    assert high == 1


@pytest.mark.parametrize("shares", [(0.4, 0.1, 0.1, 0.4), (0.1, 0.02, 0.08, 0.8)], ids=["balanced", "rare"])
def test_kappas_interval_covers_it(shares: tuple[float, float, float, float]) -> None:
    random, times, n, true = Random(3), 200, 80, kappa(*shares)
    assert true is not None
    held = 0
    for turn in range(times):
        drawn = random.choices(range(4), shares, k=n)
        low, high = Confusion(*(drawn.count(cell) for cell in range(4))).summaries(turn)["kappa"].interval or (2, 2)
        held += low <= true <= high
    assert abs(held / times - 0.95) <= 3 * sqrt(0.95 * 0.05 / times)


@given(COUNTS, COUNTS, COUNTS, COUNTS)
@settings(max_examples=30, deadline=None)
def test_a_share_alone_is_the_one_with_an_interval(hits: int, wrong: int, missed: int, rest: int) -> None:
    found = Confusion(hits, wrong, missed, rest)
    summaries = found.summaries()
    assert summaries.pop("sensitivity") == summaries["recall"]
    for name, summary in summaries.items():
        if name != "kappa":
            assert getattr(found, name) == (None if summary.value is None else pytest.approx(summary.value))
