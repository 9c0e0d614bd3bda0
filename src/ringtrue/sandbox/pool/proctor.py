"""`Proctor`: an examiner that stays, for tests that leave nothing behind.

Most tests only call and compare. A process of its own for each of them would cost as much as the program does; one that
stays serves them all. Tests that could change its state get an examiner of their own.
"""

from __future__ import annotations

import _socket
import os
import resource
import struct
from collections.abc import Mapping
from contextlib import suppress

from ringtrue.sandbox.exam.channel import Channel
from ringtrue.sandbox.exam.examiner import examine_across
from ringtrue.sandbox.isolation import kernel
from ringtrue.sandbox.isolation.walls import Walls
from ringtrue.sandbox.pool.child import arrange, read_job

_CONTROL = 3
_GROWTH_KIB = 128 * 1024
_RIGHTS = _socket.CMSG_SPACE(3 * struct.calcsize("i"))
_CONTINUES, _LEAVES = b".", b"!"


class Proctor:
    """The worker's side of it: started when it is first needed, and again after it was ended."""

    def __init__(self, walls: Walls, limits: Mapping[str, float]) -> None:
        self._walls = walls
        self._limits = limits
        self.process = 0
        self._control: _socket.socket | None = None

    def examine(self, exam: int, wire: int, verdict: int) -> None:
        """Hand over one exam as open files."""
        if self._control is None:
            self._start()
        assert self._control is not None
        rights = struct.pack("3i", exam, wire, verdict)
        self._control.sendmsg([b"?"], [(_socket.SOL_SOCKET, _socket.SCM_RIGHTS, rights)])

    def fileno(self) -> int:
        """Return the descriptor that becomes readable when the exam is over."""
        return self._control.fileno() if self._control is not None else -1

    def settle(self, stopped: bool) -> None:
        """Be ready for the next exam; one that was stopped, or grew, or died, is replaced."""
        if self._control is None or (not stopped and self._control.recv(1) == _CONTINUES):
            return
        with suppress(ProcessLookupError):
            os.kill(self.process, kernel.SIGKILL)
        os.waitpid(self.process, 0)
        self._control.close()
        self._control = None

    def _start(self) -> None:
        ours, theirs = _socket.socketpair()
        self.process = os.fork()
        if self.process:
            theirs.close()
            self._control = ours
            return
        try:
            os.setsid()
            arrange({_CONTROL: theirs.fileno()})
            self._walls.enclose({**self._limits, "cpu_seconds": 1 << 30}, serving=True)
            _sit(_socket.socket(fileno=_CONTROL))
        finally:
            os._exit(0)


def _sit(control: _socket.socket) -> None:
    first = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    used: tuple[int, ...] = ()
    while True:
        asked, attached, _, _ = control.recvmsg(1, _RIGHTS)
        if not asked:
            return
        # Not before: a program whose wire is closed would wake up to leave, while the worker ends it anyway.
        for descriptor in used:
            os.close(descriptor)
        exam, wire, verdict = struct.unpack("3i", attached[0][2])
        examine_across(read_job(exam), Channel(wire), verdict)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - first > _GROWTH_KIB
        control.send(_LEAVES if grown else _CONTINUES)
        used = wire, verdict
