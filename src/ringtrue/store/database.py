"""`Database`: runs, answers and scores, by URL; SQLite in WAL mode unless the URL says PostgreSQL."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from itertools import islice
from typing import Any
from weakref import finalize

from sqlalchemy import Connection, Engine, Table, func, select, update
from sqlalchemy.exc import SQLAlchemyError

from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.identity import digest
from ringtrue.jsontext import json_text, parse_json
from ringtrue.records import DEFAULT_STORE, Json
from ringtrue.store import schema
from ringtrue.store.address import full_url, is_write_protected, kept_at, open_engine, opening_advice, without_password
from ringtrue.store.lease import Lease
from ringtrue.store.outage import outlasting, store_error
from ringtrue.store.writer import Writer

LOOKUPS_AT_ONCE = 500
CASES_AT_ONCE = 1_000
PRUNING_SECONDS = 600.0
_AT_WORK = digest("at work")
_FIRST_COME = {"sqlite": "BEGIN IMMEDIATE", "postgresql": "SELECT pg_advisory_xact_lock(7274)"}


@dataclass(frozen=True, slots=True)
class StoredRun:
    """A run as the store knows it."""

    id: str
    digest: str
    status: str
    owner: str
    created: float
    finished: float | None
    config: Json
    name: str | None = None
    outcome: Json = None


def existing(url: str = DEFAULT_STORE) -> Database:
    """The store at this URL, which must be there."""
    if not kept_at(url):
        raise ConfigurationError(
            f"there is no store {without_password(full_url(url))!r}; 'ringtrue run' makes one, --store names another",
            parameter="store",
            value=without_password(url),
        )
    return Database(url, only_read=is_write_protected(url))


class Database:
    """An open store. Reading is direct; writing goes through the `writer`, which commits many rows at once."""

    def __init__(self, url: str = DEFAULT_STORE, *, only_read: bool = False) -> None:
        self.url, self.only_read = without_password(full_url(url)), only_read
        self.engine = open_engine(full_url(url), only_read=only_read)
        finalize(self, self.engine.dispose)  # rows are read from a closed store, too
        self._prepare()
        self.writer = Writer(self.engine)

    def close(self) -> None:
        """Write what is waiting and let go of the database."""
        self.writer.close()
        self.engine.dispose()

    def __enter__(self) -> Database:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _prepare(self) -> None:
        try:
            with self.engine.begin() as connection:
                if not self.only_read:  # one process at a time makes the tables
                    connection.exec_driver_sql(_FIRST_COME[self.engine.dialect.name])
                    schema.metadata.create_all(connection)
                version = connection.scalar(select(schema.facts.c.value).where(schema.facts.c.name == "version"))
                if version is None:
                    connection.execute(schema.facts.insert().values(name="version", value=str(schema.VERSION)))
                elif not self.only_read:
                    schema.migrate(connection, int(version))
        except SQLAlchemyError as error:
            cause = getattr(error, "orig", None) or error
            raise StoreError(
                f"cannot open the store {self.url!r}: {' '.join(str(cause).split())}; {opening_advice(cause)}"
            ) from error
        if self.only_read and int(version or 0) < schema.VERSION:
            words = (
                f"the store {self.url!r} is an older ringtrue's and cannot be changed here; copy it to another folder"
            )
            raise StoreError(words)
        if version is not None and int(version) > schema.VERSION:
            raise StoreError(
                f"the store {self.url!r} was written by a newer ringtrue (version {version} of its tables, this one "
                f"knows {schema.VERSION}); update ringtrue or use another --store"
            )

    @outlasting
    def run(self, id: str) -> StoredRun | None:
        """One run."""
        return next(iter(self.runs(schema.runs.c.id == id)), None)

    @outlasting
    def unfinished_run(self, digest: str) -> StoredRun | None:
        """The newest run of this plan that has not finished."""
        found = self.runs((schema.runs.c.digest == digest) & (schema.runs.c.status != "finished"))
        return found[0] if found else None

    def runs(self, where: Any = None) -> list[StoredRun]:
        """Runs, newest first."""
        query = select(schema.runs).order_by(schema.runs.c.created.desc(), schema.runs.c.id.desc())
        with self.reading() as connection:
            found = connection.execute(query if where is None else query.where(where)).all()
        return [_stored_run(dict(row._mapping)) for row in found]

    def lease(self, digest: str) -> Lease:
        """The right to work on the plan with this digest."""
        return Lease(self.engine, digest)

    def is_active(self, run: StoredRun) -> bool:
        """Whether a process is at work on a run; one that was killed says that it is running, and has none."""
        return run.status == "running" and not self.only_read and not self.lease(run.digest).is_deserted()

    @asynccontextmanager
    async def at_work(self) -> AsyncIterator[None]:
        """In here nothing is pruned that nothing refers to yet; a pruning that is under way is waited for."""
        lease = self.shared_lease()
        if not await lease.wait(PRUNING_SECONDS):
            raise StoreError(f"the store {self.url!r} is being pruned; try again when that is done")
        try:
            yield
        finally:
            lease.release()

    def shared_lease(self) -> Lease:
        """The right to be one of those at work."""
        return Lease(self.engine, _AT_WORK, shared=True)

    def sole_lease(self) -> Lease:
        """The right to be the only one at work."""
        return Lease(self.engine, _AT_WORK)

    def keep_cases(self, cases: Iterable[tuple[str, str]]) -> None:
        """Write cases down, as digests with JSON text; those already there stay."""
        remaining = iter(cases)
        while part := list(islice(remaining, CASES_AT_ONCE)):
            self.insert(schema.cases, [{"digest": digest, "content": content} for digest, content in part])

    @outlasting
    def insert(self, table: Table, records: Iterable[Mapping[str, Any]]) -> None:
        """Write records down; those already there stay."""
        statement = self.writer.statements[table]
        with self.writing() as connection:
            connection.exec_driver_sql(statement.text, [statement.arguments(record) for record in records])

    @outlasting
    def start(self, run: StoredRun) -> None:
        """Write a run down, or take an unfinished one over."""
        with self.writing() as connection:
            values = {"status": run.status, "owner": run.owner, "config": json_text(run.config), "name": run.name}
            changed = connection.execute(update(schema.runs).where(schema.runs.c.id == run.id).values(values))
            if not changed.rowcount:
                connection.execute(
                    schema.runs.insert().values(id=run.id, digest=run.digest, created=run.created, **values)
                )

    @outlasting
    def end(self, id: str, status: str, outcome: Json = None) -> None:
        """Write down how a run ended and what it came to."""
        values = {"status": status, "finished": time.time(), "owner": "", "outcome": json_text(outcome)}
        with self.writing() as connection:
            connection.execute(update(schema.runs).where(schema.runs.c.id == id).values(values))

    def outputs(self, keys: Sequence[str]) -> dict[str, tuple[str, float, str | None]]:
        """The stored outputs among these answer keys, as JSON text, and when and by which run each was kept."""
        found = self.look_up(select(schema.answers), schema.answers.c.key, keys)
        return {row.key: (row.output, row.created, row.run) for row in found}

    def cases(self, digests: Sequence[str]) -> dict[str, str]:
        """The stored cases among these digests, as JSON text."""
        return {row.digest: row.content for row in self.look_up(select(schema.cases), schema.cases.c.digest, digests)}

    def scores(self, keys: Sequence[str], evaluators: Sequence[str]) -> dict[tuple[str, str], str]:
        """The stored scores of these answers by these evaluators, as JSON text."""
        table = schema.scores
        query = select(table).where(table.c.evaluator.in_(evaluators))
        return {(row[0], row[1]): row[2] for row in self.look_up(query, table.c.answer_key, keys)}

    def look_up(self, query: Any, column: Any, keys: Sequence[str]) -> Iterator[Any]:
        """The rows of a query with these keys in a column, in the order of the query for each part of the keys."""
        with self.reading() as connection:
            for start in range(0, len(keys), LOOKUPS_AT_ONCE):
                yield from connection.execute(query.where(column.in_(keys[start : start + LOOKUPS_AT_ONCE])))

    def rows(
        self, run: str, where: Any = None, order: Sequence[Any] = (), offset: int = 0, limit: int | None = None
    ) -> list[Mapping[str, Any]]:
        """Rows of a run, each with its case and its output, or its failure, as JSON text."""
        rows = schema.rows
        query = (
            select(rows)
            .where(rows.c.run == run)
            .order_by(*(order or (rows.c.system, rows.c.position, rows.c.repeat)))
            .offset(offset)
        )
        query = query if where is None else query.where(where)
        with self.reading() as connection:
            found = connection.execute(query if limit is None else query.limit(limit)).mappings().all()
        # What belongs to the rows is looked up afterwards: joined, it would be read of every row before the page, too.
        outputs = self.outputs([row["answer_key"] for row in found])
        cases = self.cases([row["case_digest"] for row in found])
        return [
            {**row, "output": output, "created": created, "answered_in": by, "case": cases[row["case_digest"]]}
            for row in found
            if row["case_digest"] in cases
            for output, created, by in [outputs.get(row["answer_key"], (None, None, None))]
        ]

    def systems(self, run: str) -> list[str]:
        """The systems whose answers a run has."""
        found = select(schema.rows.c.system).where(schema.rows.c.run == run).distinct().order_by(schema.rows.c.system)
        with self.reading() as connection:
            return [name for (name,) in connection.execute(found)]

    @outlasting
    def row_counts(self, run: str | None = None) -> dict[str, tuple[int, int]]:
        """Return the number of rows of each run, or of one run, and of those that could not be answered."""
        rows = schema.rows
        query = select(rows.c.run, func.count(), func.count(rows.c.failure)).group_by(rows.c.run)
        query = query if run is None else query.where(rows.c.run == run)
        with self.reading() as connection:
            return {run: (count, failed) for run, count, failed in connection.execute(query)}

    def status_counts(self, run: str) -> dict[tuple[str, str, str], int]:
        """Return the number of rows of each dataset, system and status of a run."""
        cell = (schema.rows.c.dataset, schema.rows.c.system, schema.rows.c.status)
        query = select(*cell, func.count()).where(schema.rows.c.run == run).group_by(*cell)
        with self.reading() as connection:
            return {(dataset, system, status): count for dataset, system, status, count in connection.execute(query)}

    def response(self, key: str) -> str | None:
        """A stored reply, as JSON text."""
        table = schema.responses
        with self.reading() as connection:
            reply: str | None = connection.scalar(select(table.c.reply).where(table.c.key == key))
        return reply

    def reading(self) -> _GuardedConnection:
        """A connection to read by."""
        return _GuardedConnection(self.engine, "read", begin=False)

    def writing(self) -> _GuardedConnection:
        """A connection whose changes are committed at its end."""
        return _GuardedConnection(self.engine, "write to", begin=True)


class _GuardedConnection:
    """A connection whose database errors are StoreErrors."""

    def __init__(self, engine: Engine, verb: str, *, begin: bool) -> None:
        self.engine, self.verb = engine, verb
        self.context = engine.begin() if begin else engine.connect()

    def __enter__(self) -> Connection:
        try:
            return self.context.__enter__()
        except SQLAlchemyError as error:
            raise store_error(self.engine, self.verb, error) from error

    def __exit__(self, kind: Any, error: Any, trace: Any) -> None:
        try:
            self.context.__exit__(kind, error, trace)
        except SQLAlchemyError as failed:  # a full disk may show at the commit
            error = failed
        if isinstance(error, SQLAlchemyError):
            raise store_error(self.engine, self.verb, error) from error


def _stored_run(row: Mapping[str, Any]) -> StoredRun:
    outcome = row["outcome"]
    return StoredRun(
        **{**row, "config": parse_json(row["config"]), "outcome": parse_json(outcome) if outcome else None}
    )
