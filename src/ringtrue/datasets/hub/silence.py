"""Calls to the hub end when none of its bytes has come for a while, whatever the library waits for and tries again."""

from __future__ import annotations

import io
from collections.abc import Callable
from contextlib import suppress
from threading import Event, Thread
from time import monotonic
from typing import Any, TypeVar

import huggingface_hub

Result = TypeVar("Result")

LOOKS = 20
"""How often it is looked for new bytes within the time that the hub may be silent."""


def unless_silent(call: Callable[[], Result], seconds: float) -> Result:
    """Run a call in a thread of its own and return its result; raise a TimeoutError if the hub is silent this long.

    The library has no time limit on some requests and repeats the others, so that thread is left to itself.
    """
    watched = _WatchedCall(call)
    Thread(target=watched.run, daemon=True).start()
    seen, since = watched.bytes_received(), monotonic()
    while not watched.done.wait(seconds / LOOKS):
        if (received := watched.bytes_received()) != seen:
            seen, since = received, monotonic()
        elif monotonic() - since >= seconds:
            raise TimeoutError(f"it was silent for {seconds:g} s")
    if watched.error is not None:
        raise watched.error
    return watched.result  # type: ignore[no-any-return]


class _WatchedCall:
    """A call, and what its thread's session with the hub has received."""

    def __init__(self, call: Callable[[], Any]) -> None:
        self.call = call
        self.done = Event()
        self.result: Any = None
        self.error: BaseException | None = None
        self._answers = 0
        self._latest: Any = None

    def run(self) -> None:
        session: Any = huggingface_hub.get_session()
        hooks = (
            getattr(session, "event_hooks", None) or session.hooks
        )  # httpx; before version 1 of the library, requests
        hooks["response"].append(self._note)
        try:
            self.result = self.call()
        except BaseException as error:  # it is raised where the call was made
            self.error = error
        finally:
            with suppress(ValueError):  # the session was closed meanwhile
                hooks["response"].remove(self._note)
            self.done.set()

    def bytes_received(self) -> tuple[int, int]:
        """The number of answers that have begun, and of the bytes of the latest."""
        latest = self._latest
        body = getattr(latest, "num_bytes_downloaded", None)
        return self._answers, body if body is not None else latest.raw.tell() if latest is not None else 0

    def _note(self, response: Any, *_: Any, **__: Any) -> None:
        self._latest = response
        self._answers += 1


class WatchedFile(io.RawIOBase):
    """A file of the hub whose every read ends when the hub is silent."""

    def __init__(self, file: Any, seconds: float) -> None:
        self._file, self._seconds = file, seconds

    def readinto(self, buffer: Any) -> int:
        data: bytes = unless_silent(lambda: self._file.read(len(buffer)), self._seconds)
        buffer[: len(data)] = data
        return len(data)

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        return int(self._file.seek(offset, whence))

    def tell(self) -> int:
        return int(self._file.tell())

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True
