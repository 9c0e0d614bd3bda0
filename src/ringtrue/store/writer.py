"""`Writer`: many small writes, one commit; a write is durable when its wait is over."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Mapping
from contextlib import nullcontext
from functools import partial
from importlib import import_module
from typing import Any, NamedTuple

from sqlalchemy import Engine, Table

from ringtrue.errors import StoreError
from ringtrue.store import schema
from ringtrue.store.outage import outlast, store_error

MOST_AT_ONCE = 500
BRIEFLY_MS, PATIENTLY_MS = 20, 30_000
"""How long SQLite waits for another process: in the event loop, and in the thread that may wait."""


class _Write(NamedTuple):
    rows: tuple[tuple[Table, Mapping[str, Any]], ...]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class Writer:
    """Writes everything that is waiting in one transaction and notifies those who wait.

    On SQLite a commit takes less than waking a thread does, so it happens at the end of the event loop's turn; where
    another process holds the file, and on PostgreSQL, a thread of its own waits. Statements are compiled once and run
    on the driver itself.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.statements = {table: _Statement(engine, table) for table in schema.metadata.sorted_tables}
        self.directly = engine.dialect.name == "sqlite"
        self.pending: list[_Write] = []
        self.connection: Any = None
        self.patient: Any = None
        self.waiting: queue.SimpleQueue[list[_Write] | None] = queue.SimpleQueue()
        self.thread: threading.Thread | None = None

    async def write(self, *rows: tuple[Table, Mapping[str, Any]]) -> None:
        """Insert rows, keeping what is already there; return when they are committed."""
        loop = asyncio.get_running_loop()
        write = _Write(rows, loop, loop.create_future())
        if self.directly:
            self.pending.append(write)
            if len(self.pending) == 1:
                loop.call_soon(self._flush)
        else:
            self._hand_over([write])
        await write.done

    def close(self) -> None:
        """Write what is waiting and let go of the connections."""
        self._flush()
        if self.thread is not None:
            self.waiting.put(None)
            self.thread.join()
            self.thread = None
        if self.connection is not None:
            self.connection.close()
            self.connection = None

    def _flush(self) -> None:
        batch, self.pending = self.pending, []
        if not batch:
            return
        try:
            self.connection = self.connection or self._connect(BRIEFLY_MS)
            self._commit(self.connection, batch)
        except Exception:  # the thread may wait; it also says what is wrong
            _drop(self.connection)
            self.connection = None
            self._hand_over(batch)
            return
        _settle([write.done for write in batch], None)

    def _hand_over(self, batch: list[_Write]) -> None:
        if self.thread is None:
            self.thread = threading.Thread(target=self._work, name="ringtrue-store", daemon=True)
            self.thread.start()
        self.waiting.put(batch)

    def _work(self) -> None:
        ended = False
        while not ended and (batch := self.waiting.get()) is not None:
            while len(batch) < MOST_AT_ONCE and not self.waiting.empty():
                following = self.waiting.get()
                if following is None:
                    ended = True
                    break
                batch = [*batch, *following]
            failure: StoreError | None = None
            try:
                outlast(partial(self._write_patiently, batch))
            except StoreError as error:
                failure = error
            _notify(batch, failure)
        _drop(self.patient)  # its settings are the writer's own
        self.patient = None

    def _write_patiently(self, batch: list[_Write]) -> None:
        """Commit in the thread that may wait; rows that were committed before bear being written again."""
        try:
            self.patient = self.patient or self._connect(PATIENTLY_MS)
            self._commit(self.patient, batch)
        except Exception as error:  # whatever it is, those who wait get it
            _drop(self.patient)
            self.patient = None
            raise store_error(self.engine, "write to", error) from error

    def _connect(self, patience_ms: int) -> Any:
        connection: Any = self.engine.raw_connection()
        if self.directly:
            connection.cursor().execute(f"PRAGMA busy_timeout={patience_ms}")
        else:
            connection.driver_connection.autocommit = True
        return connection

    def _commit(self, connection: Any, batch: list[_Write]) -> None:
        grouped: dict[Table, list[Any]] = {}
        for write in batch:
            for table, row in write.rows:
                grouped.setdefault(table, []).append(self.statements[table].arguments(row))
        # On PostgreSQL a pipeline is one transaction and one round trip, whatever the number of tables.
        with nullcontext() if self.directly else connection.driver_connection.pipeline():
            cursor = connection.cursor()
            for table, rows in grouped.items():
                cursor.executemany(self.statements[table].text, rows)
        connection.commit()
        cursor.close()


class _Statement:
    """An insert as the driver wants it: equal keys have equal content, except that a row may change its answer."""

    def __init__(self, engine: Engine, table: Table) -> None:
        dialect: Any = import_module(f"sqlalchemy.dialects.{engine.dialect.name}")  # the other one is never needed
        insert = dialect.insert(table)
        if table is schema.rows:
            changing = [column.name for column in table.columns if not column.primary_key]
            change = {name: insert.excluded[name] for name in changing}
            insert = insert.on_conflict_do_update(index_elements=list(table.primary_key), set_=change)
        else:
            insert = insert.on_conflict_do_nothing()
        compiled = insert.compile(dialect=engine.dialect)
        self.text = str(compiled)
        self.names = [column.name for column in table.columns]
        self.order: list[str] | None = compiled.positiontup

    def arguments(self, row: Mapping[str, Any]) -> Any:
        if self.order is None:
            return {name: row.get(name) for name in self.names}
        return tuple([row.get(name) for name in self.order])


def _drop(connection: Any) -> None:
    """Close a connection for good: after a failure a server's may be dead, and a file's is cheap to open again."""
    if connection is not None:
        connection.invalidate()


def _notify(batch: list[_Write], failure: StoreError | None) -> None:
    for loop in {write.loop for write in batch}:
        waiters = [write.done for write in batch if write.loop is loop]
        if not loop.is_closed():
            loop.call_soon_threadsafe(_settle, waiters, failure)


def _settle(waiters: list[asyncio.Future[None]], failure: StoreError | None) -> None:
    for done in waiters:
        if done.done():
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)
