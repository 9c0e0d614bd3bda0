"""`RowSpool`: rows by their number; the first are held, the others lie on disk."""

from __future__ import annotations

from ringtrue.dialects.run_record import row_from, row_record
from ringtrue.jsontext import json_bytes, parse_json
from ringtrue.records import Row
from ringtrue.runner.disk_tables import disk_tables

HELD_ROWS = 10_000


class RowSpool:
    """Rows that were added, by number, in a private file that the system removes with it."""

    def __init__(self) -> None:
        self._held: list[Row] = []
        self._count = 0
        self._table = disk_tables(self, "CREATE TABLE rows (number INTEGER PRIMARY KEY, record BLOB)")

    def add(self, row: Row) -> int:
        """Take a row in; its number."""
        number = self._count
        self._count += 1
        if number < HELD_ROWS:
            self._held.append(row)
        else:
            self._table.execute("INSERT INTO rows VALUES (?, ?)", (number, json_bytes(row_record(row))))
        return number

    def __getitem__(self, number: int) -> Row:
        if number < len(self._held):
            return self._held[number]
        record = self._table.execute("SELECT record FROM rows WHERE number = ?", (number,)).fetchone()
        if record is None:
            raise IndexError(number)
        return row_from(parse_json(record[0]))

    def __len__(self) -> int:
        return self._count
