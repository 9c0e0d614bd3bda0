"""`RunStore`: runs in a database: begun, gone on with, ended, found again, and read row by row."""

from __future__ import annotations

import os
import secrets
import socket
import time
from collections.abc import AsyncIterator, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import replace
from itertools import islice
from typing import Any, TypeAlias

from sqlalchemy import and_, tuple_
from sqlalchemy import case as sql_case

from ringtrue.dialects.run_record import (
    facts_from,
    facts_record,
    made_from,
    made_record,
    summaries_from,
    summaries_record,
)
from ringtrue.errors import ConfigurationError
from ringtrue.identity import digest
from ringtrue.jsontext import parse_json
from ringtrue.records import DEFAULT_STORE, Case, Made, Output, Row, RowFilter, RowOrder, Run, Score, Trial
from ringtrue.stats.row_pages import page_of
from ringtrue.stats.row_status import WORST_FIRST
from ringtrue.store import schema
from ringtrue.store.codec import decode_record, encode_record
from ringtrue.store.database import Database, StoredRun, existing
from ringtrue.store.journal import StoredJournal
from ringtrue.store.responses import Responses

ROWS_AT_ONCE = 1_000
Counts: TypeAlias = Mapping[tuple[str, str, str], int]
"""Dataset, system and status -> how many rows."""


