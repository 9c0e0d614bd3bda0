"""`disk_tables`: tables that do not fit into memory, in a private file that is gone with their owner."""

from __future__ import annotations

import sqlite3
from weakref import finalize


def disk_tables(owner: object, statements: str) -> sqlite3.Connection:
    """Empty tables, closed when their owner is no longer used; they are not safe from a crash, and need not be.

    SQLite removes the file itself, and writes it only when its cache of some megabytes is full.
    """
    tables = sqlite3.connect("", check_same_thread=False, isolation_level=None)
    finalize(owner, tables.close)
    tables.execute("PRAGMA journal_mode=OFF")
    tables.executescript(statements)
    tables.execute("BEGIN")
    return tables
