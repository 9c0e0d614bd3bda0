"""`TextSearch`: full-text search in the questions and answers of a stored run: FTS5 in SQLite, tsvector in PostgreSQL.

Words are indexed when a finished run is first looked at, not while it is written: rows come in the order in which
answers do, and a run is written far more often than searched. Status, system and dataset are indexed as words of their
own, so that the database meets all conditions at once. What rows are sorted by is kept with them (see `row_keys`).
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import islice
from typing import Any

from sqlalchemy import Connection, delete, func, select, update

from ringtrue.identity import digest
from ringtrue.jsontext import parse_json
from ringtrue.records import RowFilter
from ringtrue.store import row_keys, schema
from ringtrue.store.database import Database
from ringtrue.store.runs import StoredRows
from ringtrue.store.search_query import SearchQuery, ending_of, facets_of, search_query, searched_words

TEXT_CHARS, ROW_CHARS = 50_000, 200_000
"""How much of each text is indexed, and of all texts of a row: PostgreSQL takes a megabyte."""
INDEXED_AT_ONCE = 20_000
"""A larger run is searched as far as its words are indexed; a smaller one waits for that."""
_POSITIONS_AT_ONCE = 1_000
_AT_ONCE = 64
_NUMBERS = "search_numbers"
_TABLES = {
    "sqlite": (
        """CREATE VIRTUAL TABLE IF NOT EXISTS row_words USING fts5 (words, facets, content='', prefix='2 3',
        detail=column, tokenize='unicode61 remove_diacritics 0')""",
    ),
    "postgresql": (
        "CREATE TABLE IF NOT EXISTS row_words (rowid BIGINT PRIMARY KEY, found TSVECTOR)",
        "CREATE INDEX IF NOT EXISTS row_words_found ON row_words USING GIN (found)",
    ),
}
_INSERT = {
    "sqlite": "INSERT INTO row_words (rowid, words, facets) VALUES (?, ?, ?)",
    "postgresql": "INSERT INTO row_words (rowid, found) VALUES (%s, "
    "setweight(to_tsvector('simple', %s), 'A') || setweight(to_tsvector('simple', %s), 'B'))",
}
_FIND = {
    "sqlite": "SELECT rowid FROM row_words WHERE row_words MATCH ? AND rowid BETWEEN ? AND ? "
    "ORDER BY rowid {} LIMIT {}",
    "postgresql": "SELECT rowid FROM row_words WHERE found @@ to_tsquery('simple', %s) AND rowid BETWEEN %s AND %s "
    "ORDER BY rowid {} LIMIT {}",
}
FEW = 1_000
"""How many rows that have the whole words PostgreSQL tries before it looks up a beginning."""
_AMONG_FEW = (
    "SELECT rowid, found @@ to_tsquery('simple', %s) FROM (SELECT rowid, found FROM row_words "
    "WHERE found @@ to_tsquery('simple', %s) AND rowid BETWEEN %s AND %s ORDER BY rowid {} LIMIT {}) AS few "
    "ORDER BY rowid {}"
)


class TextSearch:
    """The words of one run."""

    def __init__(self, rows: StoredRows) -> None:
        self.rows, self.database, self.run = rows, rows.database, rows.run
        self.dialect = self.database.engine.dialect.name

    def positions(self, wanted: RowFilter, start: int | None, *, backwards: bool = False) -> Iterator[int]:
        """The positions of the rows that hold every word of `wanted.text` and match the rest, in their order.

        The last word may be the beginning of one. A run that is not finished has no index yet: its rows are read. A
        large one is searched as far as `prepare` has come.
        """
        words = searched_words(wanted.text)
        if not words:
            return iter(())
        finished = self._end_time()
        if finished is None:
            return self._read_positions(words, wanted, start, backwards)
        if sum(self.rows.counts().values()) <= INDEXED_AT_ONCE:
            self.prepare()
        block = self._block(finished) or self._block_so_far()
        if block[0] > block[1]:  # nothing is indexed yet; the tables may not be there
            return iter(())
        return self._indexed_positions(search_query(self.database, words, wanted), block, start, backwards)

    def is_prepared(self) -> bool:
        """Whether a search would find its index; a run that is not finished needs none."""
        finished = self._end_time()
        return finished is None or self._block(finished) is not None

    def prepare(self) -> None:
        """Index the run's words, unless they are."""
        finished = self._end_time()
        if finished is not None and self._block(finished) is None:
            self._build(finished)

    def progress(self) -> tuple[int, int]:
        """Return the number of indexed rows, and of all rows."""
        first, last = self._block_so_far()
        return last - first + 1, sum(self.rows.counts().values())

    def _block_so_far(self) -> tuple[int, int]:
        """The numbers of the rows that are indexed; rows are numbered in the order of their positions."""
        table = schema.searched_rows.c
        own = select(table.id).where(table.run == self.run).limit(1)
        with self.database.reading() as connection:
            first = connection.scalar(own.order_by(table.position, table.id))
            last = connection.scalar(own.order_by(table.position.desc(), table.id.desc()))
        return (0, -1) if first is None or last is None else (first, last)

    def _end_time(self) -> float | None:
        stored = self.database.run(self.run)
        return None if stored is None or stored.status == "running" else stored.finished

    def _block(self, finished: float) -> tuple[int, int] | None:
        table = schema.searches.c
        query = select(table.first, table.last).where(table.run == self.run, table.finished == finished)
        with self.database.reading() as connection:
            found = connection.execute(query).first()
        return None if found is None else (found[0], found[1])

    def _indexed_positions(
        self, query: SearchQuery, block: tuple[int, int], start: int | None, backwards: bool
    ) -> Iterator[int]:
        first, last = self._bounds(block, start, backwards)
        table = schema.searched_rows.c
        while True:
            with self.database.reading() as connection:
                ids = self._numbers(connection, query, (first, last), "DESC" if backwards else "ASC")
                places = dict(connection.execute(select(table.id, table.position).where(table.id.in_(ids))).all())
            yield from (places[one] for one in ids)
            if len(ids) < _AT_ONCE:
                return
            first, last = (first, ids[-1] - 1) if backwards else (ids[-1] + 1, last)

    def _numbers(
        self, connection: Connection, query: SearchQuery, between: tuple[int, int], direction: str
    ) -> list[int]:
        """Return the numbers of the next rows that match.

        PostgreSQL collects all rows that a beginning of a word has before it looks at the other words. So the first
        rows that have those are tried: there may be no more, or enough of them match.
        """
        if query.exact:
            tried = connection.exec_driver_sql(
                _AMONG_FEW.format(direction, FEW, direction), (query.whole, query.exact, *between)
            ).all()
            found = [number for number, matches in tried if matches]
            if len(tried) < FEW or len(found) >= _AT_ONCE:
                return found[:_AT_ONCE]
        statement = _FIND[self.dialect].format(direction, _AT_ONCE)
        return [row[0] for row in connection.exec_driver_sql(statement, (query.whole, *between))]

    def _bounds(self, block: tuple[int, int], start: int | None, backwards: bool) -> tuple[int, int]:
        """The numbers of the rows behind a position, or before it."""
        if start is None:
            return block
        table = schema.searched_rows.c
        here = (table.run == self.run) & table.id.between(*block)
        with self.database.reading() as connection:
            if backwards:
                last = connection.scalar(select(func.max(table.id)).where(here, table.position < start))
                return block[0], block[0] - 1 if last is None else last
            first = connection.scalar(select(func.min(table.id)).where(here, table.position > start))
            return block[1] + 1 if first is None else first, block[1]

    def _read_positions(
        self, words: Sequence[str], wanted: RowFilter, start: int | None, backwards: bool
    ) -> Iterator[int]:
        *others, last_word = words
        with self.database.reading() as connection:
            last = connection.scalar(select(func.max(schema.rows.c.position)).where(schema.rows.c.run == self.run))
        end = -1 if last is None else last
        if start is not None:
            end, start = (start - 1, None) if backwards else (end, start)
        for row in self._rows(0 if start is None else start + 1, end, backwards):
            held = set(_words(parse_json(row["case"]), parse_json(row["failure"] or row["output"])))
            if _is_wanted(row, wanted) and held.issuperset(others) and _holds_beginning(held, last_word):
                yield row["position"]

    def _rows(self, first: int, last: int, backwards: bool = False) -> Iterator[Mapping[str, Any]]:
        """The rows from one position to another, as the store has them."""
        table = schema.rows.c
        systems = list({system for _, system, _ in self.rows.counts()})
        steps = range(first, last + 1, _POSITIONS_AT_ONCE)
        for low in reversed(steps) if backwards else steps:
            high = min(low + _POSITIONS_AT_ONCE - 1, last)
            where = table.system.in_(systems) & table.position.between(low, high)
            order = (table.position.desc() if backwards else table.position, table.system)
            yield from self.database.rows(self.run, where, order)

    def _build(self, finished: float) -> None:
        """Index the run's words; one process at a time does, and commits piece by piece, for others write too."""
        with _sole_indexer(self.database):
            if self._block(finished) is None:
                self._index(finished)

    def _index(self, finished: float) -> None:
        with self.database.writing() as connection:
            for statement in _TABLES[self.dialect]:
                connection.exec_driver_sql(statement)
            connection.execute(delete(row_keys.table).where(row_keys.table.c.run == self.run))
            connection.execute(delete(schema.searches).where(schema.searches.c.run == self.run))
            connection.execute(delete(schema.searched_rows).where(schema.searched_rows.c.run == self.run))
            end = select(func.max(schema.rows.c.position)).where(schema.rows.c.run == self.run)
            last_position = connection.scalar(end)
        first = next_id = self._reserve(sum(self.rows.counts().values()))
        rows = self._rows(0, -1 if last_position is None else last_position)
        while part := list(islice(rows, _POSITIONS_AT_ONCE)):
            numbers = range(next_id, next_id + len(part))
            pairs = list(zip(numbers, part, strict=True))
            read = [(parse_json(row["case"]), parse_json(row["failure"] or row["output"])) for row in part]
            words = [
                (number, " ".join(_words(*texts)), " ".join(facets_of(row["status"], row["system"], row["dataset"])))
                for (number, row), texts in zip(pairs, read, strict=True)
            ]
            keys = [row_keys.keys_of(self.run, row, *texts) for row, texts in zip(part, read, strict=True)]
            places = [{"id": number, "run": self.run, "position": row["position"]} for number, row in pairs]
            with self.database.writing() as connection:
                connection.exec_driver_sql(_INSERT[self.dialect], words)
                connection.execute(schema.searched_rows.insert(), places)
                connection.execute(row_keys.table.insert(), keys)
            next_id = numbers.stop
        block = {"run": self.run, "finished": finished, "first": first, "last": next_id - 1}
        with self.database.writing() as connection:
            connection.execute(schema.searches.insert(), block)
            if self.dialect == "postgresql":  # it plans a search by what it knows of the words, not a minute later
                connection.exec_driver_sql("ANALYZE row_words")

    def _reserve(self, count: int) -> int:
        """The first of a range of unused numbers: words of an earlier attempt keep theirs."""
        facts = schema.facts
        with self.database.writing() as connection:
            used = connection.scalar(select(facts.c.value).where(facts.c.name == _NUMBERS))
            value = str(int(used or 0) + count)
            if used is None:
                connection.execute(facts.insert().values(name=_NUMBERS, value=value))
            else:
                connection.execute(update(facts).where(facts.c.name == _NUMBERS).values(value=value))
        return int(used or 0) + 1


