"""The store on a real PostgreSQL server, started here on loopback and stopped by its process id."""

from __future__ import annotations

import asyncio
import glob
import itertools
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from typing import Any

import pytest

from ringtrue import evaluate, rescore
from ringtrue.api.runs import open_run
from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.evaluators import ExactMatch
from ringtrue.reports.eval_result import EvalResult
from ringtrue.store import schema
from ringtrue.store.database import Database, StoredRun
from support.endpoint import EndpointServer
from support.killed import check_kills, start

psycopg = pytest.importorskip("psycopg", reason="needs psycopg: pip install 'psycopg[binary]'")

NAMES = (f"t{number}" for number in itertools.count())


def program(name: str) -> str:
    found = shutil.which(name) or next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))), None)
    if found is None:
        pytest.skip(f"needs PostgreSQL's {name!r}: apt-get install postgresql")
    return os.path.realpath(found)


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """The URL of a server, without a database."""
    initdb, server = program("initdb"), program("postgres")
    folder = tempfile.mkdtemp(prefix="ringtrue-postgres-")
    owner: dict[str, Any] = {}
    if os.geteuid() == 0:  # the server refuses to run as root
        entry = pwd.getpwnam("nobody")
        owner = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
        os.chown(folder, entry.pw_uid, entry.pw_gid)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    data = os.path.join(folder, "data")
    made = [initdb, "-D", data, "-U", "ringtrue", "--auth=trust", "-E", "UTF8", "--locale=C", "--no-sync"]
    subprocess.run(made, check=True, capture_output=True, cwd=folder, **owner)
    words = [server, "-D", data, "-p", str(port), "-h", "127.0.0.1", "-c", "unix_socket_directories="]
    with open(os.path.join(folder, "log"), "w") as log:
        process = subprocess.Popen([*words, "-c", "fsync=off"], stdout=log, stderr=log, cwd=folder, **owner)
    try:
        url = f"postgresql://ringtrue@127.0.0.1:{port}"
        wait_for(url, process)
        yield url
    finally:
        process.send_signal(signal.SIGINT)  # a fast shutdown
        process.wait(30)
        shutil.rmtree(folder)


def wait_for(url: str, process: subprocess.Popen[bytes]) -> None:
    for _ in range(300):
        assert process.poll() is None, "the server did not start"
        try:
            psycopg.connect(f"{url}/postgres").close()
            return
        except psycopg.OperationalError:
            time.sleep(0.1)
    raise AssertionError("the server does not answer")


