"""`copy_store`: everything one store keeps, written to another; what is there already stays."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from sqlalchemy import Table, func, select

from ringtrue.errors import StoreError
from ringtrue.store import schema
from ringtrue.store.database import Database

COPIED = (schema.cases, schema.answers, schema.scores, schema.responses, schema.labels, schema.rows, schema.runs)
"""In this order: what a row needs is there before it, and a run is there when it is whole. What is searched for is
indexed again."""
_AT_ONCE = 1_000

Listener = Callable[[str, int], None]
"""Hears the name of a table and how many of its records are copied."""


def copy_store(source: Database, target: Database, listener: Listener | None = None) -> Mapping[str, int]:
    """Copy every record; how many of each table the target did not have. It may be done again after an interruption."""
    lease = target.shared_lease()
    if not lease.acquire():
        raise StoreError(f"the store {target.url!r} is being pruned; try again when that is done")
    try:
        return _copy_tables(source, target, listener)
    finally:
        lease.release()


def _copy_tables(source: Database, target: Database, listener: Listener | None) -> Mapping[str, int]:
    new: dict[str, int] = {}
    for table in COPIED:
        before, copied = _count(target, table), 0
        for part in _parts(source, table):
            target.insert(table, part)
            copied += len(part)
            if listener is not None:
                listener(table.name, copied)
        new[table.name] = _count(target, table) - before
    return new


def _parts(source: Database, table: Table) -> Iterator[list[dict[str, Any]]]:
    with source.reading() as connection:
        found = connection.execution_options(yield_per=_AT_ONCE).execute(select(table)).mappings()
        for part in found.partitions(_AT_ONCE):
            yield [dict(row) for row in part]


def _count(database: Database, table: Table) -> int:
    with database.reading() as connection:
        return int(connection.scalar(select(func.count()).select_from(table)) or 0)
