"""The store: durable, shared, honest about what it cannot do."""

from __future__ import annotations

import asyncio
import os
import socket
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest
from sqlalchemy import event

from ringtrue.errors import ConfigurationError, StoreError
from ringtrue.store import schema
from ringtrue.store.database import Database, StoredRun


def run_record(id: str, status: str = "running", digest: str = "d") -> StoredRun:
    return StoredRun(id, digest, status, "", 1.0, None, {"systems": ["s"]})


@pytest.mark.parametrize("url", ["mysql://x/y", "nonsense://", "postgresql://"])
def test_a_wrong_url_is_a_configuration_error(url: str) -> None:
    with pytest.raises((ConfigurationError, StoreError)):
        Database(url)


def test_what_is_not_a_database_is_named(tmp_path: Path) -> None:
    path = tmp_path / "r.db"
    path.write_bytes(b"this is not a database" * 1_000)
    with pytest.raises(StoreError, match="not a database; it is another kind of file, or use another --store"):
        Database(str(path))


def test_a_server_that_is_not_there_is_named_in_one_line() -> None:
    with socket.socket() as unused:
        unused.bind(("127.0.0.1", 0))
        url = f"postgresql://me@127.0.0.1:{unused.getsockname()[1]}/evals"
        with pytest.raises(StoreError, match="; repair it, or use another --store") as caught:
            Database(url)
    assert "\n" not in str(caught.value)


def test_a_full_disk_is_an_error_and_loses_nothing(tmp_path: Path) -> None:
    async def write(database: Database, key: str, size: int) -> None:
        await database.writer.write((schema.answers, {"key": key, "output": "x" * size, "created": 0.0}))

    with Database(str(tmp_path / "r.db")) as database:
        asyncio.run(write(database, "small", 10))

        @event.listens_for(database.engine, "checkout")
        def little_room(connection: sqlite3.Connection, *_: object) -> None:
            connection.execute("pragma max_page_count=60")

        database.writer.connection.driver_connection.execute("pragma max_page_count=60")
        with pytest.raises(StoreError, match="full"):
            asyncio.run(write(database, "large", 10_000_000))
        assert set(database.outputs(["small", "large"])) == {"small"}
        asyncio.run(write(database, "after", 10))
        assert set(database.outputs(["small", "after"])) == {"small", "after"}


def test_a_file_held_by_another_process_is_waited_for(tmp_path: Path) -> None:
    path = tmp_path / "r.db"

    async def write(database: Database) -> None:
        holder = sqlite3.connect(path, isolation_level=None)
        holder.execute("begin immediate")
        waiting = asyncio.create_task(
            database.writer.write((schema.answers, {"key": "k", "output": "x", "created": 0.0}))
        )
        started = asyncio.get_running_loop().time()
        await asyncio.sleep(0.3)
        assert asyncio.get_running_loop().time() - started < 2.0  # the loop keeps running meanwhile
        assert not waiting.done()
        holder.execute("commit")
        await waiting
        holder.close()

    with Database(str(path)) as database:
        asyncio.run(write(database))
        assert {key: text for key, (text, *_) in database.outputs(["k"]).items()} == {"k": "x"}


def test_two_processes_share_one_store(tmp_path: Path) -> None:
    code = """
import asyncio, sys
from ringtrue.store import schema
from ringtrue.store.database import Database
async def main():
    with Database(sys.argv[1]) as database:
        for n in range(200):
            await database.writer.write((schema.answers, {"key": f"{sys.argv[2]}-{n}", "output": "{}", "created": 0.0}))
asyncio.run(main())
"""
    url = str(tmp_path / "r.db")
    workers = [subprocess.Popen([sys.executable, "-c", code, url, name], env=dict(os.environ)) for name in "abc"]
    assert [worker.wait(60) for worker in workers] == [0, 0, 0]
    with Database(url) as database:
        keys = [f"{name}-{n}" for name in "abc" for n in range(200)]
        assert len(database.outputs(keys)) == 600


FULL_AT_THE_COMMIT = """
import resource, sys
from ringtrue.errors import StoreError
from ringtrue.store.database import Database
with Database(sys.argv[1]) as database:
    resource.setrlimit(resource.RLIMIT_FSIZE, (200_000, resource.RLIM_INFINITY))
    try:
        database.keep_cases((f"{number:064}", "x" * 1_000) for number in range(900))
    except StoreError as error:
        print(error)
"""


def test_a_disk_that_is_full_at_the_commit_is_the_stores_error(tmp_path: Path) -> None:
    """SQLite may find out only there; it was once an error of the database library."""
    words = [sys.executable, "-c", FULL_AT_THE_COMMIT, str(tmp_path / "r.db")]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60)
    assert done.stdout.startswith("cannot write to the store: "), done


def test_a_place_that_cannot_be_written_says_what_to_do() -> None:
    with pytest.raises(StoreError, match="its file and folder must be writable, or use another --store"):
        Database("sqlite:////proc/ringtrue.db")
