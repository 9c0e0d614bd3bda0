"""Numbers of cases and the effects they show, each the other's inverse."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.power import cases_needed, detectable_effect


@pytest.mark.parametrize(
    ("effect", "settings", "cases"),
    # multivon-eval 0.20.0, runs_needed
    [
        (0.05, {}, 1248),
        (0.1, {}, 291),
        (-0.1, {}, 354),
        (0.1, {"baseline": 0.5}, 385),
        (0.1, {"power": 0.9}, 389),
        (0.1, {"alpha": 0.01}, 433),
        (0.4, {}, 11),
        (2.0, {}, 1),
    ],
)
def test_cases_needed(effect: float, settings: dict[str, float], cases: int) -> None:
    assert cases_needed(effect, **settings) == cases


@given(st.integers(1, 10_000), st.floats(0.05, 0.95))
def test_more_cases_show_smaller_effects(n: int, baseline: float) -> None:
    assert detectable_effect(4 * n, baseline=baseline) <= detectable_effect(n, baseline=baseline) <= 1
    assert detectable_effect(400 * n, baseline=0.5) == pytest.approx(detectable_effect(100 * n, baseline=0.5) / 2)


def test_no_cases_show_nothing() -> None:
    assert detectable_effect(0) == 1.0


@pytest.mark.parametrize(
    "settings",
    [{"effect": 0}, {"alpha": 0}, {"power": 1}, {"baseline": 1.5}],
    ids=lambda settings: next(iter(settings)),
)
def test_wrong_settings_are_refused(settings: dict[str, float]) -> None:
    with pytest.raises(ConfigurationError, match=next(iter(settings))):
        cases_needed(**{"effect": 0.1, **settings})
