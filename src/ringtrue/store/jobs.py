"""`JobLedger`: how far the jobs of a run are, in the store."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any, Literal

from sqlalchemy import Column, Float, Integer, MetaData, String, Table, Text, delete, select, text, update
from sqlalchemy.schema import CreateTable

from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.records import Json
from ringtrue.store.codec import decode, digest, encode
from ringtrue.store.database import Database
from ringtrue.store.lease import Lease

JobStatus = Literal["pending", "running", "completed", "skipped", "failed", "blocked"]

jobs = Table(
    "job_states",
    MetaData(),
    Column("run", Text, primary_key=True),
    Column("job", Text, primary_key=True),
    Column("status", String(16)),
    Column("digest", String(64)),
    Column("output", Text),
    Column("error", Text),
    Column("blocked_by", Text),
    Column("attempts", Integer),
    Column("created", Float),
    Column("started", Float),
    Column("ended", Float),
)
"""`digest` is what the job was made from and given; `output`, `error` and `blocked_by` are JSON text."""

_FRESH: dict[str, Any] = {"output": "null", "error": '""', "blocked_by": "[]", "started": None, "ended": None}


@dataclass(frozen=True, slots=True)
class StoredJob:
    """A job as the store knows it; an empty `digest` says that a person wrote it."""

    job: str
    status: JobStatus
    digest: str
    output: Json
    error: str
    blocked_by: tuple[str, ...]
    attempts: int
    created: float
    started: float | None
    ended: float | None


class JobLedger:
    """The jobs of one run in an open store; every change is one commit."""

    def __init__(self, database: Database, run: str = "default") -> None:
        _check_name("run", run)
        self.database, self.run = database, run
        with database.writing() as connection:
            if database.engine.dialect.name == "postgresql":  # there, even IF NOT EXISTS is no match for two at once
                connection.execute(text("SELECT pg_advisory_xact_lock(7275)"))
            connection.execute(CreateTable(jobs, if_not_exists=True))

    @asynccontextmanager
    async def hold(self) -> AsyncIterator[None]:
        """The right to work on this run's jobs, which one process has at a time."""
        lease: Lease = self.database.lease(digest("jobs", self.run))
        if not await lease.wait():
            raise StoreError(
                f"the jobs of run {self.run!r} in {self.database.url!r} are being worked on by another process; "
                "wait for its end or give another run id"
            )
        try:
            yield
        finally:
            lease.release()

    def digest(self, *parts: Json) -> str:
        """A hash that differs where the values do."""
        return digest(*map(encode, parts))

    def kept(self, status: str | None = None) -> dict[str, StoredJob]:
        """The jobs there are, or those with a status, oldest first."""
        query = select(jobs).where(jobs.c.run == self.run).order_by(jobs.c.created, jobs.c.job)
        with self.database.reading() as connection:
            found = connection.execute(query if status is None else query.where(jobs.c.status == status)).mappings()
            return {row["job"]: _read(row) for row in found}

    def job(self, name: str) -> StoredJob | None:
        """One job."""
        with self.database.reading() as connection:
            row = connection.execute(select(jobs).where(self._is(name))).mappings().first()
        return _read(row) if row else None

    def expect(self, names: Sequence[str]) -> None:
        """Write down jobs that are to come; those already there stay."""
        for name in names:
            _check_name("job", name)
        there, now = self.kept(), time.time()
        new = [name for name in names if name not in there]
        common = {**_FRESH, "run": self.run, "status": "pending", "digest": "", "attempts": 0, "created": now}
        if new:
            with self.database.writing() as connection:
                connection.execute(jobs.insert(), [{**common, "job": name} for name in new])

    def began(self, name: str, digest: str) -> None:
        """Write down that a job is tried."""
        fresh = {**_FRESH, "status": "running", "digest": digest, "started": time.time()}
        self._change(name, {**fresh, "attempts": jobs.c.attempts + 1})

    def ended(self, name: str, status: str, *, output: Json, error: str, blocked_by: Sequence[str]) -> Json:
        """Write down how a job ended; the output as it will be read again."""
        kept = encode(output)
        values = {"output": kept, "error": encode(error), "blocked_by": encode(list(blocked_by)), "ended": time.time()}
        self._change(name, {**values, "status": status})
        return decode(kept)

    def amend(self, name: str, status: str, **changes: Json) -> bool:
        """Write a status by hand, and an output or error if given; whether there is such a job."""
        values: dict[str, Any] = {field: encode(value) for field, value in changes.items()}
        values |= {"status": status, "digest": "", "blocked_by": "[]"}
        if status == "running":
            values |= {"started": time.time(), "attempts": jobs.c.attempts + 1}
        elif status != "pending":
            values |= {"ended": time.time()}
        return self._change(name, values)

    def reset(self, status: str) -> int:
        """How many jobs had this status; they are to come again, and how often they were tried stays."""
        with self.database.writing() as connection:
            where = (jobs.c.run == self.run) & (jobs.c.status == status)
            return connection.execute(update(jobs).where(where).values({**_FRESH, "status": "pending"})).rowcount

    def forget(self, name: str | None = None) -> int:
        """How many jobs were there, and now are not: one, or all of the run."""
        where = jobs.c.run == self.run if name is None else self._is(name)
        with self.database.writing() as connection:
            return connection.execute(delete(jobs).where(where)).rowcount

    def runs(self) -> list[str]:
        """The names of the runs whose jobs are in this store."""
        with self.database.reading() as connection:
            return list(connection.scalars(select(jobs.c.run).distinct().order_by(jobs.c.run)))

    def _is(self, name: str) -> Any:
        return (jobs.c.run == self.run) & (jobs.c.job == name)

    def _change(self, name: str, values: dict[str, Any]) -> bool:
        with self.database.writing() as connection:
            return bool(connection.execute(update(jobs).where(self._is(name)).values(values)).rowcount)


def _check_name(kind: str, name: str) -> None:
    if not name or "\0" in name or name.encode(errors="replace") != name.encode(errors="ignore"):
        raise ConfigurationError(f"{name!r} cannot name a {kind}; give it some readable text", parameter=kind)


def _read(row: Any) -> StoredJob:
    values = {field: row[field] for field in StoredJob.__slots__}
    values |= {field: decode(row[field]) for field in ("output", "error", "blocked_by")}
    return StoredJob(**{**values, "blocked_by": tuple(values["blocked_by"])})
