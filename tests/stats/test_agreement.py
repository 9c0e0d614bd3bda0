"""Krippendorff's alpha, against its author's worked example ("Computing Krippendorff's Alpha-Reliability", 2011)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.agreement import krippendorff_alpha

_ = None
RATERS = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, _, _, _],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, _, 3],
    [_, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, _],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, _],
]
UNITS = list(zip(*RATERS, strict=True))


@pytest.mark.parametrize(("level", "alpha"), [("nominal", 0.743), ("interval", 0.849)])
def test_the_authors_example(level: str, alpha: float) -> None:
    assert krippendorff_alpha(UNITS, level) == pytest.approx(alpha, abs=0.0005)  # type: ignore[arg-type]


@pytest.mark.parametrize("units", [[], [[1]], [[1, None]], [[1, 1], [1, 1]]])
def test_without_a_chance_to_disagree_there_is_not_a_number(units: list[list[float | None]]) -> None:
    assert krippendorff_alpha(units) is None


def test_an_unknown_level_is_refused() -> None:
    with pytest.raises(ConfigurationError, match="level"):
        krippendorff_alpha(UNITS, "ratio")  # type: ignore[arg-type]


@given(st.lists(st.lists(st.sampled_from([None, 0.0, 0.5, 1.0]), min_size=2, max_size=4), max_size=12))
def test_the_order_of_raters_and_units_does_not_matter(units: list[list[float | None]]) -> None:
    for level in ("nominal", "interval"):
        alpha = krippendorff_alpha(units, level)  # type: ignore[arg-type]
        turned = krippendorff_alpha([unit[::-1] for unit in units[::-1]], level)  # type: ignore[arg-type]
        assert alpha is None or alpha <= 1 + 1e-9
        assert turned == (None if alpha is None else pytest.approx(alpha))
