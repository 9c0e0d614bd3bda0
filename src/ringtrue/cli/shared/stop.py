"""Being told to stop: Ctrl-C, SIGTERM and SIGHUP end the work in the same orderly way."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType

TOLD = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
"""What service managers, batch systems, containers and closing terminals send; Windows knows the first alone."""


class Stopped(KeyboardInterrupt):
    """Somebody sent a signal; everything on the way out is tidied up as for Ctrl-C."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal.Signals(number).name}")
        self.code = 128 + number


@contextmanager
def stoppable() -> Iterator[None]:
    """In here Ctrl-C raises KeyboardInterrupt at once, SIGTERM and SIGHUP raise `Stopped`; ignored ones stay ignored.

    asyncio's own way with Ctrl-C waits for the next `await`, which a blocking read of standard input never reaches.
    """
    told: list[int] = []

    def stop(number: int, _: FrameType | None) -> None:
        if number == signal.SIGINT:
            raise KeyboardInterrupt
        told.append(number)
        if len(told) == 1:  # more of them must not disturb the tidying
            raise Stopped(number)

    before = {number: signal.getsignal(number) for number in (signal.SIGINT, *TOLD)}
    mine = [number for number, handler in before.items() if handler in (signal.SIG_DFL, signal.default_int_handler)]
    for number in mine:
        signal.signal(number, stop)
    try:
        yield
    finally:
        for number in mine:
            signal.signal(number, before[number])
