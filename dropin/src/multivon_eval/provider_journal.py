"""`ProviderJournal`: provider events on disk, each there before the request it tells of goes out."""

from __future__ import annotations

import json
import sqlite3
import threading
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ringtrue.reports.canonical import canonical_json

from multivon_eval.provider_evidence import require_event

_TABLE = (
    "CREATE TABLE IF NOT EXISTS provider_events (sequence INTEGER PRIMARY KEY AUTOINCREMENT, "
    "event_id TEXT UNIQUE NOT NULL, event_json TEXT NOT NULL)"
)


class ProviderJournal:
    """Events in the order they came; what `append` returned from survives the process."""

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        self._lock = threading.Lock()
        self._connection = sqlite3.connect(self.path, timeout=30, check_same_thread=False)
        with self._connection:
            self._connection.execute("PRAGMA journal_mode=WAL")
            self._connection.execute("PRAGMA synchronous=FULL")
            self._connection.execute(_TABLE)

    def append(self, event: Mapping[str, Any]) -> None:
        """Keep an event that nobody changed."""
        found = require_event(event)
        row = (found["event_id"], canonical_json(found))
        with self._lock, self._connection:
            self._connection.execute("INSERT INTO provider_events (event_id, event_json) VALUES (?, ?)", row)

    def events(self) -> list[dict[str, Any]]:
        """All events; one that was changed on disk is a ValueError."""
        query = "SELECT event_id, event_json FROM provider_events ORDER BY sequence"
        with self._lock:
            rows = self._connection.execute(query).fetchall()
        found = [require_event(json.loads(text)) for _, text in rows]
        if [event["event_id"] for event in found] != [name for name, _ in rows]:
            raise ValueError("digest mismatch: an event of the journal has another name than it says")
        return found

    def close(self) -> None:
        """Let go of the file."""
        self._connection.close()

    def __enter__(self) -> ProviderJournal:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
