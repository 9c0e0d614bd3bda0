"""Dotted paths lead into rows."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.field_paths import there, walk
from ringtrue.dialects.human_labels import without_field

ROW: dict[str, Any] = {
    "meta": {"gold": ["a", {"b": None}], "x.y": {"z": 2}, "0": "zero"},
    "meta.gold.1": "literal",
    "p.q": [[7]],
    "p": {"q": "shorter"},
    "": "nameless",
}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("meta.gold.0", "a"),
        ("meta.gold.-2", "a"),
        ("meta.gold.1", "literal"),
        ("meta.gold.-1.b", None),
        ("meta.x.y.z", 2),
        ("meta.0", "zero"),
        ("p.q.0.0", 7),
        ("", "nameless"),
    ],
    ids=["index", "from the end", "literal name", "null", "dots inside", "digit as name", "longest name", "no name"],
)
def test_a_path_arrives(path: str, value: Any) -> None:
    at = walk(ROW, path)
    assert (at.value, at.arrived) == (value, True)


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("nope", ""),
        ("nope.0", ""),
        ("meta.gld.0", "; 'meta' is an object with gold, x.y, 0"),
        ("meta.gold.2", "; 'meta.gold' is a list of 2"),
        ("meta.gold.-3", "; 'meta.gold' is a list of 2"),
        ("meta.gold.0.0", "; 'meta.gold.0' is text"),
        ("meta.gold.one", "; 'meta.gold' is a list of 2"),
        ("meta.gold." + "9" * 5_000, "; 'meta.gold' is a list of 2"),
        ("meta.gold.\u0661", "; 'meta.gold' is a list of 2"),
        ("meta.gold.-1.b.c", "; 'meta.gold.-1.b' is null"),
        ("meta.x.y.z.0", "; 'meta.x.y.z' is a number"),
        ("meta.", "; 'meta' is an object with gold, x.y, 0"),
    ],
    ids=[
        "unknown", "unknown outer", "unknown inner", "beyond", "before", "into text", "no index", "huge index",
        "other digits", "into null", "into a number", "a dot at the end",
    ],
)  # fmt: skip
def test_a_path_that_ends_early_says_where(path: str, message: str) -> None:
    assert not walk(ROW, path).arrived
    assert there(ROW, path) == f"meta, meta.gold.1, p.q, p, {message}"


def test_a_row_without_a_place_has_no_trace_of_what_is_there() -> None:
    assert without_field({"p.q": {"r": 1}, "p": 2, "s": 3}, "p.q.r") == {"p": 2, "s": 3}
    assert without_field({"p": 2}, "q.r") == {"p": 2}


NAMES = st.text("ab.01-", max_size=3)
VALUES = st.recursive(
    st.none() | st.integers(), lambda v: st.lists(v, max_size=3) | st.dictionaries(NAMES, v), max_leaves=6
)


@given(st.dictionaries(NAMES, VALUES), st.text("ab.01-", max_size=9))
def test_the_steps_of_a_walk_are_its_path(row: dict[str, Any], path: str) -> None:
    at = walk(row, path)
    if at.arrived:
        assert ".".join(at.taken) == path
        value: Any = row
        for step in at.taken:
            value = value[int(step) if isinstance(value, list) else step]
        assert value == at.value
    there(row, path)
