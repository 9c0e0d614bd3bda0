"""The records of flat rows whose responses are text, made by the column and without trials: most of `score -o`."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from ringtrue.dialects.coercion import context_text, plain_value, question_text
from ringtrue.dialects.fields import Fields, case_tags
from ringtrue.dialects.run_record import other_fields, row_record
from ringtrue.records import Case, Json, Output, Row, Trial

_EMPTY = row_record(Row(Trial(Case(), Output()), {}))


def flat_row_records(
    rows: Sequence[tuple[int, Mapping[Any, Json]]],
    shapes: Collection[tuple[str, ...]],
    texts: tuple[Sequence[str], Sequence[tuple[str, ...] | None]],
    scores: Iterable[Mapping[str, Json]],
    fields: Fields,
    names: Mapping[str, str],
) -> Iterator[dict[str, Json]]:
    """The `row_record` of each row, as its trial would have it.

    `texts` are the responses and the expected answers of the rows, `scores` are records already. `names` are the
    `dataset` and the `system` of rows that do not say their own.
    """
    empty = {**_EMPTY, **{name: value for name, value in names.items() if value}}
    if len(shapes) == 1:
        return _records_of_one_shape((rows, *texts, scores), fields, empty)
    groups: dict[tuple[str, ...], list[Any]] = {shape: [] for shape in shapes}
    for line in zip(rows, *texts, scores, strict=True):
        groups[tuple(line[0][1])].append(line)
    records = {
        shape: _records_of_one_shape(tuple(zip(*group, strict=True)), fields, empty) for shape, group in groups.items()
    }
    return (next(records[tuple(row)]) for _, row in rows)


def _records_of_one_shape(
    columns: tuple[Any, ...], fields: Fields, empty: Mapping[str, Json]
) -> Iterator[dict[str, Json]]:
    numbered, responses, expected, scores = columns
    # Not zip(*numbered): an iterator for each row, all at once, wakes the garbage collector.
    positions, rows = [place for place, _ in numbered], [row for _, row in numbered]
    at, blank = fields.columns(rows[0]), [""] * len(rows)
    cells = {name: [row[name] for row in rows] for name in (at.id, at.input, at.context, at.expected) if name}
    ids = list(map(fields.identity_of, cells[at.id], positions)) if at.id else positions
    questions = list(map(question_text, cells[at.input])) if at.input else blank
    contexts = list(map(context_text, cells[at.context])) if at.context else blank
    firsts = [answers[0] for answers in expected if answers]
    shown = {at.id: ids, at.input: questions, at.context: contexts, at.expected: firsts}
    others = [name for name in rows[0] if name in at.others or cells.get(name) != shown.get(name)]
    parts = zip(positions, rows, ids, questions, expected, contexts, responses, scores, strict=True)
    for position, row, name, question, answers, context, response, own in parts:
        record = {
            **empty,
            "id": name,
            "row": position + 1,
            "input": question,
            "expected": answers,
            "context": context,
            "response": response,
            "scores": own,
        }
        if others:
            _add_others(record, {name: row[name] for name in others}, fields.latency_seconds(row, at))
        yield record


def _add_others(record: dict[str, Json], others: Mapping[str, Json], seconds: float | None) -> None:
    """Add the fields of a row that may say more than its response and the parts of its case do."""
    for name in ("dataset", "system"):
        if own := plain_value(others.get(name)):
            record[name] = str(own)
    record["latency_seconds"] = seconds
    if tags := case_tags(others.get("tags")):
        record["tags"] = tags
    if found := other_fields(others, record):
        record["fields"] = found
