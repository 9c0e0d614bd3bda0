"""The rubric of an audit: what a description asks for, and what code makes of a completed rubric."""

from __future__ import annotations

from typing import Any

import jsonschema_rs
import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import ConfigurationError
from ringtrue.evaluators.judged.audit.rubric import Field, Rubric

FIELDS = [
    ("20 points boolean - does the file exist?", "boolean", 20.0),
    ("boolean (20 pts) - is it there?", "boolean", 20.0),
    ("bool - is it there?", "boolean", None),
    ("number 0-20 points - how good is it?", "number", 20.0),
    ("20-point scale for style", "number", 20.0),
    ("(12.5 Points) does it work", "number", 12.5),
    ("str - (40 points) does it meet the requirements?", "text", 40.0),
    ("list of str (10 points) - the faults", "text", 10.0),
    ("list - the faults", "list", None),
    ("How readable is it?", "text", None),
    ("a number of files is needed", "text", None),
    ("10 points each, 30 points in all", "text", None),
    ("boolean, -5 points if missing", "boolean", None),
    ("minus \u22125 points", "text", None),
    ("number, 40 points", "number", 40.0),
    ("60 points boolean", "boolean", 60.0),
    ("five points", "text", None),
]


@pytest.mark.parametrize(("description", "kind", "points"), FIELDS, ids=[row[0] for row in FIELDS])
def test_what_a_description_asks_for(description: str, kind: str, points: float | None) -> None:
    assert (Field.of(description).kind, Field.of(description).points) == (kind, points)


SUMMED = [
    ({"a": "60 points boolean", "b": "number, 40 points", "score": "number"}, True),
    ({"a": {"x": "60 points boolean", "y": "40 points"}, "score": "number"}, True),
    ({"a": "33.4 points", "b": "33.3 points", "c": "33.3 points", "score": "number"}, True),
    ({"a": "60 points boolean", "b": "30 points", "score": "number"}, False),
    ({"a": "100 points boolean", "b": "string - why?", "score": "number"}, False),
    ({"a": "boolean", "score": "100 points"}, False),
]


@pytest.mark.parametrize(("described", "summed"), SUMMED)
def test_points_are_summed_where_all_fields_state_them_and_they_total_100(described: Any, summed: bool) -> None:
    rubric = Rubric(described)
    assert rubric.is_summed is summed
    assert ("score" in rubric.schema()["properties"]["rubric"]["properties"]) is not summed


def test_nested_and_worded_fields_are_summed() -> None:
    rubric = Rubric(
        {
            "form": {"a": "10 points boolean - a?", "b": "number (20 points) - b?"},
            "text": "str (70 points) - c?",
            "score": "number",
        }
    )
    filled = {"form": {"a": True, "b": 7.5}, "text": {"assessment": "half", "points": 35}}
    completed, points = rubric.complete(filled)
    assert points == {"form.a": 10.0, "form.b": 7.5, "text": 35.0}
    assert completed == {**filled, "score": 52.5}


def test_a_score_of_the_auditor_is_kept_as_it_is() -> None:
    completed, points = Rubric({"a": "boolean", "score": "number"}).complete({"a": False, "score": 12.5})
    assert (completed, points) == ({"a": False, "score": 12.5}, {})


@pytest.mark.parametrize("points", [-1, 20.5, "20", True, None])
def test_points_beyond_those_stated_do_not_fit(points: Any) -> None:
    schema = Rubric({"a": "20 points", "b": "80 points", "score": "number"}).schema()
    valid = jsonschema_rs.validator_for(schema).is_valid
    assert valid({"evidence": "", "rubric": {"a": 20, "b": 0}})
    assert not valid({"evidence": "", "rubric": {"a": points, "b": 0}})


@given(st.lists(st.integers(1, 50), min_size=1, max_size=6), st.data())
def test_a_summed_score_lies_in_its_range(parts: list[int], data: st.DataObject) -> None:
    parts = [*parts, 100 - sum(parts)] if sum(parts) < 100 else [100]
    described = {f"f{at}": f"{part} points" for at, part in enumerate(parts)}
    rubric = Rubric({**described, "score": "number"})
    assert rubric.is_summed
    filled = {name: data.draw(st.floats(0, part)) for name, part in zip(described, parts, strict=True)}
    completed, points = rubric.complete(filled)
    assert 0.0 <= completed["score"] <= 100.0
    assert completed["score"] == pytest.approx(sum(points.values()))


@given(st.text(max_size=200))
def test_any_description_is_a_field_or_refused(description: str) -> None:
    try:
        rubric = Rubric({"a": description, "score": "number"})
    except ConfigurationError:
        assert not description.strip()
        return
    assert rubric.schema()
    assert Field.of(description).points is None or Field.of(description).points >= 0  # type: ignore[operator]


def test_a_hostile_description_takes_no_time() -> None:
    assert Field.of("9" * 1_000_000 + " - " * 100_000).points is None
    with pytest.raises(ConfigurationError, match="characters"):
        Rubric({"a": "x" * 1_000_000, "score": "number"})
