"""`Writer`: many small writes, one commit; a write is durable when its wait is over."""

from __future__ import annotations

import asyncio
import queue
import threading
from collections.abc import Mapping
from typing import Any, NamedTuple

from sqlalchemy import Engine, Table
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import SQLAlchemyError

from ringtrue.errors import StoreError
from ringtrue.store import schema

MOST_AT_ONCE = 500


class _Write(NamedTuple):
    rows: list[tuple[Table, Mapping[str, Any]]]
    loop: asyncio.AbstractEventLoop
    done: asyncio.Future[None]


class Writer:
    """One thread that takes everything waiting, writes it in one transaction, and tells those who wait."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.insert: Any = {"sqlite": sqlite.insert, "postgresql": postgresql.insert}[engine.dialect.name]
        self.waiting: queue.SimpleQueue[_Write | None] = queue.SimpleQueue()
        self.thread: threading.Thread | None = None

    async def write(self, *rows: tuple[Table, Mapping[str, Any]]) -> None:
        """Insert rows, keeping what is already there; return when they are committed."""
        if self.thread is None:
            self.thread = threading.Thread(target=self._work, name="ringtrue-store", daemon=True)
            self.thread.start()
        loop = asyncio.get_running_loop()
        done: asyncio.Future[None] = loop.create_future()
        self.waiting.put(_Write(list(rows), loop, done))
        await done

    def close(self) -> None:
        """Write what is waiting and end the thread."""
        if self.thread is not None:
            self.waiting.put(None)
            self.thread.join()
            self.thread = None

    def _work(self) -> None:
        while (first := self.waiting.get()) is not None:
            batch, ended = [first], False
            while len(batch) < MOST_AT_ONCE and not self.waiting.empty():
                following = self.waiting.get()
                if following is None:
                    ended = True
                    break
                batch.append(following)
            self._commit(batch)
            if ended:
                return

    def _insert(self, table: Table) -> Any:
        statement = self.insert(table)
        if table is not schema.rows:
            return statement.on_conflict_do_nothing()  # equal keys have equal content
        change = {"answer_key": statement.excluded.answer_key, "failure": statement.excluded.failure}
        return statement.on_conflict_do_update(index_elements=list(table.primary_key), set_=change)

    def _commit(self, batch: list[_Write]) -> None:
        grouped: dict[Table, list[Mapping[str, Any]]] = {}
        for write in batch:
            for table, row in write.rows:
                grouped.setdefault(table, []).append(row)
        failure: StoreError | None = None
        try:
            with self.engine.begin() as connection:
                for table, rows in grouped.items():
                    connection.execute(self._insert(table), rows)
        except (SQLAlchemyError, OSError) as error:
            failure = StoreError(f"cannot write to the store: {getattr(error, 'orig', None) or error}")
        for loop in {write.loop for write in batch}:
            waiters = [write.done for write in batch if write.loop is loop]
            if not loop.is_closed():
                loop.call_soon_threadsafe(_tell, waiters, failure)


def _tell(waiters: list[asyncio.Future[None]], failure: StoreError | None) -> None:
    for done in waiters:
        if done.done():
            continue
        if failure is None:
            done.set_result(None)
        else:
            done.set_exception(failure)
