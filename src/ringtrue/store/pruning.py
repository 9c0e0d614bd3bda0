"""`prune`: old runs taken out of a store, with the answers, cases and replies that no other run needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import inf
from typing import Any

from sqlalchemy import Connection, delete, func, select

from ringtrue.store import schema
from ringtrue.store.database import Database, StoredRun
from ringtrue.store.text_search import forget_words

_TEXTS = {
    schema.rows: (schema.rows.c.failure, schema.rows.c.unscored),
    schema.answers: (schema.answers.c.output,),
    schema.scores: (schema.scores.c.score,),
    schema.cases: (schema.cases.c.content,),
    schema.responses: (schema.responses.c.reply,),
}
"""What of each table takes room."""


@dataclass(frozen=True)
class Pruning:
    """The records to delete from a store: the runs, and those of every other table that go with them.

    `kept` are old runs that stay, because a run that stays was scored from their answers. What belongs to no run that
    stays is found when it is taken out: others may have begun since. While they are at work, answers and cases stay,
    for nothing refers to theirs yet.
    """

    runs: tuple[StoredRun, ...]
    kept: tuple[StoredRun, ...]

    @classmethod
    def of(cls, database: Database, *, older_than: float | None = None, keep: int | None = None) -> Pruning:
        """Choose what to delete: runs made before a time, or all but the newest; one that is at work stays."""
        runs = database.runs()
        old = [
            run
            for number, run in enumerate(runs)
            if _is_old(run, number, older_than, keep) and not database.is_active(run)
        ]
        needed = _origins([run for run in runs if run not in old], runs)
        return cls(
            runs=tuple(run for run in old if run.id not in needed), kept=tuple(run for run in old if run.id in needed)
        )

    def apply(self, database: Database) -> dict[str, tuple[int, int]]:
        """Take it out; how many records of each table that were, and how many bytes of text."""
        lease = database.sole_lease()
        is_alone = lease.acquire()
        try:
            with database.writing() as connection:
                found = self._delete(connection, database, is_alone)
            forget_words(database)
        finally:
            lease.release()
        if database.engine.dialect.name == "sqlite":  # a server gives room back by itself
            with database.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql("VACUUM")
        return found

    def estimate(self, database: Database) -> dict[str, tuple[int, int]]:
        """Return what `apply` would delete, found by doing it and taking it back."""
        with database.engine.connect() as connection, connection.begin() as doing:
            found = self._delete(connection, database, database.sole_lease().free())
            doing.rollback()
        return found

    def _delete(self, connection: Connection, database: Database, is_alone: bool) -> dict[str, tuple[int, int]]:
        runs = database.runs()
        active = {run.id for run in runs if database.is_active(run)}
        wanted = {run.id for run in self.runs}
        needed = _origins([run for run in runs if run.id not in wanted], runs)
        ids = [run.id for run in runs if run.id in wanted - needed - active]
        stays = [run for run in runs if run.id not in ids]
        rows, answers, scores, cases = schema.rows, schema.answers, schema.scores, schema.cases
        found = {"runs": (len(ids), 0)}
        connection.execute(delete(schema.runs).where(schema.runs.c.id.in_(ids)))
        found["rows"] = _take(connection, rows, rows.c.run.in_(ids))
        if is_alone and not active:
            # An answer is kept before its row, so that answers of a run that has not finished still belong to it.
            before = min((run.created for run in stays if run.status != "finished"), default=inf)
            unused = answers.c.key.not_in(select(rows.c.answer_key).where(rows.c.answer_key.is_not(None)))
            found["answers"] = _take(connection, answers, unused & (answers.c.created < before))
            found["scores"] = _take(connection, scores, scores.c.answer_key.not_in(select(answers.c.key)))
            found["cases"] = _take(connection, cases, cases.c.digest.not_in(select(rows.c.case_digest)))
        replies = schema.responses
        oldest = min((run.created for run in stays), default=inf)
        found["replies"] = _take(connection, replies, replies.c.created < oldest)
        return found


def _take(connection: Connection, table: Any, where: Any) -> tuple[int, int]:
    length = sum((func.coalesce(func.length(text), 0) for text in _TEXTS[table]), start=0)
    count, size = connection.execute(select(func.count(), func.sum(length)).select_from(table).where(where)).one()
    connection.execute(delete(table).where(where))
    return int(count), int(size or 0)


def _is_old(run: StoredRun, number: int, older_than: float | None, keep: int | None) -> bool:
    return (older_than is None or run.created < older_than) and (keep is None or number >= keep)


def _origins(staying: Sequence[StoredRun], runs: Iterable[StoredRun]) -> set[str]:
    """The runs whose answers the staying ones were scored from, and those before them."""
    origin = {run.id: str((run.config.get("options") or {}).get("rescored_from") or "") for run in runs}
    found: set[str] = set()
    waiting = [origin[run.id] for run in staying]
    while waiting:
        one = waiting.pop()
        if one in origin and one not in found:
            found.add(one)
            waiting.append(origin[one])
    return found
