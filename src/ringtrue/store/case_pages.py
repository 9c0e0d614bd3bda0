"""`CasePages`: the cases of a stored run, a page at a time; a page costs the same wherever in the run it lies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from heapq import merge
from itertools import groupby, islice
from typing import Any, Literal, NamedTuple, TypeAlias

from sqlalchemy import func, select, tuple_

from ringtrue.records import Row, RowFilter
from ringtrue.store import row_keys, schema
from ringtrue.store.key_order import AT_ONCE, KEYS, KeyOrder
from ringtrue.store.runs import Counts, StoredRows
from ringtrue.store.text_search import TextSearch

STATUSES = ("error", "failed", "skipped", "passed", None)
"""Worst first; rows of the first version of the store have none."""
CaseOrder: TypeAlias = Literal[
    "worst", "position", "score", "-score", "cost", "-cost", "seconds", "-seconds", "name", "-name"
]
"""Failures first, as asked, or by a key: its smallest first, or with a minus sign its largest."""
LARGEST_PAGE = 500
_INDEXES = (
    "CREATE INDEX IF NOT EXISTS rows_by_place ON rows (run, status, position, dataset)",
    "CREATE INDEX IF NOT EXISTS rows_by_value ON rows (run, status, value, position, dataset)",
)


class CasePlace(NamedTuple):
    """The place of a case in an order: the status and the value of its worst wanted row, then its position.

    In every other order only the position counts: a key is looked up.
    """

    rank: int
    absent: int
    value: float
    position: int

    def __str__(self) -> str:
        return f"{self.rank}_{self.absent}_{self.value!r}_{self.position}"

    @classmethod
    def parse(cls, text: str) -> CasePlace | None:
        """The place that a text holds; None if it holds none."""
        try:
            rank, absent, value, position = text.split("_")
            return cls(int(rank), int(absent), float(value), int(position))
        except ValueError:
            return None


@dataclass(frozen=True, slots=True)
class CasePage:
    """Cases in their order, each with all its rows and its place, and whether others come before and after them."""

    cases: tuple[tuple[Row, ...], ...] = ()
    places: tuple[CasePlace, ...] = ()
    has_previous: bool = False
    has_next: bool = False


class CasePages:
    """Pages of one run; the indexes they need are made when the first page of a store is asked for.

    A case matches a filter if one of its rows does. The results of a search come in the order of their positions. In
    the order of a key a case is where the smallest key of its rows that match is, or the largest if that comes
    first; cases without one come last.
    """

    def __init__(self, rows: StoredRows) -> None:
        self.rows, self.database, self.run = rows, rows.database, rows.run
        self.search = TextSearch(rows)
        with self.database.writing() as connection:
            for statement in (*_INDEXES, *row_keys.TABLES):
                connection.exec_driver_sql(statement)

    @cached_property
    def counts(self) -> Counts:
        """Return the number of rows of each dataset, system and status."""
        return self.rows.counts()

    @cached_property
    def systems(self) -> list[str]:
        """The systems that have rows, in the order of the run."""
        known = self.rows.systems
        return sorted({system for _, system, _ in self.counts}, key=lambda one: (known.get(one, len(known)), one))

    def page(
        self,
        wanted: RowFilter,
        order: CaseOrder = "worst",
        *,
        after: CasePlace | None = None,
        before: CasePlace | None = None,
        limit: int = 50,
    ) -> CasePage:
        """The cases that match, from behind one place on, or the last ones before a place."""
        limit = min(limit, LARGEST_PAGE)
        backwards = before is not None
        start = before if backwards else after
        found = list(islice(self._places(wanted, order, start, backwards), limit + 1))
        more, found = len(found) > limit, found[:limit]
        if backwards:
            found.reverse()
        return CasePage(
            self.cases([place.position for place in found]),
            tuple(found),
            has_previous=more if backwards else after is not None,
            has_next=backwards or more,
        )

    def case(self, position: int) -> tuple[Row, ...]:
        """All rows of one case; none if there is no such case."""
        return next(iter(self.cases([position])), ())

    def last_position(self) -> int:
        """The position of the last case that has a row; -1 if none has."""
        table = schema.rows.c
        found = -1
        with self.database.reading() as connection:
            for system in self.systems:
                of_system = select(func.max(table.position)).where(table.run == self.run, table.system == system)
                found = max(found, connection.scalar(of_system) or 0)
        return found

    def place_of(self, position: int, wanted: RowFilter, order: CaseOrder) -> CasePlace | None:
        """Return the place of a case among those that match, whatever the searched words; None if it does not match."""
        if order == "worst" and not wanted.text:
            return self._worst([position], wanted).get(position)
        return CasePlace(0, 0, 0.0, position)

    def cases(self, positions: Sequence[int]) -> tuple[tuple[Row, ...], ...]:
        """All rows of some cases, in the order of the positions."""
        table = schema.rows.c
        found: dict[int, list[Row]] = {position: [] for position in positions}
        if found:
            for row in self.rows.read(table.system.in_(self.systems) & table.position.in_(positions)):
                found[row.position].append(row)
        return tuple(tuple(rows) for rows in found.values() if rows)

    def _places(
        self, wanted: RowFilter, order: CaseOrder, start: CasePlace | None, backwards: bool
    ) -> Iterator[CasePlace]:
        """Return the places of the matching cases, each once."""
        if order == "worst" and not wanted.text:
            yield from self._worst_first(wanted, start, backwards)
            return
        from_ = None if start is None else start.position
        positions: Iterator[int]
        if order.lstrip("-") in KEYS and not wanted.text:
            positions = KeyOrder(self, order).positions(wanted, from_, backwards)
        elif wanted.text:
            positions = self.search.positions(wanted, from_, backwards=backwards)
        else:
            streams = [self.positions(status, wanted, from_, backwards) for status in self.statuses(wanted)]
            positions = merge(*streams, reverse=backwards)
        for position, _ in groupby(positions):
            yield CasePlace(0, 0, 0.0, position)

    def statuses(self, wanted: RowFilter) -> list[str | None]:
        """The statuses that rows have and a filter lets through, the worst first."""
        there = {status for _, _, status in self.counts}
        return [status for status in STATUSES if status in there and wanted.status in (None, status)]

    def _worst_first(self, wanted: RowFilter, start: CasePlace | None, backwards: bool) -> Iterator[CasePlace]:
        segments = [(STATUSES.index(status), absent) for status in self.statuses(wanted) for absent in (0, 1)]
        for segment in reversed(segments) if backwards else segments:
            here = None if start is None else (segment > start[:2]) - (segment < start[:2])
            if here is not None and here == (1 if backwards else -1):
                continue
            places = self._segment(segment, wanted, start if here == 0 else None, backwards)
            while batch := list(islice(places, AT_ONCE)):
                worst = self._worst([place.position for place in batch], wanted)
                yield from (place for place, _ in groupby(batch) if worst[place.position] == place)

    def _segment(
        self, segment: tuple[int, int], wanted: RowFilter, start: CasePlace | None, backwards: bool
    ) -> Iterator[CasePlace]:
        """Return the places of the wanted rows of one status, those with a value or those without."""
        rank, absent = segment
        if absent:
            unmeasured = schema.rows.c.value.is_(None)
            from_ = None if start is None else start.position
            for position in self.positions(STATUSES[rank], wanted, from_, backwards, unmeasured):
                yield CasePlace(rank, 1, 0.0, position)
            return
        table = schema.rows.c
        place = (table.value, table.position)
        key: tuple[Any, ...] | None = None if start is None else (start.value, start.position)
        while True:
            query = self.wanted_rows(STATUSES[rank], wanted, *place).where(table.value.is_not(None))
            found = self.read_places(query, place, key, backwards)
            yield from (CasePlace(rank, 0, value, position) for value, position in found)
            if len(found) < AT_ONCE:
                return
            key = tuple(found[-1])

    def positions(
        self,
        status: str | None,
        wanted: RowFilter,
        start: int | None,
        backwards: bool,
        also: Any = None,
        table: Any = schema.rows.c,
    ) -> Iterator[int]:
        """The positions of the wanted rows of one status."""
        column = table.position
        while True:
            query = self.wanted_rows(status, wanted, column)
            found = self.read_places(
                query if also is None else query.where(also), (column,), None if start is None else (start,), backwards
            )
            yield from (row.position for row in found)
            if len(found) < AT_ONCE:
                return
            start = found[-1].position

    def wanted_rows(self, status: str | None, wanted: RowFilter, *columns: Any) -> Any:
        """The query of the wanted rows of one status."""
        table = columns[0].table.c
        query = select(*columns).where(table.run == self.run, table.status == status)
        if wanted.system is not None:
            # Not by the primary key, which begins with the system too, but in another order.
            query = query.where(table.system.concat("") == wanted.system)
        return query if wanted.dataset is None else query.where(table.dataset == wanted.dataset)

    def read_places(
        self, query: Any, place: tuple[Any, ...], key: tuple[Any, ...] | None, backwards: bool
    ) -> list[Any]:
        """The next rows of a query in the order of their place, behind a key."""
        if key is not None:
            at = tuple_(*place)
            query = query.where(at < key if backwards else at > key)
        order = [column.desc() if backwards else column for column in place]
        with self.database.reading() as connection:
            return list(connection.execute(query.order_by(*order).limit(AT_ONCE)))

    def _worst(self, positions: Sequence[int], wanted: RowFilter) -> dict[int, CasePlace]:
        """Return the place of each case by the worst of its rows that match."""
        table = schema.rows.c
        systems = self.systems if wanted.system is None else [wanted.system]
        query = select(table.position, table.status, table.value, table.dataset).where(
            table.run == self.run, table.system.in_(systems), table.position.in_(positions)
        )
        found: dict[int, CasePlace] = {}
        with self.database.reading() as connection:
            for position, status, value, dataset in connection.execute(query):
                # Compared here: the database would read an index of all rows of the status instead of these few.
                if wanted.status in (None, status) and wanted.dataset in (None, dataset):
                    place = CasePlace(STATUSES.index(status), int(value is None), value or 0.0, position)
                    found[position] = min(place, found.get(position, place))
        return found
