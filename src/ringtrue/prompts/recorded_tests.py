"""The prompts that tests send, recorded; each is bound to the test that sent it."""

from __future__ import annotations

from collections.abc import Generator

import pytest

from ringtrue.prompts.recorder import PromptRecorder
from ringtrue.systems.asked_case import reset_active_case, set_active_case


class RecordedTests:
    """A plugin of pytest that records while the tests run; worker processes write to one file."""

    def __init__(self, recorder: PromptRecorder) -> None:
        self.recorder, self.seen = recorder, 0

    def pytest_sessionstart(self) -> None:
        """Begin."""
        self.recorder.start()

    @pytest.hookimpl(hookwrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None]:
        """Say whose prompts these are; a suite inside the test says more."""
        token = set_active_case(item.nodeid)
        yield
        reset_active_case(token)

    def pytest_sessionfinish(self) -> None:
        """Write."""
        self.seen = len(self.recorder.snapshot())
        self.recorder.stop()

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        """Tell where it was written."""
        kept = "texts" if self.recorder.record_text else "fingerprints only"
        terminalreporter.write_line(f"recorded {self.seen} prompt(s) in {self.recorder.out_path} ({kept})")
