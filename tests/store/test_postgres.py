"""The store on a real PostgreSQL server: what a file cannot do."""

from __future__ import annotations

import asyncio
import time
from pathlib import Path

import pytest
from sqlalchemy import Table

from ringtrue import evaluate
from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.evaluators import ExactMatch
from ringtrue.records import Json
from ringtrue.store import schema
from ringtrue.store.database import Database
from support.endpoint import EndpointServer
from support.killed import start
from support.postgres import PostgresServer

psycopg = pytest.importorskip("psycopg", reason="needs psycopg: pip install 'psycopg[binary]'")


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match="cannot open the store") as caught:
        Database("postgresql://ringtrue:very-secret@127.0.0.1:1/none")
    assert "127.0.0.1" in str(caught.value)
    assert "very-secret" not in str(caught.value)


def test_a_lost_connection_is_said_and_the_write_is_done_again(database: str) -> None:
    async def write(database: Database, key: str) -> None:
        await database.writer.write((schema.answers, {"key": key, "output": "{}", "created": 0.0}))

    with Database(database) as kept:
        asyncio.run(write(kept, "before"))
        with psycopg.connect(database, autocommit=True) as other:
            other.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
        with pytest.warns(RuntimeWarning, match="does not answer; trying again for up to 120 s"):
            asyncio.run(write(kept, "during"))
        asyncio.run(write(kept, "after"))
    with Database(database) as kept:
        assert set(kept.outputs(["before", "during", "after"])) == {"before", "during", "after"}


def records(name: str, run: str) -> list[tuple[Table, dict[str, Json]]]:
    row = {"run": run, "system": "s", "position": 0, "repeat": 0, "answer_key": name, "case_digest": "c"}
    return [
        (schema.answers, {"key": name, "output": "{}", "created": 0.0}),
        (schema.scores, {"answer_key": name, "evaluator": "e", "score": "{}"}),
        (schema.rows, row),
    ]


def test_a_write_is_one_round_trip_and_one_that_fails_leaves_nothing_behind(database: str, tmp_path: Path) -> None:
    with Database(database) as kept, open(tmp_path / "messages", "w") as messages:
        asyncio.run(kept.writer.write(*records("before", "r")))
        server = kept.writer.patient.driver_connection.pgconn
        server.trace(messages.fileno())
        asyncio.run(kept.writer.write(*records("while traced", "r")))
        server.untrace()
        sent = [line.split("\t")[3] for line in (tmp_path / "messages").read_text().splitlines() if "\tF\t" in line]
        assert (sent.count("Execute"), sent.count("Sync")) == (3, 1)
        with pytest.raises(StoreError, match="too long"):
            asyncio.run(kept.writer.write(*records("fails", "r" * 40)))
        asyncio.run(kept.writer.write(*records("after", "q")))
        assert set(kept.outputs(["before", "while traced", "fails", "after"])) == {"before", "while traced", "after"}


def test_another_database_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="mysql is not supported"):
        evaluate(str.upper, [{"question": "a"}], [ExactMatch()], store="mysql://u:secret@127.0.0.1/x", progress=False)


def test_a_server_that_dies_in_the_middle_of_a_run_and_comes_back_loses_nothing(server: EndpointServer) -> None:
    server.plan(latency_seconds=0.05)
    with PostgresServer(fsync=True) as own:
        url = own.create("runs")
        process = start(server, url, 150, 5)
        while server.stats()["answered"] < 40:
            time.sleep(0.02)
        own.kill()
        time.sleep(1)
        assert process.poll() is None, "the run waits for its store"
        own.start()
        said, complained = process.communicate(timeout=200)
        assert said.split()[1:] == ["150", "1.0"], complained
        assert "the store's server does not answer; trying again for up to 120 s" in complained
        assert server.stats()["requests"] == 150, "no question is asked twice"
        with Database(url) as kept:
            (run,) = kept.runs()
            assert run.status == "finished"
            assert [row["position"] for row in kept.rows(run.id)] == list(range(150))
