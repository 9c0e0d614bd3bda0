"""`Occurrences`: how often a name came before, whatever their number: counted on disk, not in memory."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from ringtrue.runner.disk_tables import disk_tables


class Occurrences:
    """Counts names in a table of its own that the system takes away with it; memory does not grow with them."""

    def __init__(self) -> None:
        self._table = disk_tables(self, "CREATE TABLE seen (name TEXT PRIMARY KEY, times INTEGER) WITHOUT ROWID")

    def count(self, name: str) -> int:
        """Return how often the name has come, this time included."""
        counted = "INSERT INTO seen VALUES (?, 1) ON CONFLICT (name) DO UPDATE SET times = times + 1 RETURNING times"
        ((times,),) = self._table.execute(counted, (name,))
        return int(times)

    def times(self, name: str) -> int:
        """Return how often the name came so far."""
        found = self._table.execute("SELECT times FROM seen WHERE name = ?", (name,)).fetchone()
        return int(found[0]) if found else 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._table.close()
