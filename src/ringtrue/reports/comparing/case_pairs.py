"""Pair the cases of two sides: by dataset and id, by content if a case has no id of its own."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from ringtrue.records import Row, Run
from ringtrue.reports.comparing.row_spool import RowSpool
from ringtrue.runner.disk_tables import disk_tables
from ringtrue.stats.pairs import case_content, has_own_id

_TABLES = """
CREATE TABLE rows (number INTEGER PRIMARY KEY, side, place, repeat, scope, label, dataset, content);
CREATE TABLE members (number INTEGER PRIMARY KEY, first);
CREATE TABLE cases (number INTEGER PRIMARY KEY, side, label, times, dataset, content);
"""
_MEMBERS = """
INSERT INTO members SELECT number, min(number) OVER (PARTITION BY side, place, turn) FROM (
    SELECT number, side, place, row_number() OVER (PARTITION BY side, place, repeat ORDER BY number) AS turn FROM rows)
"""
_CASES = """
INSERT INTO cases
SELECT number, side, label, row_number() OVER (PARTITION BY side, scope, label ORDER BY number), dataset, content
FROM rows JOIN members USING (number) WHERE first = number
"""
_PAIRS = """
FROM cases AS old JOIN cases AS new ON new.side = 1 AND new.label = old.label AND new.times = old.times
WHERE old.side = 0 AND (? OR new.dataset = old.dataset)
"""


@dataclass(frozen=True, slots=True)
class Side:
    """One system of one run, and what it is called in a comparison."""

    run: Run
    system: str
    name: str

    def rows(self) -> Iterable[Row]:
        """The rows of the system."""
        return (row for row in self.run.rows if row.system == self.system)


def with_own_names(sides: Sequence[Side]) -> list[Side]:
    """Sides called by their systems where that tells them apart, else by their runs, else by their runs' ids."""
    numbered = [f"{side.name} ({place})" for place, side in enumerate(sides, 1)]
    ways = (*zip(*((side.system, side.name, side.run.id) for side in sides), strict=True), numbered)
    names = next(names for names in ways if len(set(names)) == len(sides))
    return [replace(side, name=name or side.run.id) for side, name in zip(sides, names, strict=True)]


@dataclass(frozen=True, slots=True)
class PairedCase:
    """A case that both sides were asked: its rows on either side, one for each repeat, and their numbers."""

    dataset: str
    before: Sequence[Row]
    after: Sequence[Row]
    numbers: tuple[Sequence[int], Sequence[int]]


class CasePairs:
    """The cases of both sides, joined on disk: memory does not grow with them.

    `only_before` and `only_after` count the cases of one side alone, `changed` those that have the id but another
    content. Repeated ids are told apart by their order. Where each side has one dataset, what it is called does not
    matter: a file may have moved.
    """

    def __init__(self, before: Side, after: Side) -> None:
        self.rows = RowSpool()
        self._table = disk_tables(self, _TABLES)
        for side, given in enumerate((before, after)):
            self._table.executemany("INSERT INTO rows VALUES (?, ?, ?, ?, ?, ?, ?, ?)", self._keys(side, given.rows()))
        self._table.execute(_MEMBERS)
        self._table.execute("CREATE INDEX members_by_first ON members (first, number)")
        self._table.execute(_CASES)
        self._table.execute("CREATE INDEX cases_by_key ON cases (side, label, times, dataset, content)")
        datasets = self._counts("SELECT side, count(DISTINCT dataset) FROM cases GROUP BY side")
        self._alone = set(datasets.values()) == {1}
        own = self._counts("SELECT side, count(*) FROM cases GROUP BY side")
        shared, same = self._table.execute(
            f"SELECT count(*), coalesce(sum(new.content = old.content), 0) {_PAIRS}", (self._alone,)
        ).fetchone()
        self.only_before, self.only_after = own.get(0, 0) - shared, own.get(1, 0) - shared
        self.changed = shared - same
        self._has_repeats = sum(own.values()) < len(self.rows)

    def __iter__(self) -> Iterator[PairedCase]:
        """The cases of both sides, in the order of the first."""
        pairs = f"SELECT old.number, new.number {_PAIRS} AND new.content = old.content ORDER BY old.number"
        for first in self._table.execute(pairs, (self._alone,)):
            numbers = [self._members(number) for number in first] if self._has_repeats else [[one] for one in first]
            before, after = ([self.rows[number] for number in side] for side in numbers)
            yield PairedCase(after[0].dataset, before, after, (numbers[0], numbers[1]))

    def _keys(self, side: int, rows: Iterable[Row]) -> Iterator[tuple[int | str, ...]]:
        """Yield the keys of rows: their case by its place, and its name, or its content if it has no name."""
        for row in rows:
            case = row.trial.case
            dataset, name = repr(row.dataset), str(case.id)
            content = case_content(case)
            place = f"{row.position} {dataset} {name!r} {content}"
            scope, label = (dataset, repr(name)) if has_own_id(row) else ("", content)
            yield self.rows.add(row), side, place, row.repeat, scope, label, dataset, content

    def _members(self, first: int) -> list[int]:
        found = self._table.execute("SELECT number FROM members WHERE first = ? ORDER BY number", (first,))
        return [number for (number,) in found]

    def _counts(self, query: str) -> dict[int, int]:
        return dict(self._table.execute(query).fetchall())
