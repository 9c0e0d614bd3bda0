"""Cases of two sets are paired by name and content; what cannot be told apart is in no pair."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ringtrue.stats.pairs import names_of, numbered_keys, pair_cases

NAMES = st.lists(st.sampled_from(["a", "b", "c", None]), max_size=8)


@given(NAMES, NAMES)
def test_every_case_is_in_one_place(first: list[str | None], second: list[str | None]) -> None:
    found = pair_cases(list(range(len(first))), list(range(100, 100 + len(second))), (first, second))
    assert sorted([old for old, _ in found.both] + found.removed) == list(range(len(first)))
    assert sorted([new for _, new in found.both] + found.added) == list(range(100, 100 + len(second)))
    for old, new in found.both:
        name = first[old]
        assert name is not None
        assert name == second[new - 100]
        assert first.count(name) == second.count(name) == 1
    for side, repeated in zip((first, second), found.repeated, strict=True):
        assert repeated == sum(name is not None and side.count(name) > 1 for name in side)


def test_the_same_name_with_another_content_is_counted() -> None:
    found = pair_cases(["a1", "b1"], ["b1", "a2"], (["a", "b"], ["b", "a"]), lambda case: case)
    assert (found.both, found.added, found.removed, found.changed) == ([("b1", "b1")], ["a2"], ["a1"], 1)


def test_one_object_may_be_for_several_cases() -> None:
    names = numbered_keys(["q", "q", "r"])
    assert names == [("q", 0), ("q", 1), ("r", 0)]
    case = object()
    assert len(pair_cases([case] * 3, [case] * 3, (names, names)).both) == 3


def test_a_place_is_not_a_name() -> None:
    assert names_of(["#1", "b", "#7", "", 3, "#x"], "qrqqst") == [("q", 0), "b", ("q", 1), ("q", 2), 3, "#x"]
