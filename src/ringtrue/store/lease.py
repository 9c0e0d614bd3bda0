"""`Lease`: a lock on a plan or a store that the kernel or the server releases when its holder dies."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partial

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy.exc import SQLAlchemyError

from ringtrue.errors import StoreError

try:
    import fcntl
except ImportError:  # not a Unix: there, two processes at work on one plan do not see each other
    fcntl = None  # type: ignore[assignment]

Release = Callable[[], None]


class Lease:
    """Held by one at a time; the kernel, or the PostgreSQL server, takes it from a process that ends in any way.

    Many may hold it at once where all of them hold it `shared`.
    """

    def __init__(self, engine: Engine, name: str, *, shared: bool = False) -> None:
        self.engine, self.name, self.shared = engine, name, shared
        self._release: Release | None = None

    @property
    def shows_holder(self) -> bool:
        """Whether it distinguishes a holder at work from one that died; not where the system has no such locks."""
        return self.engine.dialect.name == "postgresql" or (
            fcntl is not None and self.engine.url.database not in (None, "", ":memory:")
        )

    def acquire(self) -> bool:
        """Whether it is held from now on."""
        try:
            self._release = self._release or self._taken()
        except (OSError, SQLAlchemyError) as error:
            raise StoreError(f"cannot lock the store: {getattr(error, 'orig', None) or error}") from error
        return self._release is not None

    def free(self) -> bool:
        """Whether it is free at the moment."""
        found = self.acquire()
        self.release()
        return found

    def is_deserted(self) -> bool:
        """Whether it has no holder, where that can be known: what cannot be written cannot be locked."""
        with suppress(StoreError):
            return self.shows_holder and self.free()
        return False

    async def wait(self, seconds: float = 2.0) -> bool:
        """Whether it is held, if need be after some waiting: its holder may be ending just now."""
        until = time.monotonic() + seconds
        while not self.acquire():
            if time.monotonic() > until:
                return False
            await asyncio.sleep(0.1)
        return True

    def release(self) -> None:
        """Let others have it."""
        if self._release is not None:
            self._release()
            self._release = None

    def _taken(self) -> Release | None:
        if self.engine.dialect.name == "postgresql":
            return _locked_session(self.engine, int(self.name[:15], 16), self.shared)
        if not self.shows_holder:
            return lambda: None
        return _locked_file(f"{self.engine.url.database}-{self.name[:16]}.lock", self.shared)


def _locked_file(path: str, shared: bool) -> Release | None:
    while True:
        handle = os.open(path, os.O_RDWR | os.O_CREAT, 0o644)
        try:
            fcntl.flock(handle, (fcntl.LOCK_SH if shared else fcntl.LOCK_EX) | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return None
        with suppress(FileNotFoundError):
            if os.path.samestat(os.fstat(handle), os.stat(path)):
                return partial(_unlock, path, handle)
        os.close(handle)  # its last holder has just removed the file: a lock on it keeps no other process out


def _unlock(path: str, handle: int) -> None:
    with suppress(OSError):
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)  # fails while others share it: the last one removes the file
        os.unlink(path)
    os.close(handle)


def _locked_session(engine: Engine, number: int, shared: bool) -> Release | None:
    connection = engine.connect().execution_options(isolation_level="AUTOCOMMIT")
    lock = func.pg_try_advisory_lock_shared if shared else func.pg_try_advisory_lock
    if connection.scalar(select(lock(number))):
        connection.detach()  # the session has the lock: it must end, not go back to the pool
        return partial(_end_session, connection)
    connection.close()
    return None


def _end_session(connection: Connection) -> None:
    with suppress(SQLAlchemyError):  # a server that died has ended it already
        connection.execute(select(func.pg_advisory_unlock_all()))  # the session's end takes the server a moment
        connection.close()
