"""Golden rows: from `tests/golden`, and from a fuller set when RINGTRUE_GOLDEN names its folder."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import orjson

SHIPPED = Path(__file__).parent.parent / "golden"


def golden(name: str) -> list[dict[str, Any]]:
    """All rows of one golden file, the fuller set's where it has them; the header line is left out."""
    return _read(SHIPPED / f"{name}.jsonl" if fuller() is None or not fuller_path(name).exists() else fuller_path(name))


def header(name: str) -> dict[str, Any]:
    """What made the numbers of a shipped golden file: tool, licence, number of rows."""
    with (SHIPPED / f"{name}.jsonl").open("rb") as lines:
        return dict(orjson.loads(next(lines)))


def fuller() -> Path | None:
    """The folder of rows that may not be redistributed, or None."""
    folder = os.environ.get("RINGTRUE_GOLDEN")
    return Path(folder) if folder else None


def fuller_path(name: str) -> Path:
    folder = fuller()
    assert folder is not None
    return folder / f"{name}.jsonl"


def _read(path: Path) -> list[dict[str, Any]]:
    with path.open("rb") as lines:
        rows = [orjson.loads(line) for line in lines]
    return [row for row in rows if "golden" not in row]
