"""One sandbox for all tests of a worker process, and a machine that must be as it was after each file."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ringtrue.sandbox import Sandbox
from support.machine import unchanged


@pytest.fixture(scope="module")
def box() -> Iterator[Sandbox]:
    """A sandbox, and afterwards a machine without a trace of it."""
    with unchanged(), Sandbox(workers=2) as sandbox:
        yield sandbox
