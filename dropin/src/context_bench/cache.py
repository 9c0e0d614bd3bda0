"""`ResultCache`: finished rows in a file, one JSON object in each line."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Hashable, Iterable
from dataclasses import fields
from pathlib import Path
from typing import Any

from context_bench.results import EvalRow
from ringtrue.jsontext import json_text

_NAMES = {item.name for item in fields(EvalRow)}
_NEEDED = {"system", "example_id"}


class ResultCache:
    """Rows of one set of systems, datasets and evaluators; `evaluate` itself keeps its rows in ringtrue's store.

    A line that cannot be read is passed over; the last line of a key wins.
    """

    def __init__(
        self,
        cache_dir: str | os.PathLike[str],
        systems: Iterable[str],
        datasets: Iterable[str],
        evaluators: Iterable[str],
    ) -> None:
        named = {"systems": sorted(systems), "datasets": sorted(datasets), "evaluators": sorted(evaluators)}
        digest = hashlib.sha256(json.dumps(named, sort_keys=True).encode()).hexdigest()[:12]
        self.cache_path = Path(cache_dir) / digest / "rows.jsonl"
        self.cache_path.parent.mkdir(parents=True, exist_ok=True)
        self._rows: dict[tuple[str, str, str], EvalRow] = {}
        for row in self._read():
            self._keep(row)

    @property
    def cached_count(self) -> int:
        """Return the number of rows."""
        return len(self._rows)

    def get(self, system: str, dataset: str, example_id: Hashable) -> EvalRow | None:
        """The row of a key, or None; the ids 1 and "1" are two."""
        return self._rows.get((system, dataset, json_text(example_id)))

    def put(self, row: EvalRow) -> None:
        """Keep a row."""
        line = json_text({name: getattr(row, name) for name in sorted(_NAMES)})
        with self.cache_path.open("a+b") as file:
            # The line before may have been torn by a crash.
            start = b"\n" if file.seek(0, os.SEEK_END) and not self._ended(file) else b""
            file.write(start + line.encode() + b"\n")
        self._keep(row)

    def _keep(self, row: EvalRow) -> None:
        self._rows[row.system, row.dataset, json_text(row.example_id)] = row

    def _ended(self, file: Any) -> bool:
        file.seek(-1, os.SEEK_END)
        return bool(file.read(1) == b"\n")

    def _read(self) -> Iterable[EvalRow]:
        if not self.cache_path.exists():
            return
        for line in self.cache_path.read_bytes().splitlines():
            try:
                found = json.loads(line)
            except ValueError:
                continue
            if isinstance(found, dict) and found.keys() >= _NEEDED:
                known = {name: value for name, value in found.items() if name in _NAMES}
                yield EvalRow(**{"scores": {}, "input_tokens": 0, "output_tokens": 0, **known})
