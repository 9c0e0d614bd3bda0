"""The keys that rows are sorted by beside their score: cost, time and id, kept apart from the rows for those who look.

They are written with the words of a search, once a run is finished.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from sqlalchemy import Column, Float, Integer, MetaData, String, Table

_NAME_CHARS, _DIGITS = 200, 12
_NUMBER = re.compile(r"\d+")

table = Table(
    "row_keys",
    MetaData(),
    Column("run", String(32)),
    Column("system", String(200)),
    Column("position", Integer),
    Column("dataset", String(200)),
    Column("status", String(8)),
    Column("cost", Float),
    Column("seconds", Float),
    Column("name", String(_NAME_CHARS)),
)
TABLES = (
    f"""CREATE TABLE IF NOT EXISTS row_keys (run VARCHAR(32), system VARCHAR(200), position INTEGER,
    dataset VARCHAR(200), status VARCHAR(8), cost FLOAT, seconds FLOAT, name VARCHAR({_NAME_CHARS}))""",
    "CREATE INDEX IF NOT EXISTS row_keys_by_place ON row_keys (run, position)",
    *(
        f"CREATE INDEX IF NOT EXISTS row_keys_by_{key} ON row_keys (run, status, {key}, position)"
        for key in ("cost", "seconds", "name")
    ),
)


def keys_of(run: str, row: Mapping[str, Any], case: Mapping[str, Any], output: Mapping[str, Any]) -> dict[str, Any]:
    """The keys of a stored row; an answer from an earlier run took no time."""
    return {
        "run": run,
        "system": row["system"],
        "position": row["position"],
        "dataset": row["dataset"],
        "status": row["status"],
        "cost": output.get("cost") if row["cost"] is None else row["cost"],
        "seconds": None if row["reused"] else output.get("latency_seconds"),
        "name": natural_key(str(case.get("id", ""))),
    }


def natural_key(name: str) -> str:
    """A name that sorts as people count: `q-9` before `q-10`."""
    padded = _NUMBER.sub(lambda digits: digits.group().zfill(_DIGITS), name[:_NAME_CHARS].casefold())
    return padded.replace("\0", " ").encode("utf-8", "replace").decode()[:_NAME_CHARS]
