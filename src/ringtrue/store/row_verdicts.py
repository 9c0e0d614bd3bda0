"""`stored_verdicts`: how each row of a stored run ended, without reading the rows."""

from __future__ import annotations

from collections.abc import Iterator

from sqlalchemy import case, or_, select, tuple_

from ringtrue.jsontext import parse_json
from ringtrue.records import Rows
from ringtrue.stats.case_sources import SourceFields, source_fields
from ringtrue.store import schema
from ringtrue.store.runs import StoredRows

_AT_ONCE = 10_000
_FIELDS = ("source_id", "subject")

Verdict = tuple[str, str, int, str, SourceFields]
"""Dataset, system, position, status, and the source and subject of the case."""


def stored_verdicts(rows: Rows) -> Iterator[Verdict] | None:
    """Return the verdict of each row from the database, system by system; None for rows that are not in a store."""
    if not isinstance(rows, StoredRows) or any(status is None for _, _, status in rows.counts()):
        return None
    return _read(rows)


def _read(rows: StoredRows) -> Iterator[Verdict]:
    table, cases = schema.rows.c, schema.cases.c
    case_text = case((or_(*(cases.content.contains(f'"{name}"') for name in _FIELDS)), cases.content), else_=None)
    place = tuple_(table.position, table.repeat)
    query = (
        select(table.dataset, table.system, table.position, table.repeat, table.status, case_text)
        .select_from(schema.rows.outerjoin(schema.cases, cases.digest == table.case_digest))
        .order_by(table.position, table.repeat)
        .limit(_AT_ONCE)
    )
    for system in dict.fromkeys(system for _, system, _ in rows.counts()):
        here = query.where(table.run == rows.run, table.system == system)
        after = here
        while True:
            with rows.database.reading() as connection:
                part = connection.execute(after).all()
            for dataset, name, position, _, status, content in part:
                fields = {} if content is None else parse_json(content).get("fields") or {}
                yield dataset or "", name, position, status, source_fields(fields)
            if len(part) < _AT_ONCE:
                break
            after = here.where(place > tuple_(part[-1].position, part[-1].repeat))
