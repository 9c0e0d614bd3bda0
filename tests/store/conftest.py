"""One suite for both stores: a file, and a database of a real server."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest

from support.postgres import PostgresServer

NAMES = (f"t{number}" for number in itertools.count())


@pytest.fixture(scope="session")
def postgres() -> Iterator[PostgresServer]:
    with PostgresServer() as server:
        yield server


@pytest.fixture
def database(postgres: PostgresServer) -> str:
    """The URL of a database of its own."""
    return postgres.create(next(NAMES))


@pytest.fixture(params=["sqlite", "postgresql"])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty store, of each kind in turn."""
    return f"sqlite:///{tmp_path / 'a' / 'b.db'}" if request.param == "sqlite" else request.getfixturevalue("database")