class RunStore:
    """An open store, as the runner and everything that reads runs uses it."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.responses = Responses(database)

    @classmethod
    def open(cls, url: str = DEFAULT_STORE) -> RunStore:
        """The store at a URL, which is made if it is not there."""
        return cls(Database(url))

    @classmethod
    def existing(cls, url: str = DEFAULT_STORE) -> RunStore:
        """The store at a URL, which must be there."""
        return cls(existing(url))

    def __enter__(self) -> RunStore:
        return self

    def __exit__(self, *_: object) -> None:
        self.database.close()

    def at_work(self) -> AbstractAsyncContextManager[None]:
        """In here nothing that was kept is pruned."""
        return self.database.at_work()

    def keep_cases(self, cases: Iterable[Case]) -> Iterator[str]:
        """Keep cases while their contents are asked for, one by one: what identifies each."""
        remaining = iter(cases)
        while part := [(digest(text), text) for text in map(encode_record, islice(remaining, ROWS_AT_ONCE))]:
            self.database.keep_cases(part)
            yield from (content for content, _ in part)

    def content(self, case: Case, position: int) -> str:
        """Return the digest of one case's content."""
        return digest(encode_record(case))

    @asynccontextmanager
    async def working_on(self, plan: str) -> AsyncIterator[None]:
        """In here no other process works on the plan."""
        lease = self.database.lease(plan)
        if not await lease.wait():
            other = self.database.unfinished_run(plan)
            who = f"run {other.id} is being worked on by {other.owner}" if other else "another process works on it"
            raise ConfigurationError(f"{who}; wait for it, or give another store", parameter="store", value=plan)
        try:
            yield
        finally:
            lease.release()

    def begin(self, plan: str, made: Made, *, resume: str | None, fresh: bool) -> str:
        """Begin a run, or continue an unfinished one of the plan; return its id."""
        earlier = self._unfinished_run(plan, resume, fresh)
        owner = f"{socket.gethostname()}:{os.getpid()}"
        self.database.start(
            run := StoredRun(
                id=earlier.id if earlier else secrets.token_hex(6),
                digest=plan,
                status="running",
                owner=owner,
                created=earlier.created if earlier else time.time(),
                finished=None,
                config=made_record(made),
                name=made.name[:200],
            )
        )
        return run.id

    def journal(self, run: str, made: Made) -> StoredJournal:
        """Return the journal of the run's answers and rows."""
        return StoredJournal(self.database, run, made)

    def rows(self, run: str, made: Made) -> StoredRows:
        """The rows of a run."""
        return StoredRows(self.database, run, made)

    def end(self, id: str, status: str, run: Run | None) -> None:
        """Keep how a run ended, what it came to, and how many of its rows passed: many rows take long to count."""
        counts = [[*cell, count] for cell, count in self.database.status_counts(id).items()]
        self.database.end(id, status, None if run is None else {**_outcome(run), "counts": counts})

    def find(self, name: str) -> Run:
        """A run by its id, by the beginning of it, or `last`."""
        runs = self.database.runs()
        whole = [run for run in runs if run.id == name]
        found = runs[:1] if name == "last" else whole or [run for run in runs if run.id.startswith(name)]
        if len(found) != 1:
            what = f"{len(found)} runs begin with" if found else "there is no run"
            raise ConfigurationError(f"{what} {name!r}; 'ringtrue list runs' shows all", parameter="run", value=name)
        return self.run_of(found[0])

    def runs(self) -> list[Run]:
        """All runs, newest first."""
        return [self.run_of(one) for one in self.database.runs()]

    def run_of(self, stored: StoredRun) -> Run:
        """A run as its records say it; one that says it is running and has no process was killed."""
        outcome: Mapping[str, Any] = stored.outcome or {}
        made = made_from(stored.config)
        rows = StoredRows(self.database, stored.id, made, _counts(stored))
        is_running = self.database.is_active(stored)
        return Run(
            made=made,
            rows=rows,
            summaries=summaries_from(outcome.get("summaries") or {}),
            id=stored.id,
            status="killed" if stored.status == "running" and not is_running else stored.status,  # type: ignore[arg-type]  # what was written is what is read
            stopped_by=outcome.get("stopped_by") or "",
            seconds=outcome.get("seconds") or {},
            spent=outcome.get("spent") or {},
            first_skips=outcome.get("first_skips") or {},
            unasked=self._cases(outcome.get("unasked") or ()),
            facts=None if stored.status == "running" else facts_from(outcome.get("facts")),
            unasked_count=0 if is_running or not made.trials else made.unasked_count(len(rows)),
        )

    def _cases(self, digests: Sequence[str]) -> tuple[Case, ...]:
        texts = self.database.cases(digests) if digests else {}
        return tuple(decode_record(Case, texts[one]) for one in digests if one in texts)  # the others were pruned

    def _unfinished_run(self, plan: str, resume: str | None, fresh: bool) -> StoredRun | None:
        if resume is None:
            return None if fresh else self.database.unfinished_run(plan)
        found = self.database.run(resume)
        if found is None or found.digest != plan:
            raise ConfigurationError(
                f"run {resume} cannot be resumed: its cases, systems or evaluators have changed since; start a new one"
                if found
                else f"there is no run {resume!r}; 'ringtrue list runs' shows all",
                parameter="run",
                value=resume,
            )
        return found


