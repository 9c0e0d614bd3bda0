"""`Latency` and `MaxLatency`."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.suite import EvalCase
from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.latency import Latency, MaxLatency

CASE = EvalCase("q")


@pytest.mark.parametrize("kind", [Latency, MaxLatency])
@pytest.mark.parametrize(
    ("latency_ms", "value"),
    [(0, 1.0), (99.9, 1.0), (100, 1.0), (110, 0.9), (150, 0.5), (200, 0.0), (1_000_000, 0.0)],
)
def test_values(kind: type[Latency], latency_ms: float, value: float) -> None:
    result = kind(100).evaluate(CASE, "x", latency_ms)
    assert result.score == pytest.approx(value)
    assert result.passed is (value == 1.0)
    assert result.passed or "100 ms" in result.reason


@given(st.floats(min_value=1e-3, max_value=1e9))
def test_a_latency_at_the_limit_is_in_time(max_ms: float) -> None:
    assert Latency(max_ms).evaluate(CASE, "x", max_ms).passed


@given(st.floats(min_value=1e-3, max_value=1e9), st.floats(min_value=0, max_value=1e12))
def test_the_score_is_in_range_and_falls(max_ms: float, latency_ms: float) -> None:
    here, later = (Latency(max_ms).evaluate(CASE, "x", time).score for time in (latency_ms, latency_ms * 1.1))
    assert here is not None
    assert later is not None
    assert 0.0 <= later <= here <= 1.0


def test_a_threshold_below_one_tolerates_a_delay() -> None:
    assert Latency(100, 0.5).evaluate(CASE, "x", 149).passed
    assert not Latency(100, 0.5).evaluate(CASE, "x", 151).passed


@pytest.mark.parametrize(
    ("max_ms", "latency_ms", "threshold"),
    [
        pytest.param(100, 140, 0.6, id="binary-fraction-below-0.6"),
        pytest.param(300, 330, 0.9, id="binary-fraction-below-0.9"),
        pytest.param(100, 150, 0.5, id="binary-fraction-above-0.5"),
        pytest.param(700, 1050, 0.5, id="binary-fraction-below-0.5"),
    ],
)
def test_a_score_that_is_the_threshold_passes(max_ms: float, latency_ms: float, threshold: float) -> None:
    result = Latency(max_ms, threshold).evaluate(CASE, "x", latency_ms)
    assert (result.score, result.passed) == (threshold, True)


def test_the_least_delay_fails() -> None:
    assert Latency(100).evaluate(CASE, "x", 100 + 1e-12).passed is False


@pytest.mark.parametrize("latency_ms", [None, float("nan"), -1, "fast"])
def test_without_a_latency_it_is_skipped(latency_ms: Any) -> None:
    result = Latency(100).evaluate(CASE, "x", latency_ms)
    assert (result.status, result.score) == ("skipped", None)


@pytest.mark.parametrize("max_ms", [0, -5, float("nan"), float("inf"), True, "100", None])
def test_a_limit_that_is_none_raises_in_the_constructor(max_ms: Any) -> None:
    with pytest.raises(ConfigurationError, match="max_ms"):
        Latency(max_ms)


def test_the_two_have_their_own_names() -> None:
    assert (Latency(1).name, MaxLatency(1).name) == ("latency", "max_latency")
    assert MaxLatency(100).score({}, {"response": "x", "latency_ms": 150}) == {"max_latency": pytest.approx(0.5)}
