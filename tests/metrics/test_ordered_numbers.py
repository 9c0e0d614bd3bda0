"""Numbers by their rank, whatever their order and number."""

from __future__ import annotations

from statistics import median

from hypothesis import given
from hypothesis import strategies as st

from ringtrue.metrics import ordered_numbers
from ringtrue.metrics.ordered_numbers import OrderedNumbers

NUMBERS = st.lists(st.floats(allow_nan=False, allow_infinity=False, width=32))


@given(NUMBERS, NUMBERS)
def test_ranks_are_those_of_the_sorted_numbers(first: list[float], second: list[float]) -> None:
    found, other = OrderedNumbers(), OrderedNumbers()
    for number in first:
        found.add([number])
    other.add(second)
    found.merge(other)
    whole = sorted(first + second)
    assert len(found) == len(whole)
    assert found[:] == whole
    assert found.median == (median(whole) if whole else None)


def test_many_numbers_lie_in_several_runs() -> None:
    found = OrderedNumbers()
    count = 3 * ordered_numbers._AT_ONCE
    found.add(float(number * 7919 % count) for number in range(count // 2))
    found.add(float(number * 7919 % count) for number in range(count // 2, count))
    assert [found[rank] for rank in (0, 1, count // 3, count - 1, -1)] == [0, 1, count // 3, count - 1, count - 1]
