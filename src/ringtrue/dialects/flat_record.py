"""The records of flat rows whose responses are text, made without their trials: most of what `score -o` costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ringtrue.dialects.coercion import plain_row
from ringtrue.dialects.fields import Columns, Fields, case_tags
from ringtrue.dialects.run_record import AMOUNTS, add_present, other_fields
from ringtrue.records import Json, Output

_NO_AMOUNTS = {name: getattr(Output(), name) for name in AMOUNTS}


def flat_row_records(
    rows: Iterable[tuple[int, Mapping[str, Json]]],
    scores: Iterable[Mapping[str, Json]],
    fields: Fields,
    dataset: str,
    system: str,
) -> Iterator[dict[str, Json]]:
    """The `row_record` of each row, as its trial would have it; `scores` are records already."""
    for (position, given), own in zip(rows, scores, strict=True):
        row: Mapping[Any, Json] = plain_row(given)  # a name that is None is in no row
        at = fields.columns(row)
        name, question, expected, context = parts = fields.case_parts(row, at, position)
        found = {
            "id": name,
            "row": position + 1,
            "dataset": str(row.get("dataset") or dataset) or None,
            "system": str(row.get("system") or system),
            "repeat": 0,
            "input": question,
            "expected": expected,
            "context": context,
            "response": row[at.response] if at.response else "",
            "error": None,
            "problem": None,
            **_NO_AMOUNTS,
            "reused": False,
            "scores": own,
        }
        if at.latency:
            found["latency_seconds"] = fields.latency_seconds(row, at)
        if at.others and (tags := case_tags(row.get("tags"))):
            found["tags"] = tags
        if at.others or not _are_of(row, at, *parts):
            add_present(found, fields=other_fields(row, found))
        yield found


def _are_of(
    row: Mapping[Any, Json], at: Columns, name: Json, question: str, expected: tuple[str, ...] | None, context: str
) -> bool:
    """Whether the parts of a case are the very values of its row: then no field says more than they do."""
    return (
        name is row.get(at.id, name)
        and question is row.get(at.input, question)
        and context is row.get(at.context, context)
        and (at.expected is None or (expected is not None and expected[0] is row[at.expected]))
    )
