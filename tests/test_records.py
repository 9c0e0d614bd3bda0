"""A Score cannot be built in a lying state."""

from __future__ import annotations

import dataclasses
import re
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.errors import RecordError
from ringtrue.records import Case, Made, Output, Row, Run, Score, Summary, Trial
from ringtrue.stats.row_pages import ListRows


@pytest.mark.parametrize(
    "fields",
    [
        {"value": None},
        {"value": 1.5},
        {"value": -0.1},
        {"value": float("nan")},
        {"value": 1.0, "status": "skipped", "reason": "x"},
        {"value": 0.0, "status": "error", "reason": "x"},
        {"value": None, "status": "skipped"},
        {"value": None, "status": "error", "reason": "x", "passed": False},
        {"value": None, "status": "skipped", "reason": "x", "parts": {"f1": 1.0}},
        {"value": 1.0, "parts": {"f1": float("inf")}},
        {"value": 1.0, "status": "done"},
    ],
    ids=str,
)
def test_lies_are_refused(fields: dict[str, Any]) -> None:
    with pytest.raises(RecordError):
        Score(**fields)


@given(st.floats(0, 1))
def test_every_number_in_range_is_a_score(value: float) -> None:
    assert Score(value).value == value


def test_absence_has_a_status_and_a_reason() -> None:
    assert Score.skipped("no answer", where="case") == Score(
        None, "skipped", reason="no answer", metadata={"where": "case"}
    )
    assert Score.error("boom").status == "error"


TRIAL = Trial(Case(), Output())


@pytest.mark.parametrize("record", [Case(), Output(), TRIAL, Score(1.0), Row(TRIAL, {})])
def test_records_are_frozen_and_slotted(record: Any) -> None:
    assert not hasattr(record, "__dict__")
    with pytest.raises(dataclasses.FrozenInstanceError):
        setattr(record, dataclasses.fields(record)[0].name, None)


@pytest.mark.parametrize(
    ("key", "words"),
    [
        ("f2", "no summary 'f2' for these; there are f1, recall"),
        ("f1", "2 summaries of 'f1', of a on nq, b on nq; choose one by system= or dataset="),
    ],
    ids=["unknown", "several"],
)
def test_a_summary_that_is_not_one_says_what_to_ask_for(key: str, words: str) -> None:
    one = Summary(1.0, 1)
    run = Run(Made(), ListRows([], Made()), {"nq": {"a": {"f1": one}, "b": {"f1": one, "recall": one}}})
    with pytest.raises(RecordError, match=re.escape(words)):
        run.summary(key)
    assert run.summary("f1", system="b") is one
