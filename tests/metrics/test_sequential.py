"""When a case has been asked often enough."""

from __future__ import annotations

from itertools import product

import pytest

from ringtrue.metrics.sequential import decided


@pytest.mark.parametrize(
    ("verdicts", "enough"),
    [
        ("", False),
        ("+++++", False),
        ("++++++", True),
        ("------", True),
        ("++++++-", False),
        ("+-+-+-+-+-+-", False),
        ("++++++++-", True),
    ],
)
def test_six_alike_decide_and_a_dissent_costs_two_more(verdicts: str, enough: bool) -> None:
    assert decided(verdict == "+" for verdict in verdicts) is enough


@pytest.mark.parametrize("verdict", [True, False])
def test_a_case_may_be_asked_as_often_as_one_likes(verdict: bool) -> None:
    assert decided([verdict] * 10_000)


def test_a_coin_is_seldom_taken_for_more() -> None:
    """Of all courses that ten fair tosses can take, fewer than one in ten is ever called decided."""
    courses = list(product([True, False], repeat=10))
    called = sum(any(decided(course[:n]) for n in range(1, 11)) for course in courses)
    assert 0 < called / len(courses) < 0.1
