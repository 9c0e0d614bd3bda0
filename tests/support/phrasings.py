"""Tables of phrasings under `tests/phrasings`: one JSON object per line."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import orjson
import pytest

FOLDER = Path(__file__).parent.parent / "phrasings"


def phrasings(name: str) -> list[Any]:
    """The rows of a table as test parameters, each with its line and its opening words as id."""
    lines = (FOLDER / f"{name}.jsonl").read_bytes().splitlines()
    return [
        pytest.param(row, id=f"{number}-{row['reply'][:40]!r}")
        for number, row in enumerate(map(orjson.loads, lines), start=1)
    ]
