"""What the tests of this folder share: a loopback endpoint, to which each gives a plan, and a folder to audit."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.audits import FIBONACCI
from support.endpoint import EndpointServer


@pytest.fixture(scope="session")
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as running:
        yield running


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    work = tmp_path / "work"
    work.mkdir()
    (work / "fib.py").write_text(FIBONACCI)
    return work
