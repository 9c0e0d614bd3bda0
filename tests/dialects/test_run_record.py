"""Rows, how a run was made and its summaries survive the way to JSON and back, whatever their texts hold."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ringtrue.dialects.coercion import plain_row
from ringtrue.dialects.fields import Fields
from ringtrue.dialects.flat_record import flat_row_records
from ringtrue.dialects.run_record import (
    made_from,
    made_record,
    row_from,
    row_record,
    score_records,
    summaries_from,
    summaries_record,
)
from ringtrue.errors import InputError
from ringtrue.jsontext import json_bytes, json_lines, parse_json
from ringtrue.records import (
    Case,
    DatasetInfo,
    EvaluatorInfo,
    Made,
    Output,
    Row,
    Score,
    Summary,
    SystemInfo,
    Trial,
)
from ringtrue.systems.replay import RowReader, shapes_of

text = st.text(st.characters(), max_size=20)  # lone surrogates and control characters among them
numbers = st.floats(0, 1)
json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | text,
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(text, inner, max_size=2),
    max_leaves=4,
)
objects = st.dictionaries(text, json_values, max_size=3)
messages = st.lists(objects.filter(bool), max_size=2).map(tuple)

scores = st.one_of(
    st.builds(
        Score,
        value=numbers,
        passed=st.none() | st.booleans(),
        reason=text,
        parts=st.dictionaries(text, st.floats(-10, 10), max_size=2),
        metadata=objects,
        calls=st.integers(0, 3),
        tokens=st.integers(0, 3),
    ),
    text.filter(bool).map(Score.skipped),
    text.filter(bool).map(lambda reason: Score.error(reason, kind="judge_error", traceback="x\n")),
)
fields = st.dictionaries(
    st.sampled_from(["question", "answer", "id", "context", "tags", "messages", "tools", "source_id", "response"])
    | text,
    json_values,
    max_size=4,
)


@st.composite
def rows(draw: st.DrawFn) -> Row:
    dataset = draw(text)
    own = {name: value for name, value in draw(fields).items() if name != "dataset"}
    case = Case(
        id=draw(text | st.integers()),
        input=draw(text),
        expected=draw(st.none() | st.lists(text, max_size=2).map(tuple)),
        context=draw(text),
        messages=draw(messages),
        tools=draw(messages),
        tags=draw(st.lists(text, max_size=2).map(tuple)),
        fields={**own, **({"dataset": dataset} if dataset else {})},
    )
    output = Output(
        text=draw(text),
        problem=draw(text),
        messages=draw(messages),
        tool_calls=draw(messages),
        latency_seconds=draw(st.none() | numbers),
        input_tokens=draw(st.none() | st.integers(0, 10)),
        output_tokens=draw(st.none() | st.integers(0, 10)),
        cost=draw(st.none() | numbers),
        calls=draw(st.integers(0, 3)),
        error=draw(st.sampled_from(["", "timeout", "system_error"])),
        traceback=draw(text),
        fields=draw(objects),
    )
    return Row(
        trial=Trial(case, output),
        scores=draw(st.dictionaries(text.filter(bool), scores, max_size=2)),
        position=draw(st.integers(0, 9)),
        system=draw(text),
        repeat=draw(st.integers(0, 3)),
        reused=draw(st.booleans()),
        answered_at=draw(st.none() | st.floats(1, 10)),
        answered_in=draw(st.sampled_from(["", "e120ec92551a"])),
    )


cells = json_values | st.floats()
flat_rows = st.dictionaries(
    st.sampled_from(["question", "answer", "target", "id", "context", "tags", "messages", "tools", "dataset", "system"])
    | st.sampled_from(["latency", "latency_ms", "source_id"])
    | text,
    cells,
    max_size=5,
)
rows_of_one_shape = st.fixed_dictionaries(dict.fromkeys(("id", "question", "answer", "context"), cells))


@given(
    st.lists(flat_rows, max_size=3) | st.lists(rows_of_one_shape, max_size=3),
    text,
    scores,
    st.integers(0, 9),
    st.sampled_from([{}, {"latency": "id"}, {"latency": "context"}, {"id": "question"}, {"input": "answer"}]),
)
def test_flat_rows_have_the_records_of_their_trials(
    own: list[dict[str, Any]], said: str, score: Score, first: int, mapping: dict[str, str]
) -> None:
    fields = Fields(mapping, blank_is_missing=True, answered=True)
    flat, wholes = list(enumerate(({**row, "response": said} for row in own), first)), []
    for position, row in flat:
        said_by_row = plain_row(row)  # NaN is absent
        trial = fields.trial({**row, "dataset": said_by_row.get("dataset") or "d"}, position)
        system = str(said_by_row.get("system") or "s")
        wholes.append(row_record(Row(trial, {"e": score}, position=position, system=system)))
    shapes = shapes_of(flat)
    texts = RowReader(fields).texts(flat, shapes)
    assert texts is not None
    records = score_records(["e"], [[score] * len(flat)])
    made = flat_row_records(flat, shapes, texts, records, fields, {"dataset": "d", "system": "s"})
    assert json_lines(made) == json_lines(wholes)


def kept_fields_of(row: Row) -> Row:
    """A row without the fields of its case that its record has under another name."""
    case = row.trial.case
    kept = row_from(row_record(row)).trial.case.fields
    return replace(row, trial=replace(row.trial, case=replace(case, fields=kept)))


@given(rows())
def test_rows(row: Row) -> None:
    again = row_from(parse_json(json_bytes(row_record(row))), 7)
    assert again == kept_fields_of(row)
    assert json_bytes(row_record(again)) == json_bytes(row_record(row))


@given(rows())
def test_a_field_is_left_out_only_if_the_row_shows_it(row: Row) -> None:
    case, output = row.trial.case, row.trial.output
    kept = row_from(row_record(row)).trial.case.fields
    said: list[Any] = [case.id, case.input, case.context, output.text, *(case.expected or ()), ""]
    for name, value in case.fields.items():
        if name not in kept:
            assert value in said or value == list(case.expected or ()) or name in ("messages", "tools", "tags")
        else:
            assert kept[name] == value


infos = st.builds(
    EvaluatorInfo,
    name=text,
    signature=text,
    threshold=numbers,
    keys=st.dictionaries(text, text, max_size=2),
    main=text,
    counts=st.lists(text, max_size=2).map(tuple),
)
runs = st.builds(
    Made,
    job=st.sampled_from(["run", "score", "suite", "rescore", "calibrate", "assess"]),
    name=text,
    datasets=st.lists(st.builds(DatasetInfo, text, text, st.integers(0, 9), text), max_size=2).map(tuple),
    systems=st.lists(st.builds(SystemInfo, text, text), max_size=2).map(tuple),
    evaluators=st.lists(infos, max_size=2).map(tuple),
    options=objects,
    started=st.floats(0, 10),
    version=text,
)


@given(runs)
def test_how_a_run_was_made(made: Made) -> None:
    assert made_from(parse_json(json_bytes(made_record(made)))) == made


pairs = st.none() | st.tuples(numbers, numbers)
counts = st.none() | st.integers(0, 9)
summary = st.builds(
    Summary,
    value=st.none() | numbers,
    n=st.integers(0, 9),
    skipped=st.integers(0, 9),
    errors=st.integers(0, 9),
    interval=pairs,
    method=text,
    passed=counts,
    failed=counts,
    bounds=pairs,
    threshold=st.none() | numbers,
    unit=st.sampled_from(["share", "score", "seconds", "tokens", "dollars", "ratio", "count"]),
)


@given(st.dictionaries(text, st.dictionaries(text, st.dictionaries(text, summary, max_size=2), max_size=2), max_size=2))
def test_summaries(found: dict[str, dict[str, dict[str, Summary]]]) -> None:
    assert summaries_from(parse_json(json_bytes(summaries_record(found)))) == found


def test_what_a_newer_ringtrue_wrote_is_read() -> None:
    made = Made(datasets=(DatasetInfo("d"),), evaluators=(EvaluatorInfo("e"),))
    record = made_record(made)
    for one in (record, record["datasets"][0], record["evaluators"][0]):
        one["of_tomorrow"] = 1
    assert made_from(record) == made


@pytest.mark.parametrize("record", [{}, {"scores": None}, {"scores": {"a": {"value": 2.0}}}, {"scores": {"a": 1}}])
def test_what_is_not_a_row_is_refused_by_its_place(record: dict[str, Any]) -> None:
    with pytest.raises(InputError, match="row 4 is not a row that ringtrue wrote"):
        row_from(record, 3)
