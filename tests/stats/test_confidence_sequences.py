"""Confidence sequences: the published update, what must hold at every moment, and that looking often costs nothing."""

from __future__ import annotations

from math import log, sqrt
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.confidence_sequences import BettingSequence, DifferenceSequence


def capital(values: list[float], mean: float, alpha: float = 0.05) -> float:
    """The larger capital against a mean, written down from Waudby-Smith and Ramdas (2023), section 4.2 to 4.4."""
    above = below = 0.5
    for t in range(1, len(values) + 1):
        earlier = values[: t - 1]
        centres = [(0.5 + sum(earlier[:i])) / (i + 1) for i in range(1, t)]
        variance = (0.25 + sum((x - m) ** 2 for x, m in zip(earlier, centres, strict=True))) / t
        bet = sqrt(2 * log(2 / alpha) / (variance * t * log(1 + t)))
        x = values[t - 1]
        above *= 1 + min(bet, 0.5 / mean) * (x - mean)
        below *= 1 - min(bet, 0.5 / (1 - mean)) * (x - mean)
    return max(above, below)


def test_a_mean_is_ruled_out_when_the_capital_against_it_is_twentyfold() -> None:
    random = Random(2)
    values = [random.betavariate(8, 2) for _ in range(60)]
    sequence = BettingSequence()
    for value in values:
        sequence.add(value)
    low, high = sequence.interval
    for mean in (low - 0.005, high + 0.005):
        assert any(capital(values[:t], mean) >= 20 for t in range(1, 61))
    for mean in (low + 0.005, (low + high) / 2, high - 0.005):
        assert all(capital(values[:t], mean) < 20 for t in range(1, 61))


@given(st.lists(st.floats(0, 1), min_size=1, max_size=60))
def test_intervals_only_narrow_and_stay_in_range(values: list[float]) -> None:
    sequence = BettingSequence(cells=100)
    earlier = (0.0, 1.0)
    for value in values:
        sequence.add(value)
        low, high = sequence.interval
        assert 0 <= earlier[0] <= low < high <= earlier[1] <= 1
        earlier = low, high
    assert sequence.mean == pytest.approx(sum(values) / len(values))


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_a_difference_has_no_side(pairs: list[tuple[bool, bool]]) -> None:
    there, back = DifferenceSequence(cells=100), DifferenceSequence(cells=100)
    for before, after in pairs:
        there.add(before, after)
        back.add(after, before)
    assert there.interval == pytest.approx(tuple(-end for end in reversed(back.interval)), abs=1e-9)


def test_looking_after_every_value_does_not_spoil_it() -> None:
    """Wilson's interval, looked at as often, is wrong in a third of such runs; benchmarks/early_stop.py has more."""
    wrong = 0
    for seed in range(120):
        random = Random(seed)
        sequence = BettingSequence(cells=100)
        for _ in range(200):
            sequence.add(float(random.random() < 0.5))
        low, high = sequence.interval
        wrong += not low <= 0.5 <= high
    assert wrong <= 6


def test_values_outside_the_range_are_refused() -> None:
    with pytest.raises(ConfigurationError, match="values lie in"):
        BettingSequence().add(1.5)
