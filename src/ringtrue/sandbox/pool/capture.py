"""`Caught`: what comes out of a stream, up to a limit."""

from __future__ import annotations

from contextlib import suppress
from threading import Event, Thread
from typing import IO

_DRAIN_SECONDS = 5.0


class Caught:
    """The bytes of a stream, up to `most` of them; the rest is thrown away.

    What is kept goes into the file `into` as it comes. `head` is what the stream has to begin with.
    """

    def __init__(self, stream: IO[bytes], most: int, head: bytes = b"", into: IO[bytes] | None = None) -> None:
        self.overflow = self.has_head = False
        self.headed = Event()
        """Set when the first bytes are there, or none will come."""
        self._stream, self._most, self._head, self._into, self._data = stream, most, head, into, bytearray()
        self._thread = Thread(target=self._read, daemon=True)
        self._thread.start()

    def data(self) -> bytes:
        """Everything that was captured; the writer must have ended."""
        # Who reads closes the stream: to close it here would wait for a writer that keeps writing.
        self._thread.join(_DRAIN_SECONDS)
        return bytes(self._data)

    def _read(self) -> None:
        with suppress(ValueError, OSError), self._stream:  # a file to write into may be closed or full
            self._data += self._stream.read(len(self._head))
            if self._data == self._head:
                self.has_head = True
                self._data.clear()
            self.headed.set()
            # A part of what was asked for is enough: a log shows what was said so far.
            while piece := getattr(self._stream, "read1", self._stream.read)(1 << 14):
                room = self._most - len(self._data)
                self.overflow |= len(piece) > room
                self._data += piece[:room]
                if self._into is not None:
                    self._into.write(piece[:room])
                    self._into.flush()
        self.headed.set()
