"""Tests talk to this machine only."""

from __future__ import annotations

import signal
import socket
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

from ringtrue.models.cache import ReplyMemory

# How long an example takes says more about the machine's other work than about ours.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

_CONNECT = socket.socket.connect


def pytest_configure() -> None:
    """A background job starts with Ctrl-C ignored, and so would every command that a test interrupts."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """No test gets the replies that another one paid for; one whose server answers anew at each call opts out."""
    memory = ReplyMemory.from_env()
    if memory is not None:
        memory.forget()


@pytest.fixture(autouse=True)
def loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Refuse any connection that is not to loopback."""

    def connect(self: socket.socket, address: Any) -> None:
        if self.family in (socket.AF_INET, socket.AF_INET6) and address[0] not in ("127.0.0.1", "::1", "localhost"):
            raise AssertionError(f"a test connects to {address!r}; tests are offline")
        _CONNECT(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
