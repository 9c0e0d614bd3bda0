"""`Channel`: JSON messages between two processes, each preceded by its length."""

from __future__ import annotations

import json
import os
import struct
from typing import Any

MESSAGE_BYTES = 64 * 1024 * 1024
_SIZE = struct.Struct("!I")
_CHUNK, _MANY = 1 << 14, 1 << 20
_ENCODER, _DECODER = json.JSONEncoder(ensure_ascii=False), json.JSONDecoder()


class Closed(Exception):
    """The other process ended the conversation."""


def encode(message: Any) -> bytes:
    """A message as bytes; half of a surrogate pair stays what it is."""
    return _ENCODER.encode(message).encode("utf-8", "surrogatepass")


def decode(data: bytes) -> Any:
    """The message in bytes; anything else raises ValueError."""
    text = data.decode("utf-8", "surrogatepass")
    message, end = _DECODER.raw_decode(text)
    if end != len(text):
        raise ValueError("more than one message")
    return message


class Channel:
    """One end of a stream socket, or of two pipes; `ended` says why nothing more can come, and is empty before."""

    def __init__(self, reading: int, writing: int | None = None) -> None:
        self.ended = ""
        self._reading = reading
        self._writing = reading if writing is None else writing
        self._ahead = bytearray()

    def say(self, message: Any) -> None:
        """Send one message."""
        data = encode(message)
        if len(data) > MESSAGE_BYTES:
            raise ValueError(f"a value of {len(data):,} bytes is too large to cross")
        rest = memoryview(_SIZE.pack(len(data)) + data)
        try:
            while rest:
                rest = rest[os.write(self._writing, rest) :]
        except ConnectionError:
            raise self._close("the program ended before the tests did") from None

    def hear(self) -> Any:
        """The next message; anything but a message ends the conversation."""
        try:
            (size,) = _SIZE.unpack(self._read(_SIZE.size))
            if size > MESSAGE_BYTES:
                raise ValueError(f"a message of {size:,} bytes is too large")
            return decode(self._read(size))
        except (ValueError, RecursionError) as fault:
            raise self._close(f"the program spoke out of turn: {fault}"[:200]) from None

    def _read(self, size: int) -> bytes:
        while len(self._ahead) < size:
            try:
                piece = os.read(self._reading, max(_CHUNK, min(size, _MANY)))
            except ConnectionError:
                piece = b""
            if not piece:
                raise self._close("the program ended before the tests did")
            self._ahead += piece
        data = bytes(self._ahead[:size])
        del self._ahead[:size]
        return data

    def _close(self, reason: str) -> Closed:
        # Remembered: tests may catch the exception, but after it they cannot complete any more.
        self.ended = self.ended or reason
        return Closed(reason)