def forget_words(database: Database) -> None:
    """Drop the index of all runs, of which no words can be taken out; a run that is looked at is indexed again."""
    with _sole_indexer(database), database.writing() as connection:
        for table in ("row_words", row_keys.table.name):
            connection.exec_driver_sql(f"DROP TABLE IF EXISTS {table}")
        for statement in row_keys.TABLES:
            connection.exec_driver_sql(statement)
        connection.execute(delete(schema.searches))
        connection.execute(delete(schema.searched_rows))


@contextmanager
def _sole_indexer(database: Database) -> Iterator[None]:
    """In here no other process builds or drops an index."""
    lease = database.lease(digest(_NUMBERS))
    while not lease.acquire():
        time.sleep(0.2)
    try:
        yield
    finally:
        lease.release()


def _is_wanted(row: Mapping[str, Any], wanted: RowFilter) -> bool:
    return all(
        getattr(wanted, name) is None or row[name] == getattr(wanted, name) for name in ("status", "system", "dataset")
    )


def _holds_beginning(words: set[str], beginning: str) -> bool:
    return beginning in words or (bool(ending_of(beginning)) and any(word.startswith(beginning) for word in words))


def _words(case: Mapping[str, Any], output: Mapping[str, Any]) -> list[str]:
    """Return the searched words of a row: the case's id, question, context and expected answers, and the answer."""
    texts = [case.get("id", ""), case.get("input", ""), case.get("context", ""), *(case.get("expected") or ())]
    texts += [output.get("text", ""), output.get("problem", "")]
    if not case.get("input"):
        texts += [message.get("content") for message in case.get("messages") or () if isinstance(message, Mapping)]
    return searched_words("\n".join(str(text)[:TEXT_CHARS] for text in texts if text)[:ROW_CHARS])
