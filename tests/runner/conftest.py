"""One loopback endpoint for the tests of this folder; each test gives it a plan."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.endpoint import EndpointServer


@pytest.fixture(scope="session")
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as running:
        yield running


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'store' / 'ringtrue.db'}"
