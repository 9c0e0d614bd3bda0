"""The address of a store and its SQLAlchemy engine: a SQLite file, or a PostgreSQL server."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, create_engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, NoSuchModuleError

from ringtrue.errors import ConfigurationError, MissingExtra, StoreError


def database_url(folder: str | os.PathLike[str]) -> str:
    """The URL of the store in a folder."""
    return f"sqlite:///{Path(folder) / 'ringtrue.db'}"


def without_password(url: str) -> str:
    """A store's URL as it may be shown."""
    try:
        return make_url(url).render_as_string(hide_password=True)
    except ArgumentError:
        return url


def kept_at(url: str) -> bool:
    """Whether there may be a store at this URL; looking does not make one."""
    file = store_file(url)
    return file is None or file.exists()


def store_file(url: str) -> Path | None:
    """Return the file of a store; None if it is a server, in memory, or an address that opening refuses."""
    try:
        parsed = make_url(full_url(url))
    except ArgumentError:
        return None
    file = parsed.database if parsed.get_backend_name() == "sqlite" else None
    return None if file in (None, "", ":memory:") else Path(str(file))


def is_write_protected(url: str) -> bool:
    """Whether a store is a file that this user cannot change: on media that are read only, or of another user."""
    file = store_file(url)
    return file is not None and not (os.access(file, os.W_OK) and os.access(file.absolute().parent, os.W_OK))


def full_url(url: str) -> str:
    """The URL of a store; a path alone is a SQLite file."""
    return url if "://" in url else f"sqlite:///{url}"


def _make_folder(folder: Path) -> None:
    """Make the folder of a store; git ignores the default one."""
    is_new = not folder.exists()
    folder.mkdir(parents=True, exist_ok=True)
    if is_new and folder.name == ".ringtrue":
        (folder / ".gitignore").write_text("*\n")


_UNCHANGING = {"immutable": "1", "uri": "true"}
"""SQLite needs no lock and no file beside one that does not change."""


def _unchanging_file(path: Path) -> str:
    """Return the address of a SQLite file that is read as it is; rows that wait beside it would be missing."""
    waiting = Path(f"{path}-wal")
    if waiting.exists() and waiting.stat().st_size:
        raise StoreError(
            f"the store {str(path)!r} was not closed and cannot be changed here; copy it to another folder"
        )
    return path.absolute().as_uri()


def open_engine(url: str, *, only_read: bool = False) -> Engine:
    """The engine of a store, whose folder is made; `only_read` opens a file as it is and makes nothing."""
    try:
        parsed = make_url(url)
        if parsed.get_backend_name() == "postgresql" and "+" not in parsed.drivername:
            parsed = parsed.set(drivername="postgresql+psycopg")
        if parsed.get_backend_name() not in ("sqlite", "postgresql"):
            raise ArgumentError(f"{parsed.get_backend_name()} is not supported")
        if only_read:
            parsed = parsed.set(database=_unchanging_file(Path(str(parsed.database))), query=_UNCHANGING)
        elif parsed.get_backend_name() == "sqlite" and parsed.database not in (None, "", ":memory:"):
            _make_folder(Path(str(parsed.database)).absolute().parent)
        # A server's connection may have died since it was used; a file's cannot.
        engine = create_engine(parsed, pool_pre_ping=parsed.get_backend_name() == "postgresql")
    except (ArgumentError, NoSuchModuleError) as error:
        raise ConfigurationError(
            f"cannot read the store URL {without_password(url)!r}: {error}; write sqlite:///file.db or postgresql://user@host/name",
            parameter="store",
            value=without_password(url),
        ) from error
    except ModuleNotFoundError as error:
        raise MissingExtra("a PostgreSQL store", "postgres") from error
    except OSError as error:
        raise StoreError(f"cannot make the folder of the store {without_password(url)!r}: {error}") from error
    if engine.dialect.name == "sqlite" and not only_read:
        event.listen(engine, "connect", _settle_sqlite)
    return engine


_ADVICE = {
    "SQLITE_CANTOPEN": "its file and folder must be writable",
    "SQLITE_READONLY": "its file and folder must be writable",
    "SQLITE_BUSY": "another program has locked it: wait for that one to end",
    "SQLITE_NOTADB": "it is another kind of file",
}


def opening_advice(cause: BaseException) -> str:
    """Advice about a store that cannot be opened."""
    name = "_".join(getattr(cause, "sqlite_errorname", "").split("_")[:2])
    return f"{_ADVICE[name]}, or use another --store" if name in _ADVICE else "repair it, or use another --store"


def _settle_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    for setting in ("busy_timeout=30000", "journal_mode=WAL", "synchronous=NORMAL", "wal_autocheckpoint=10000"):
        cursor.execute(f"PRAGMA {setting}")
    cursor.close()