class StoredRows:
    """The rows of a stored run; filters and orders that the database knows are its work."""

    def __init__(self, database: Database, run: str, made: Made, counts: Counts | None = None) -> None:
        self.database, self.run, self.made = database, run, made
        self._counts = counts
        self.hashes = {one.name: digest(one.signature) for one in made.evaluators}
        self.systems = {one.name: number for number, one in enumerate(made.systems)}

    def __iter__(self) -> Iterator[Row]:
        return (row for row, _ in self.with_keys())

    def with_keys(self) -> Iterator[tuple[Row, str]]:
        """The rows, each with the key of its answer; one that failed has no key, as it is not an answer."""
        table = schema.rows
        for system in [*self.systems] or self.database.systems(self.run):
            place: tuple[int, int] | None = None
            while True:  # from the last row on, not from a number on: that would read all rows before it again
                where = table.c.system == system
                if place is not None:
                    where &= tuple_(table.c.position, table.c.repeat) > tuple_(*place)
                order = (table.c.position, table.c.repeat)  # that of the key: nothing is sorted
                part = self._rows(self.database.rows(self.run, where, order, limit=ROWS_AT_ONCE))
                yield from part
                if len(part) < ROWS_AT_ONCE:
                    break
                place = part[-1][0].position, part[-1][0].repeat

    def __len__(self) -> int:
        return sum(self.counts().values())

    def counts(self) -> Counts:
        """Return the number of rows of each dataset, system and status; an ended run has counted its rows."""
        return self.database.status_counts(self.run) if self._counts is None else self._counts

    def page(
        self, wanted: RowFilter | None = None, order: RowOrder = "position", offset: int = 0, limit: int | None = None
    ) -> list[Row]:
        """The rows that match, in an order, from one place on."""
        if wanted is not None and (wanted.text or wanted.scores or wanted.case_id is not None):
            return page_of(self, self.made, wanted, order, offset, limit)
        table = schema.rows
        equal = {
            table.c.dataset: wanted.dataset if wanted else None,
            table.c.system: wanted.system if wanted else None,
            table.c.status: wanted.status if wanted else None,
        }
        conditions = [column == value for column, value in equal.items() if value is not None]
        where = and_(*conditions) if conditions else None
        worst = (sql_case(WORST_FIRST, value=table.c.status), table.c.value) if order == "worst" else ()
        return self.read(where, worst, offset, limit)

    def read(
        self, where: Any = None, first: Sequence[Any] = (), offset: int = 0, limit: int | None = None
    ) -> list[Row]:
        """The rows that meet a condition of the database, in an order and then as asked."""
        return [row for row, _ in self._read(where, first, offset, limit)]

    def _read(
        self, where: Any = None, first: Sequence[Any] = (), offset: int = 0, limit: int | None = None
    ) -> list[tuple[Row, str]]:
        table = schema.rows
        systems = (
            sql_case(self.systems, value=table.c.system, else_=len(self.systems)) if self.systems else table.c.system
        )
        order = (*first, systems, table.c.position, table.c.repeat)
        return self._rows(self.database.rows(self.run, where, order, offset, limit))

    def _rows(self, found: Sequence[Mapping[str, Any]]) -> list[tuple[Row, str]]:
        scores = self.database.scores([row["answer_key"] for row in found], list(self.hashes.values()))
        return [(self._row(row, scores), "" if row["failure"] else row["answer_key"]) for row in found]

    def _row(self, row: Mapping[str, Any], scores: Mapping[tuple[str, str], str]) -> Row:
        output = decode_record(Output, row["failure"] or row["output"])
        if row["cost"] != output.cost and row["cost"] is not None:
            output = replace(output, cost=row["cost"])
        unscored = parse_json(row["unscored"]) if row["unscored"] else {}
        if row["failure"] and not unscored:  # kept before rows said whose scores are missing
            failed = Score.error(f"no answer: {output.problem}", kind=output.error)
            own = dict.fromkeys(self.hashes, failed)
        else:
            own = {
                name: decode_record(Score, text)
                for name, hashed in self.hashes.items()
                if (text := unscored.get(hashed) or (not row["failure"] and scores.get((row["answer_key"], hashed))))
            }
        return Row(
            trial=Trial(decode_record(Case, row["case"]), output),
            scores=own,
            position=row["position"],
            system=row["system"],
            repeat=row["repeat"],
            reused=bool(row["reused"]),
            answered_at=row["created"],
            answered_in=row["answered_in"] or "",
        )


def _outcome(run: Run) -> dict[str, Any]:
    return {
        "summaries": summaries_record(run.summaries),
        "stopped_by": run.stopped_by,
        "seconds": dict(run.seconds),
        "spent": dict(run.spent),
        "first_skips": dict(run.first_skips),
        "facts": facts_record(run.facts),
        "unasked": [digest(encode_record(case)) for case in run.unasked],
    }


def _counts(stored: StoredRun) -> Counts | None:
    """Return the counts at the end of a run; None for one that is running, or was kept by an earlier version."""
    found = None if stored.status == "running" else (stored.outcome or {}).get("counts")
    return None if found is None else {(dataset, system, status): count for dataset, system, status, count in found}
