"""Tests talk to this machine only."""

from __future__ import annotations

import os
import signal
import socket
from collections.abc import Generator, Iterator
from typing import Any, TypeVar

import pytest
from hypothesis import HealthCheck, settings

from ringtrue.models.cache import ReplyMemory
from support.browser import browser, open_page
from support.endpoint import EndpointServer

__all__ = ["browser", "open_page"]

# How long an example takes says more about the machine's other work than about ours.
settings.register_profile("untimed", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("untimed")

_CONNECT = socket.socket.connect
Report = TypeVar("Report", pytest.TestReport, pytest.CollectReport)


_OF_THE_MACHINE = ("root", "x86_64", "fork", "RINGTRUE_BENCHMARKS", "temporary folder")
"""Why a test may be skipped in CI: the machine is another one. A part that is missing there is a failure of CI."""


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """In CI a test that is skipped because a part is missing has failed."""
    return _not_silently((yield))


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report() -> Generator[None, pytest.CollectReport, pytest.CollectReport]:
    """The same for modules that are skipped as a whole."""
    return _not_silently((yield))


def _not_silently(report: Report) -> Report:
    reason = report.longrepr[2] if report.skipped and isinstance(report.longrepr, tuple) else ""
    expected = hasattr(report, "wasxfail") or any(word in reason for word in _OF_THE_MACHINE)
    if os.environ.get("CI") == "true" and report.skipped and not expected:
        report.outcome = "failed"
        report.longrepr = f"{reason}; CI installs every part its tests use: see .ci/run"
    return report


def pytest_configure() -> None:
    """A background job starts with Ctrl-C ignored, one of `nohup` with SIGHUP: commands of tests heed both."""
    signal.signal(signal.SIGINT, signal.default_int_handler)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)


@pytest.fixture(scope="session")
def server_process() -> Iterator[EndpointServer]:
    """The process of `server`, one for all tests."""
    with EndpointServer() as running:
        yield running


@pytest.fixture
def server(server_process: EndpointServer) -> EndpointServer:
    """A loopback endpoint that answers everything, unless the test plans otherwise."""
    server_process.plan()
    return server_process


@pytest.fixture(autouse=True)
def nothing_remembered() -> None:
    """No test gets the replies that another one paid for; one whose server varies its answers opts out."""
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
