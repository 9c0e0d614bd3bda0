"""`copy_run`: a run from elsewhere, a file of rows for instance, written to a store."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice
from typing import Any

from sqlalchemy import Table

from ringtrue.dialects.run_record import made_record
from ringtrue.identity import digest
from ringtrue.records import Row, Run
from ringtrue.stats.pairs import are_in_order, in_places_of_their_own
from ringtrue.stats.row_status import RowVerdicts
from ringtrue.store import schema
from ringtrue.store.codec import encode_record
from ringtrue.store.database import StoredRun
from ringtrue.store.journal import NAME_CHARS, row_records
from ringtrue.store.runs import RunStore

_AT_ONCE = 1_000


def copy_run(store: RunStore, run: Run, id: str) -> Run:
    """Write a run and all its rows down under an id; the stored run."""
    evaluators = tuple(replace(one, signature=one.signature or one.name) for one in run.made.evaluators)
    made = replace(run.made, evaluators=evaluators)
    database = store.database
    database.start(
        StoredRun(id, id, "running", "", made.started or time.time(), None, made_record(made), made.name[:NAME_CHARS])
    )
    rows = iter(run.rows) if are_in_order(run.rows) else in_places_of_their_own(run.rows)
    verdicts, hashes = RowVerdicts(made), {one.name: digest(one.signature) for one in evaluators}
    while part := list(islice(rows, _AT_ONCE)):
        grouped: dict[Table, list[Any]] = {}
        for row in part:
            for table, values in _records(row, id, hashes, verdicts):
                grouped.setdefault(table, []).append(database.writer.statements[table].arguments(values))
        with database.writing() as connection:
            for table, arguments in grouped.items():
                connection.exec_driver_sql(database.writer.statements[table].text, arguments)
    store.end(id, run.status, run)
    return store.find(id)


def _records(row: Row, id: str, hashes: Mapping[str, str], verdicts: RowVerdicts) -> Iterator[tuple[Table, Any]]:
    """Return the records of one row."""
    content = encode_record(row.trial.case)
    key = digest(id, row.system, str(row.position), str(row.repeat))
    yield schema.cases, {"digest": digest(content), "content": content}
    if not row.trial.output.error:
        asked = {"created": row.answered_at, "run": row.answered_in}
        yield schema.answers, {"key": key, "output": encode_record(row.trial.output), **asked}
    scores = {hashes[name]: score for name, score in row.scores.items() if name in hashes}
    yield from row_records(id, row, key, digest(content), scores, verdicts)
