"""Messages between the caller and a worker: one packet of JSON each, with open files attached."""

from __future__ import annotations

import _socket
import fcntl
import os
import struct
from typing import Any

from ringtrue.sandbox.exam.channel import decode, encode

_MOST = 1 << 17
_STREAMS = 2
_INT = struct.calcsize("i")
_RIGHTS = _socket.CMSG_SPACE(16 * _INT)


def pair() -> tuple[_socket.socket, _socket.socket]:
    """Two ends that keep messages apart; neither takes the place of a standard stream that the caller has closed."""
    one, other = _socket.socketpair(_socket.AF_UNIX, getattr(_socket, "SOCK_SEQPACKET", _socket.SOCK_STREAM))
    first, second = (_socket.socket(fileno=clear_of_streams(end.detach())) for end in (one, other))
    return first, second


def clear_of_streams(descriptor: int) -> int:
    """An open file at a number beyond the standard streams: a child's would take the place of one that is closed."""
    if descriptor > _STREAMS:
        return descriptor
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, _STREAMS + 1)
    os.close(descriptor)
    return moved


def send(control: _socket.socket, message: dict[str, Any], files: tuple[int, ...] = ()) -> None:
    """Send one message with the descriptors that belong to it."""
    attached = [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, struct.pack(f"{len(files)}i", *files))] if files else []
    control.sendmsg([encode(message)], attached)


def receive(control: _socket.socket) -> tuple[dict[str, Any], list[int]]:
    """The next message and its descriptors; an empty message where the other side is gone."""
    files: list[int] = []
    try:
        data, attached, _, _ = control.recvmsg(_MOST, _RIGHTS)
    except ConnectionError:
        return {}, files
    for _, _, rights in attached:
        files += struct.unpack(f"{len(rights) // _INT}i", rights)
    message: dict[str, Any] = decode(data) if data else {}
    return message, files
