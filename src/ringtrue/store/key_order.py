"""`KeyOrder`: the cases of a stored run in the order of a key: score, cost, time or id."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import merge
from itertools import groupby, islice
from typing import TYPE_CHECKING, Any

from sqlalchemy import select

from ringtrue.records import RowFilter
from ringtrue.store import row_keys, schema

if TYPE_CHECKING:
    from ringtrue.store.case_pages import CaseOrder, CasePages

AT_ONCE = 64
KEYS = {
    "score": schema.rows.c.value,
    "cost": row_keys.table.c.cost,
    "seconds": row_keys.table.c.seconds,
    "name": row_keys.table.c.name,
}


class KeyOrder:
    """One order of the cases of a run; the rows of each status are read in it and merged."""

    def __init__(self, pages: CasePages, order: CaseOrder) -> None:
        self.pages = pages
        self.column: Any = KEYS[order.lstrip("-")]
        self.descending = order.startswith("-")

    def positions(self, wanted: RowFilter, start: int | None, backwards: bool) -> Iterator[int]:
        """The positions of the matching cases; one without the key comes last."""
        began = None if start is None else self._extremes([start], wanted).get(start)
        absent_only = start is not None and began is None
        absent = self._without_key(wanted, start if absent_only else None, backwards)
        if backwards:
            yield from absent if start is None or absent_only else ()
            yield from self._with_key(wanted, None if absent_only else (began, start), not self.descending)
            return
        if not absent_only:
            yield from self._with_key(wanted, None if start is None else (began, start), self.descending)
        yield from absent

    def _with_key(self, wanted: RowFilter, start: tuple[Any, ...] | None, down: bool) -> Iterator[int]:
        streams = [self._keys(status, wanted, start, down) for status in self.pages.statuses(wanted)]
        found = merge(*streams, reverse=down)
        while batch := list(islice(found, AT_ONCE)):
            ends = self._extremes([position for _, position in batch], wanted)
            yield from (position for (key, position), _ in groupby(batch) if ends[position] == key)

    def _without_key(self, wanted: RowFilter, start: int | None, backwards: bool) -> Iterator[int]:
        streams = [
            self.pages.positions(status, wanted, start, backwards, self.column.is_(None), self.column.table.c)
            for status in self.pages.statuses(wanted)
        ]
        found = merge(*streams, reverse=backwards)
        while batch := list(islice(found, AT_ONCE)):
            ends = self._extremes(batch, wanted)
            yield from (position for position, _ in groupby(batch) if position not in ends)

    def _keys(
        self, status: str | None, wanted: RowFilter, start: tuple[Any, ...] | None, down: bool
    ) -> Iterator[tuple[Any, int]]:
        """The keys and positions of the wanted rows of one status, behind a key."""
        place = (self.column, self.column.table.c.position)
        while True:
            query = self.pages.wanted_rows(status, wanted, *place).where(self.column.is_not(None))
            found = self.pages.read_places(query, place, start, down)
            yield from ((key, position) for key, position in found)
            if len(found) < AT_ONCE:
                return
            start = tuple(found[-1])

    def _extremes(self, positions: Sequence[int], wanted: RowFilter) -> dict[int, Any]:
        """The key that says where each of some cases is; none for a case without the key."""
        column, table = self.column, self.column.table.c
        query = select(table.position, column, table.status, table.dataset, table.system).where(
            table.run == self.pages.run, table.position.in_(positions), column.is_not(None)
        )
        if column.table is schema.rows:
            query = query.where(table.system.in_(self.pages.systems))  # the key of that table begins with it
        found: dict[int, Any] = {}
        with self.pages.database.reading() as connection:
            for position, key, status, dataset, system in connection.execute(query):
                asked = ((wanted.status, status), (wanted.dataset, dataset), (wanted.system, system))
                if all(one in (None, own) for one, own in asked):
                    found[position] = (max if self.descending else min)(key, found.get(position, key))
        return found
