"""Canonical JSON tells values apart, and a sealed record cannot be changed unseen."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import RecordError
from ringtrue.reports.canonical import canonical_json, canonical_lines, digest, is_sealed, plain_copy, sealed
from ringtrue.reports.sealed_record import SealedRecord

VALUES = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


class Note(SealedRecord):
    schema = "test.note/v1"

    def require(self, data: dict[str, Any]) -> None:
        if data["words"] != data["text"].split():
            raise ValueError("these are not the words of the text")


@given(VALUES)
def test_json_is_read_back_as_it_was(value: Any) -> None:
    assert plain_copy(value) == value
    assert canonical_json(json.loads(json.dumps(value))) == canonical_json(value)
    assert is_sealed(sealed({"value": value}))
    assert canonical_lines([value]).endswith(b"\n")


@given(VALUES, VALUES)
def test_different_values_have_different_digests(one: Any, other: Any) -> None:
    assert (digest(one) == digest(other)) == (canonical_json(one) == canonical_json(other))


def test_the_order_of_keys_does_not_count() -> None:
    assert digest({"a": 1, "b": 2}) == digest({"b": 2, "a": 1})
    assert digest({"a": [1, 2]}) != digest({"a": [2, 1]})


@pytest.mark.parametrize(
    "value",
    [{1: "a"}, [{"x": {None: 1}}], float("nan"), {"a": float("inf")}, object(), {1, 2}],
    ids=["number-key", "inner-key", "nan", "infinity", "object", "set"],
)
def test_what_json_would_change_is_refused(value: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        digest(value)


def test_half_a_pair_of_surrogates_has_a_digest() -> None:
    assert digest("\ud800") != digest("\udfff")


def test_a_record_is_what_it_says() -> None:
    note = Note.of({"text": "so it is", "words": ["so", "it", "is"]})
    assert Note.from_json(json.dumps(note.to_dict(), indent=4)) == note
    note.data["text"] = "changed"
    assert note.data["text"] == "so it is"
    assert note.digest == note.to_dict()["digest"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        pytest.param({"text": "so it was"}, "the digest is not that", id="changed"),
        pytest.param({"schema": "test.other/v1"}, "the schema is not", id="another-schema"),
        pytest.param({"digest": None}, "the digest is not that", id="no-digest"),
    ],
)
def test_a_changed_record_is_refused(change: dict[str, Any], words: str) -> None:
    data = Note.of({"text": "so it is", "words": ["so", "it", "is"]}).data
    with pytest.raises(RecordError, match=words):
        Note.from_dict(data | change)


def test_content_that_cannot_be_is_refused() -> None:
    with pytest.raises(RecordError, match="something is missing or of the wrong kind"):
        Note.of({"text": "so it is"})
    with pytest.raises(ValueError, match="not the words"):
        Note.of({"text": "so it is", "words": []})
