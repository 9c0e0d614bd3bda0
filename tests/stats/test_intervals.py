"""Intervals by drawing and by Bayes, pass^k, quantiles: exact forms and what must hold."""

from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.intervals import bootstrap_interval, credible_interval, pass_at_k, pass_hat_k, quantile

VALUES = st.lists(st.floats(0, 1), min_size=1, max_size=20)


@given(st.integers(1, 30), st.data())
def test_pass_hat_k_is_the_share_of_draws_without_a_failure(n: int, data: st.DataObject) -> None:
    c, k = data.draw(st.integers(0, n)), data.draw(st.integers(1, n))
    assert pass_hat_k(n, c, k) == float(Fraction(comb(c, k), comb(n, k)))
    assert pass_hat_k(n, c, k) <= pass_at_k(n, c, k)
    assert pass_hat_k(n, c, 1) == pytest.approx(c / n)


@pytest.mark.parametrize(("n", "c", "k"), [(3, 1, 4), (3, 4, 1), (3, 1, 0), (0, 0, 1)])
def test_pass_hat_k_refuses_what_cannot_be(n: int, c: int, k: int) -> None:
    with pytest.raises(ConfigurationError):
        pass_hat_k(n, c, k)


def posterior(successes: int, n: int, x: float) -> float:
    """The posterior's distribution function as the binomial sum it equals for whole numbers."""
    share = Fraction(x)
    return float(sum(comb(n + 1, j) * share**j * (1 - share) ** (n + 1 - j) for j in range(successes + 1, n + 2)))


@given(st.integers(0, 40), st.integers(0, 40), st.floats(0.5, 0.99))
def test_the_credible_interval_holds_the_middle_of_the_posterior(a: int, b: int, level: float) -> None:
    successes, n = min(a, b), max(a, b)
    low, high = credible_interval(successes, n, level)
    assert posterior(successes, n, low) == pytest.approx((1 - level) / 2, abs=1e-9)
    assert posterior(successes, n, high) == pytest.approx((1 + level) / 2, abs=1e-9)


def test_the_credible_interval_without_a_failure_has_a_closed_form() -> None:
    assert credible_interval(200, 200) == pytest.approx((0.025 ** (1 / 201), 0.975 ** (1 / 201)), abs=1e-12)


@given(VALUES)
def test_the_bootstrap_interval_lies_within_the_values(values: list[float]) -> None:
    low, high = bootstrap_interval(values, samples=50) or (2.0, -1.0)
    assert min(values) - 1e-12 <= low <= high <= max(values) + 1e-12
    assert (low, high) == bootstrap_interval(values, samples=50)


def test_the_bootstrap_interval_comes_near_the_normal_one() -> None:
    values = [0.0, 1.0] * 200
    low, high = bootstrap_interval(values) or (0, 0)
    assert (low, high) == pytest.approx((0.5 - 1.96 * 0.025, 0.5 + 1.96 * 0.025), abs=0.006)
    assert bootstrap_interval([]) is None
    for wrong in ({"level": 1.0}, {"samples": 0}):
        with pytest.raises(ConfigurationError):
            bootstrap_interval(values, **wrong)  # type: ignore[arg-type]


def test_quantiles_lie_between_their_neighbours() -> None:
    assert [quantile([1.0, 2.0, 4.0], share) for share in (0, 0.25, 0.5, 0.75, 1)] == [1.0, 1.5, 2.0, 3.0, 4.0]
    with pytest.raises(ConfigurationError):
        quantile([], 0.5)
