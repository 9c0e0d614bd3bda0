"""Paired differences against scipy and statsmodels, published examples, and what must hold for any pairs."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from itertools import zip_longest
from random import Random

import numpy
import pytest
import scipy.stats
import statsmodels.api
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.contingency_tables import mcnemar as their_mcnemar
from statsmodels.stats.multitest import multipletests
from statsmodels.stats.power import tt_solve_power

from ringtrue.stats.bootstrap import bca_interval
from ringtrue.stats.differences import holm
from ringtrue.stats.intervals import student_p
from ringtrue.stats.paired_difference import MOST_DRAWN, DifferenceSums, PairedDifference
from ringtrue.stats.power import pairs_needed

SHARES = st.floats(0, 1)


def drawn(n: int, seed: int = 1) -> tuple[list[float], list[float]]:
    random = Random(seed)
    before = [random.betavariate(2, 2) for _ in range(n)]
    return before, [min(1.0, max(0.0, one + random.gauss(0.05, 0.2))) for one in before]


def found_of(
    before: Sequence[float], after: Sequence[float], sources: Sequence[Hashable] = (), *, seed: int | None = 0
) -> PairedDifference:
    sums = DifferenceSums()
    for old, new, source in zip_longest(before, after, sources):
        sums.add(old, new, source)
    found = sums.difference(seed)
    assert found is not None
    return found


@pytest.mark.parametrize(("t", "freedom"), [(0.0, 1), (2.0, 3), (-2.5, 17), (4.2, 500)])
def test_students_p_is_scipys(t: float, freedom: int) -> None:
    assert student_p(t, freedom) == pytest.approx(2 * scipy.stats.t.sf(abs(t), freedom), rel=1e-9)


@pytest.mark.parametrize("n", [5, 40, 300, 3 * MOST_DRAWN])
def test_numbers_have_scipys_paired_t(n: int) -> None:
    before, after = drawn(n)
    found = found_of(before, after, seed=None)
    theirs = scipy.stats.ttest_rel(after, before)
    assert found.p == pytest.approx(theirs.pvalue, rel=1e-9)
    assert found.interval == pytest.approx(tuple(theirs.confidence_interval()), rel=1e-9)
    assert (found.test, found.sources) == ("paired t", n)


@pytest.mark.parametrize("n", [30, 200])
def test_the_bootstrap_is_scipys_bca(n: int) -> None:
    """Both draw at random: their ends agree to a few hundredths of the width."""
    values = [Random(place).expovariate(1) for place in range(n)]
    ours = bca_interval(values, samples=9_999, seed=3)
    result = scipy.stats.bootstrap((numpy.array(values),), numpy.mean, method="BCa", rng=numpy.random.default_rng(7))
    theirs = result.confidence_interval
    width = theirs.high - theirs.low
    assert ours is not None
    assert ours == pytest.approx((theirs.low, theirs.high), abs=0.04 * width)
    percentile = scipy.stats.bootstrap(
        (numpy.array(values),), numpy.mean, method="percentile", rng=numpy.random.default_rng(7)
    ).confidence_interval
    assert ours[1] > percentile.high, "skewed values: BCa reaches further to the right"


def test_shared_sources_have_the_cluster_robust_interval_of_statsmodels() -> None:
    before, after = drawn(120, seed=5)
    sources = [place // 4 for place in range(120)]
    found = found_of(before, after, sources, seed=None)
    changes = numpy.array(after) - numpy.array(before)
    model = statsmodels.api.OLS(changes, numpy.ones(120))
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": numpy.array(sources)}, use_t=True)
    assert found.interval == pytest.approx(tuple(fit.conf_int()[0]), rel=1e-9)
    assert found.p == pytest.approx(fit.pvalues[0], rel=1e-9)
    assert (found.test, found.sources) == ("t over sources", 30)


def test_a_bootstrap_of_sources_draws_sources() -> None:
    """Copies of a case are one piece of evidence: they leave the interval as it was."""
    before, after = drawn(60)
    alone = found_of(before, after)
    copied = found_of(before * 5, after * 5, [*range(60)] * 5)
    assert alone.interval is not None
    assert copied.interval is not None
    width = alone.interval[1] - alone.interval[0]
    assert copied.interval == pytest.approx(alone.interval, abs=0.06 * width)


@pytest.mark.parametrize(("lost", "gained", "same"), [(5, 25, 145), (1, 7, 13), (0, 1, 3), (300, 340, 100)])
def test_verdicts_have_mcnemars_test_as_statsmodels_makes_it(lost: int, gained: int, same: int) -> None:
    before = [1.0] * lost + [0.0] * gained + [1.0] * same
    after = [0.0] * lost + [1.0] * gained + [1.0] * same
    found = found_of(before, after)
    assert found.p == pytest.approx(their_mcnemar([[same, lost], [gained, 0]], exact=True).pvalue, rel=1e-9)
    assert (found.rose, found.fell, found.test, found.method) == (gained, lost, "McNemar exact", "Newcombe")


def test_the_published_example_of_paired_verdicts() -> None:
    """Airway hyper-responsiveness before and after transplantation (Bentur 2009; in Fagerland, Lydersen, Laake 2014).

    Their exact McNemar p is 0.0703, and Newcombe's interval 0.026 to 0.507.
    """
    before = [1.0, 1.0] + [0.0] * 7 + [0.0] * 12
    after = [1.0, 0.0] + [1.0] * 7 + [0.0] * 12
    found = found_of(before, after)
    assert found.p == pytest.approx(0.0703, abs=5e-5)
    assert found.value == pytest.approx(6 / 21)
    assert found.interval == pytest.approx((0.026, 0.507), abs=5e-4)


def test_what_does_not_vary_is_not_proof() -> None:
    same = found_of([0.5] * 20, [0.5] * 20)
    assert same.p == 1.0
    assert same.interval == pytest.approx((-0.161, 0.161), abs=1e-3)
    risen = found_of([0.2] * 5, [0.4] * 5)
    assert (risen.p, risen.side) == (pytest.approx(2 / 2**5), 0)
    assert found_of([0.2], [0.9]).side == 0
    cancelling = found_of([0.0, 1.0] * 10, [1.0, 0.0] * 10, [place // 2 for place in range(20)])
    assert (cancelling.p, cancelling.sources) == (1.0, 10)


def test_disagreement_of_bootstrap_and_t_is_seen() -> None:
    before, after = [0.0] * 12, [0.0] * 10 + [0.02, 1.0]
    found = found_of(before, after)
    assert not found.agrees
    assert found.side == 0
    calm = found_of(*drawn(200))
    assert calm.agrees
    assert calm.method == "BCa bootstrap"


def test_the_same_seed_draws_the_same() -> None:
    pairs = drawn(50)
    assert found_of(*pairs, seed=4) == found_of(*pairs, seed=4)
    assert found_of(*pairs, seed=4).interval != found_of(*pairs, seed=5).interval


@given(st.lists(st.tuples(SHARES, SHARES, st.integers(0, 3)), min_size=1, max_size=30))
def test_laws_of_paired_differences(rows: list[tuple[float, float, int]]) -> None:
    """It is a probability, the interval holds the value, and swapping the sides turns the sign."""
    before, after, sources = (list(column) for column in zip(*rows, strict=True))
    for own in ((), sources):
        found = found_of(before, after, own, seed=None)
        turned = found_of(after, before, own, seed=None)
        assert 0 <= found.p <= 1
        assert turned.value == pytest.approx(-found.value, abs=1e-12)
        assert turned.p == pytest.approx(found.p, rel=1e-6, abs=1e-9)
        if found.interval is not None:
            assert -1 <= found.interval[0] <= found.value + 1e-9
            assert found.value - 1e-9 <= found.interval[1] <= 1


def test_no_pairs_have_no_difference() -> None:
    assert DifferenceSums().difference() is None


@given(st.lists(SHARES, min_size=1, max_size=12))
def test_holm_is_that_of_statsmodels(p_values: list[float]) -> None:
    theirs = multipletests(p_values, method="holm")[1]
    assert holm(p_values) == pytest.approx(list(theirs), abs=1e-12)


@pytest.mark.parametrize(("effect", "deviation"), [(0.05, 0.4), (0.1, 0.5), (0.02, 0.3)])
def test_pairs_needed_are_those_of_statsmodels(effect: float, deviation: float) -> None:
    theirs = tt_solve_power(effect / deviation, alpha=0.05, power=0.8)
    assert pairs_needed(effect, deviation) == pytest.approx(theirs, abs=3)


def test_pairs_needed_without_a_difference_or_a_spread() -> None:
    assert pairs_needed(0.0, 0.4) is None
    assert pairs_needed(-0.1, 0.4) == pairs_needed(0.1, 0.4)
    assert pairs_needed(0.02, 0.0) == 193
