"""A real PostgreSQL server on loopback, ended by its process id; it can be killed and started again."""

from __future__ import annotations

import glob
import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from types import TracebackType
from typing import Any, Self

import pytest

psycopg = pytest.importorskip("psycopg", reason="needs psycopg: pip install 'psycopg[binary]'")


def program(name: str) -> str:
    found = shutil.which(name) or next(iter(sorted(glob.glob(f"/usr/lib/postgresql/*/bin/{name}"))), None)
    if found is None:
        pytest.skip(f"needs PostgreSQL's {name!r}: apt-get install postgresql")
    return os.path.realpath(found)


class PostgresServer:
    """A server with a folder of its own; `url` is without a database. `fsync` matters to one that is killed."""

    def __init__(self, *, fsync: bool = False) -> None:
        self.fsync = fsync
        self.owner: dict[str, Any] = {}
        self.process: subprocess.Popen[bytes] | None = None
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            self.port = free.getsockname()[1]
        self.url = f"postgresql://ringtrue@127.0.0.1:{self.port}"

    def __enter__(self) -> Self:
        self.folder = tempfile.mkdtemp(prefix="ringtrue-postgres-")
        if os.geteuid() == 0:  # the server refuses to run as root
            entry = pwd.getpwnam("nobody")
            self.owner = {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
            os.chown(self.folder, entry.pw_uid, entry.pw_gid)
        self.data = os.path.join(self.folder, "data")
        words = [program("initdb"), "-D", self.data, "-U", "ringtrue", "--auth=trust", "-E", "UTF8", "--locale=C"]
        subprocess.run([*words, "--no-sync"], check=True, capture_output=True, cwd=self.folder, **self.owner)
        self.start()
        return self

    def start(self) -> None:
        """Start it and wait until it answers; what a killed one left must have ended first."""
        words = [program("postgres"), "-D", self.data, "-p", str(self.port), "-h", "127.0.0.1"]
        words += ["-c", "unix_socket_directories=", "-c", f"fsync={'on' if self.fsync else 'off'}"]
        for _ in range(600):
            if self.process is None or self.process.poll() is not None:
                with open(os.path.join(self.folder, "log"), "a") as log:
                    self.process = subprocess.Popen(words, stdout=log, stderr=log, cwd=self.folder, **self.owner)
            try:
                psycopg.connect(f"{self.url}/postgres").close()
                return
            except psycopg.OperationalError:
                time.sleep(0.1)
        raise AssertionError("the server does not answer")

    def kill(self) -> None:
        """Kill the postmaster; its children end when they notice."""
        assert self.process is not None
        self.process.send_signal(signal.SIGKILL)
        self.process.wait(30)

    def create(self, name: str) -> str:
        """The URL of a new database."""
        with psycopg.connect(f"{self.url}/postgres", autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return f"{self.url}/{name}"

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process is not None:
            self.process.send_signal(signal.SIGINT)  # a fast shutdown
            self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)