@pytest.fixture
def store(postgres: str) -> str:
    """A database of its own."""
    name = next(NAMES)
    with psycopg.connect(f"{postgres}/postgres", autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return f"{postgres}/{name}"


@pytest.fixture(scope="session")
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as running:
        yield running


def test_runs_are_kept_newest_first(store: str) -> None:
    with Database(store) as database:
        for number, name in enumerate(["one", "two"]):
            database.start(StoredRun(name, "d", "running", "", float(number), None, {"systems": ["s"]}))
        assert [run.id for run in database.runs()] == ["two", "one"]
        database.end("two", "finished")
        found = database.unfinished_run("d")
        assert found is not None
        assert (found.id, found.config) == ("one", {"systems": ["s"]})
    with Database(store) as database:
        assert [run.status for run in database.runs()] == ["finished", "running"]


def test_writing_is_committed_when_the_wait_is_over(store: str) -> None:
    async def write(database: Database) -> None:
        rows = [{"key": str(n), "output": "{}", "created": 0.0} for n in range(1_000)]
        await asyncio.gather(*(database.writer.write((schema.answers, row)) for row in rows))
        with psycopg.connect(store) as other:
            assert other.execute("select count(*) from answers").fetchone() == (1_000,)

    with Database(store) as database:
        asyncio.run(write(database))
        assert len(database.outputs([str(n) for n in range(2_000)])) == 1_000


def test_the_first_answer_stays_and_a_success_replaces_a_failure(store: str) -> None:
    async def write(database: Database) -> None:
        for text in ("first", "second"):
            await database.writer.write((schema.answers, {"key": "k", "output": text, "created": 0.0}))
        row = {"run": "r", "system": "s", "position": 0, "repeat": 0, "answer_key": "k", "case_digest": "c"}
        await database.writer.write((schema.rows, {**row, "failure": "boom"}))
        await database.writer.write((schema.rows, {**row, "failure": None}))

    with Database(store) as database:
        database.keep_cases([("c", "{}"), ("c", "{}")])
        asyncio.run(write(database))
        assert {key: text for key, (text, _) in database.outputs(["k"]).items()} == {"k": "first"}
        assert [row["failure"] for row in database.rows("r")] == [None]
        assert database.row_counts() == {"r": (1, 0)}


def test_a_newer_store_is_refused(store: str) -> None:
    Database(store).close()
    with psycopg.connect(store) as connection:
        connection.execute("update ringtrue_facts set value = '99'")
    with pytest.raises(StoreError, match="newer ringtrue"):
        Database(store)


def test_a_server_that_is_not_there_is_named_without_its_password() -> None:
    with pytest.raises(StoreError, match="cannot open the store") as caught:
        Database("postgresql://ringtrue:very-secret@127.0.0.1:1/none")
    assert "127.0.0.1" in str(caught.value)
    assert "very-secret" not in str(caught.value)


def test_a_lost_connection_is_an_error_and_the_next_write_has_a_new_one(store: str) -> None:
    async def write(database: Database, key: str) -> None:
        await database.writer.write((schema.answers, {"key": key, "output": "{}", "created": 0.0}))

    with Database(store) as database:
        asyncio.run(write(database, "before"))
        with psycopg.connect(store, autocommit=True) as other:
            other.execute(
                "select pg_terminate_backend(pid) from pg_stat_activity "
                "where datname = current_database() and pid <> pg_backend_pid()"
            )
        with pytest.raises(StoreError, match="cannot write to the store"):
            asyncio.run(write(database, "during"))
        asyncio.run(write(database, "after"))
    with Database(store) as database:
        assert set(database.outputs(["before", "during", "after"])) == {"before", "after"}


def test_a_run_is_kept_shown_and_scored_again(store: str) -> None:
    calls: list[str] = []

    def code(text: str) -> str:
        calls.append(text)
        if text == "q2":
            raise ValueError("no")
        return text.upper() + "\x00\ud800"

    rows = [{"id": n, "question": f"q{n}", "answer": f"Q{n}"} for n in range(4)]
    first = evaluate(code, rows, store=store, progress=False)
    shown = EvalResult(open_run("last", store))
    assert [row.response for row in shown.rows] == [row.response for row in first.rows]
    assert shown.details == first.details
    again = EvalResult(rescore("last", ["contains(['Q'])"], store=store))
    summary = again.details["code"]["contains"]
    assert (summary.value, summary.n, summary.errors) == (1.0, 3, 1)
    assert len(calls) == 4


def test_a_plan_is_worked_on_once_at_a_time(store: str) -> None:
    with Database(store) as one, Database(store) as two:
        lease = one.lease("0123456789abcdef" * 4)
        assert lease.acquire()
        assert lease.acquire(), "it is held already"
        assert not two.lease("0123456789abcdef" * 4).free()
        assert two.lease("f123456789abcdef" * 4).free()
        lease.release()
        assert two.lease("0123456789abcdef" * 4).free()


def test_two_processes_with_one_plan_do_the_work_once(server: EndpointServer, store: str) -> None:
    server.plan(latency_seconds=1.0)
    first = start(server, store, 40, 4)
    while server.stats()["answered"] < 4:
        time.sleep(0.02)
    _, complained = start(server, store, 40, 4).communicate()
    assert f"is being worked on by {socket.gethostname()}:{first.pid};" in complained
    first.send_signal(signal.SIGKILL)
    first.communicate()
    said, complained = start(server, store, 40, 40).communicate()
    assert said.split()[1:] == ["40", "1.0"], complained
    assert server.stats()["requests"] <= 40 + 4


def test_killed_twice(server: EndpointServer, store: str) -> None:
    check_kills(server, store, count=100, in_flight=6, kills=2, seed=3)


@pytest.mark.heavy
def test_killed_ten_times(server: EndpointServer, store: str) -> None:
    check_kills(server, store, count=1_000, in_flight=30, kills=10, seed=4)


def test_a_fresh_store_opened_by_many_processes_at_once(store: str) -> None:
    code = "import sys; from ringtrue.store.database import Database; Database(sys.argv[1]).close()"
    workers = [subprocess.Popen([sys.executable, "-c", code, store], stderr=subprocess.PIPE) for _ in range(6)]
    for worker in workers:
        _, complained = worker.communicate()
        assert worker.returncode == 0, complained.decode()


def test_another_database_is_a_configuration_error() -> None:
    with pytest.raises(ConfigurationError, match="mysql is not supported"):
        evaluate(str.upper, [{"question": "a"}], [ExactMatch()], store="mysql://u:secret@127.0.0.1/x", progress=False)
