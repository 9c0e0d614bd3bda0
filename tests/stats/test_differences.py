"""Tests of differences: closed forms, another tool's numbers, and what must hold for any verdicts."""

from __future__ import annotations

from math import comb, pi

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.stats.differences import (
    EXACT_PAIRS,
    benjamini_hochberg,
    cohens_h,
    mcnemar,
    paired_interval,
    two_proportions,
)

SHARES = st.floats(0, 1)


def verdicts(wins: int, losses: int, same: int = 0) -> tuple[list[bool], list[bool]]:
    return [True] * wins + [False] * losses + [True] * same, [False] * wins + [True] * losses + [True] * same


@pytest.mark.parametrize(
    ("wins", "losses", "p"),
    [
        pytest.param(0, 0, 1.0, id="no-difference"),
        pytest.param(5, 0, 2 / 2**5, id="five-to-none"),
        pytest.param(1, 9, 2 * (1 + 10) / 2**10, id="nine-to-one"),
        pytest.param(3, 3, 1.0, id="a-draw"),
        pytest.param(2, 8, 2 * (1 + 10 + 45) / 2**10, id="eight-to-two"),
    ],
)
def test_mcnemar(wins: int, losses: int, p: float) -> None:
    for same in (0, 50):
        assert mcnemar(*verdicts(wins, losses, same)) == pytest.approx(p, rel=1e-12)


def test_mcnemar_is_the_same_on_both_sides_of_exactness() -> None:
    n = EXACT_PAIRS + 2
    for fewer in (430, 480, 500):
        exact = 2 * sum(comb(n, k) for k in range(fewer + 1)) / 2**n
        assert mcnemar(*verdicts(fewer, n - fewer)) == pytest.approx(exact, rel=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), max_size=60))
def test_mcnemar_is_symmetric_and_a_probability(pairs: list[tuple[bool, bool]]) -> None:
    first, second = [a for a, _ in pairs], [b for _, b in pairs]
    assert 0 < mcnemar(first, second) == mcnemar(second, first) <= 1


def test_verdicts_must_be_paired() -> None:
    with pytest.raises(ConfigurationError, match="same length; got 1 and 2"):
        mcnemar([True], [True, False])


@given(SHARES, st.integers(0, 500), SHARES, st.integers(0, 500))
def test_two_proportions_is_a_probability(first: float, first_n: int, second: float, second_n: int) -> None:
    found = two_proportions(first, first_n, second, second_n)
    assert 0 <= found <= 1
    assert found == pytest.approx(two_proportions(second, second_n, first, first_n), abs=1e-12)


def test_two_proportions_by_the_table() -> None:
    """50 of 100 against 50 + 7 * 1.96 of 100 have a pooled error near 7 of 100, and so p near 0.05."""
    assert two_proportions(0.5, 100, 0.6372, 100) == pytest.approx(0.05, abs=0.002)
    # multivon-eval 0.20.0
    assert two_proportions(0.5, 100, 0.7, 100) == pytest.approx(0.0038924171227785465, rel=1e-9)


@given(SHARES, SHARES)
def test_cohens_h_turns_its_sign(first: float, second: float) -> None:
    assert cohens_h(first, second) == -cohens_h(second, first)
    assert -pi <= cohens_h(first, second) <= pi


def test_adjusted_p_values_by_hand() -> None:
    assert benjamini_hochberg([0.01, 0.02, 0.03, 0.04, 0.05]) == pytest.approx([0.05] * 5)
    assert benjamini_hochberg([0.05, 0.0001, 0.5]) == pytest.approx([0.075, 0.0003, 0.5])


@given(st.lists(SHARES, max_size=20))
def test_adjusting_never_lowers_and_keeps_the_order(p_values: list[float]) -> None:
    adjusted = benjamini_hochberg(p_values)
    assert all(p <= q <= 1 for p, q in zip(p_values, adjusted, strict=True))
    ranked = [q for _, q in sorted(zip(p_values, adjusted, strict=True))]
    assert ranked == sorted(ranked)


@pytest.mark.parametrize("wrong", [-0.1, 1.1, float("nan")])
def test_what_is_not_a_share_is_refused(wrong: float) -> None:
    for call in (
        lambda: cohens_h(wrong, 0.5),
        lambda: two_proportions(0.5, 1, wrong, 1),
        lambda: benjamini_hochberg([wrong]),
    ):
        with pytest.raises(ConfigurationError, match=r"\[0, 1\]"):
            call()


def test_newcombes_interval_of_a_paired_difference() -> None:
    """Newcombe (1998), Statistics in Medicine 17, 2635-2650: 36, 12, 2 and 0 pairs, his method 10."""
    before, after = verdicts(12, 2, 36)
    found = paired_interval(before, after)
    assert found == pytest.approx((-0.3404, -0.0569), abs=5e-5)


@pytest.mark.parametrize(
    ("both", "lost", "won", "neither", "interval"),
    [
        pytest.param(12, 2, 9, 21, (0.0112425036, 0.2953717807), id="correlated"),
        pytest.param(53, 16, 0, 8, (-0.3057381380, -0.1139999680), id="one-way"),
        pytest.param(20, 1, 5, 24, (-0.0198372093, 0.1758060674), id="even"),
        pytest.param(1, 0, 2, 3, (-0.1717038003, 0.6742831315), id="correlation-below-its-correction"),
    ],
)
def test_the_interval_agrees_with_another_computation(
    both: int, lost: int, won: int, neither: int, interval: tuple[float, float]
) -> None:
    """Method 10 written down a second time, with the roots of Wilson's quadratic."""
    before = [True] * (both + lost) + [False] * (won + neither)
    after = [True] * both + [False] * lost + [True] * won + [False] * neither
    assert paired_interval(before, after) == pytest.approx(interval, abs=1e-9)


@given(st.lists(st.tuples(st.booleans(), st.booleans())))
def test_a_paired_interval_holds_the_difference_and_has_no_side(pairs: list[tuple[bool, bool]]) -> None:
    before, after = [old for old, _ in pairs], [new for _, new in pairs]
    found, turned = paired_interval(before, after), paired_interval(after, before)
    if not pairs:
        assert found is None
        return
    assert found is not None
    assert turned is not None
    assert -1 <= found[0] <= (sum(after) - sum(before)) / len(pairs) + 1e-12
    assert found[0] < found[1] <= 1
    assert turned == pytest.approx((-found[1], -found[0]), abs=1e-12)
