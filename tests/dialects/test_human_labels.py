"""Which field holds the labels, and what number each of them is."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.human_labels import field_value, label_field, numbers, without_field
from ringtrue.errors import ConfigurationError


@pytest.mark.parametrize(
    ("rows", "wanted", "found"),
    [
        ([{"label": 1}], None, "label"),
        ([{"label": "entailment", "human_label": 1}], None, "human_label"),
        ([{"human_label": None, "correct": True}], None, "correct"),
        ([{}, {"human_says_correct": False}], None, "human_says_correct"),
        ([{"label": 1, "mine": 0}], "mine", "mine"),
        ([{"scores": {"overall": 4}}], "scores.overall", "scores.overall"),
    ],
)
def test_the_field(rows: list[dict[str, Any]], wanted: str | None, found: str) -> None:
    assert label_field(rows, wanted) == found


@pytest.mark.parametrize(("rows", "wanted"), [([], None), ([{"a": 1}], None), ([{"a": 1}], "b"), ([{"b": None}], "b")])
def test_no_label_is_a_message(rows: list[dict[str, Any]], wanted: str | None) -> None:
    with pytest.raises(ConfigurationError, match="--label FIELD"):
        label_field(rows, wanted)


def test_dots() -> None:
    row = {"a.b": 1, "a": {"b": 2, "c": {"d": 3}}, "e": "text"}
    assert [field_value(row, name) for name in ("a.b", "a.c.d", "a.x", "e.f", "g")] == [1, 3, None, None, None]
    assert without_field(row, "a.c.d") == {"a.b": 1, "e": "text"}
    assert without_field(row, "a.b") == {"a": row["a"], "e": "text"}


@pytest.mark.parametrize(
    ("value", "number"),
    [(True, 1), (False, 0), (1, 1), (0.25, 0.25), ("yes", 1), (" NO ", 0), ("0.5", 0.5), ("Correct", 1), ("wrong", 0),
     (None, None), ("", None), ("  ", None)],
)  # fmt: skip
def test_words_and_numbers(value: Any, number: float | None) -> None:
    assert numbers([value]) == [number]


def test_a_scale() -> None:
    assert numbers([1, "5", 3, None], ends=(1, 5)) == [0, 1, 0.5, None]
    assert numbers([-1, 1], ends=(-1, 1)) == [0, 1]


def test_values_that_mean_yes() -> None:
    found = numbers(["Entailment", "Neutral", 4, True, None], positive=("entailment", "4", "true"))
    assert found == [1, 0, 1, 1, None]


@pytest.mark.parametrize(
    ("value", "settings", "message"),
    [
        ("maybe", {}, "row 1.*'maybe'.*--positive"),
        ([1], {}, "row 1"),
        ("nan", {}, "row 1"),
        (10**400, {}, "row 1"),
        (5, {}, "--label-range LOW HIGH"),
        (6, {"ends": (1, 5)}, "--label-range says 1 to 5"),
        (1, {"ends": (5, 1)}, "the lower first"),
        (1, {"ends": (0, float("inf"))}, "the lower first"),
        (5, {"what": "score"}, "--score-range"),
    ],
)
def test_what_cannot_be_read_is_a_message(value: Any, settings: dict[str, Any], message: str) -> None:
    with pytest.raises(ConfigurationError, match=message):
        numbers([value], **settings)


@given(st.recursive(st.none() | st.booleans() | st.integers() | st.floats() | st.text(), st.lists, max_leaves=3))
def test_any_value_is_a_number_or_a_message(value: Any) -> None:
    try:
        found = numbers([value])[0]
    except ConfigurationError:
        return
    assert found is None or 0 <= found <= 1
