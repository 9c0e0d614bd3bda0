"""Records of flat rows, whose responses are text: most of what `score -o` costs."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from ringtrue.dialects.coercion import plain_row
from ringtrue.dialects.fields import Fields, case_tags
from ringtrue.dialects.run_record import add_present, other_fields
from ringtrue.records import Json

_NOTHING_ELSE = {"input_tokens": None, "output_tokens": None, "cost": None, "calls": 0, "reused": False}
"""What a flat row does not say of its answer, in the order of `row_record`."""


def text_row_records(
    rows: Iterable[tuple[int, Mapping[str, Json]]],
    scores: Iterable[Mapping[str, Json]],
    fields: Fields,
    dataset: str,
    system: str,
) -> Iterator[dict[str, Json]]:
    """The `row_record` of flat rows of text, made without their trials; `scores` are records already."""
    for (position, given), own in zip(rows, scores, strict=True):
        row: Mapping[Any, Json] = plain_row(given)  # a name that is None is in no row
        at = fields.columns(row)
        name, question, expected, context = fields.case_parts(row, at, position)
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
            "latency_seconds": fields.latency_seconds(row, at) if at.latency else None,
            **_NOTHING_ELSE,
            "scores": own,
        }
        if at.others and (tags := case_tags(row.get("tags"))):
            found["tags"] = tags
        if (
            at.others
            or name is not row.get(at.id, name)
            or question is not row.get(at.input, question)
            or context is not row.get(at.context, context)
            or (at.expected is not None and (expected is None or expected[0] is not row[at.expected]))
        ):
            add_present(found, fields=other_fields(row, found))
        yield found
