"""Forecasts beside what was observed."""

from __future__ import annotations

from math import inf, log, pi
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.metrics.forecasts import forecast_error, forecast_summaries

NUMBERS = st.floats(allow_nan=False, allow_infinity=False)


def test_one_forecast() -> None:
    plain = forecast_error(1.0, 3.5)
    assert plain is not None
    assert (plain.absolute_error, plain.spread) == (2.5, None)
    found = forecast_error(0.0, 1.0, 2.0, level=0.95)
    assert found is not None
    assert found.spread is not None
    assert (found.spread.lower, found.spread.upper) == pytest.approx((-3.919928, 3.919928))
    assert found.spread.covered
    assert found.spread.negative_log_density == pytest.approx(log(2) + log(2 * pi) / 2 + 1 / 8)


@given(NUMBERS, NUMBERS, st.none() | st.floats(min_value=0, exclude_min=True, allow_infinity=False))
def test_no_number_is_infinite(predicted: float, observed: float, deviation: float | None) -> None:
    found = forecast_error(predicted, observed, deviation)
    if found is None:
        return
    assert 0 <= found.absolute_error < inf
    assert (found.spread is None) == (deviation is None)
    if found.spread is not None:
        assert -inf < found.spread.lower <= found.spread.upper < inf
        assert found.spread.covered == (found.spread.lower <= observed <= found.spread.upper)


def test_a_normal_forecast_is_covered_as_often_as_it_says() -> None:
    random = Random(0)
    errors = [forecast_error(0.0, random.gauss(0, 2), 2.0, level=0.8) for _ in range(4_000)]
    found = forecast_summaries([*errors, None])
    low, high = found["coverage"].interval or (0.0, 0.0)
    assert low < 0.8 < high
    assert found["absolute_error"].value == pytest.approx(2 * (2 / pi) ** 0.5, rel=0.05)
    assert found["negative_log_density"].value == pytest.approx(log(2) + log(2 * pi) / 2 + 0.5, rel=0.05)
    assert {summary.errors for summary in found.values()} == {1}


def test_without_deviations_there_is_no_coverage() -> None:
    found = forecast_summaries([forecast_error(1.0, 2.0), forecast_error(1.0, 4.0)])
    assert list(found) == ["absolute_error"]
    assert (found["absolute_error"].value, found["absolute_error"].n) == (2.0, 2)
    assert forecast_summaries([])["absolute_error"].value is None


@pytest.mark.parametrize(("deviation", "level"), [(0.0, 0.9), (-1.0, 0.9), (1.0, 0.0), (1.0, 1.0)])
def test_what_cannot_be_is_refused(deviation: float, level: float) -> None:
    with pytest.raises(ConfigurationError):
        forecast_error(0.0, 0.0, deviation, level=level)


@pytest.mark.parametrize("deviation", [None, 1e-5], ids=["error", "density"])
def test_what_is_too_large_to_be_averaged_counts_as_an_error(deviation: float | None) -> None:
    errors = [forecast_error(0.0, observed, deviation) for observed in (1.0, 2.0, 1e153)]
    assert errors[2] is None or errors[2].absolute_error == 1e153
    found = forecast_summaries(errors)["absolute_error"]
    assert (found.value, found.n, found.errors) == (1.5, 2, 1)
