"""One loopback endpoint for the tests of this folder; each test gives it a plan."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from support.endpoint import EndpointServer


@pytest.fixture(scope="session")
def server() -> Iterator[EndpointServer]:
    with EndpointServer() as running:
        yield running
