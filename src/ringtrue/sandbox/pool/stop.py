"""`Stop`: the word that ends a run, said from another thread."""

from __future__ import annotations

import os
import time
from select import POLLIN, poll
from subprocess import Popen, TimeoutExpired
from threading import Event
from types import TracebackType

WATCH_SECONDS = 0.1
"""How often those look who cannot wait for the word itself."""


class Stop:
    """Stops the run it was passed to: running programs are killed at once, and no further ones start.

    It holds a pipe, which its owner closes after the run.
    """

    def __init__(self) -> None:
        self._event = Event()
        self._reading, self._writing = os.pipe()

    @property
    def is_said(self) -> bool:
        """Whether the run is to end."""
        return self._event.is_set()

    def say(self) -> None:
        """End the run; a second time does nothing."""
        if not self.is_said:
            self._event.set()
            os.write(self._writing, b"!")

    def __enter__(self) -> Stop:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        os.close(self._reading)
        os.close(self._writing)

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when stopping is asked for."""
        return self._reading


def wait(descriptor: int, seconds: float, stop: Stop | None = None) -> bool:
    """Whether there is something to read within a time and before a stop."""
    waiting = poll()
    waiting.register(descriptor, POLLIN)
    if stop is not None:
        waiting.register(stop, POLLIN)
    return any(ready == descriptor for ready, _ in waiting.poll(max(0.0, seconds) * 1_000))


def ends_within(process: Popen[bytes], seconds: float, stop: Stop | None = None) -> bool:
    """Whether a process ends within a time and before a stop."""
    until = time.monotonic() + seconds
    while not (stop and stop.is_said):
        left = max(0.0, until - time.monotonic())
        try:
            process.wait(left if stop is None else min(left, WATCH_SECONDS))
            return True
        except TimeoutExpired:
            if time.monotonic() >= until:
                break
    return False
