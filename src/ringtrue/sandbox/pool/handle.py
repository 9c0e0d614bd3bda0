"""`Handle`: the caller's side of one worker process."""

from __future__ import annotations

import _socket
import os
import signal
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ringtrue.sandbox.exam.definition import Exam
from ringtrue.sandbox.isolation.directories import empty
from ringtrue.sandbox.pool.limits import Limits
from ringtrue.sandbox.pool.messages import clear_of_streams, pair, receive, send
from ringtrue.sandbox.pool.stop import Stop, wait
from ringtrue.sandbox.pool.watch import PATIENCE

_BOOT = (
    "import _socket, sys; control = _socket.socket(fileno=int(sys.argv[1])); "
    "sys.path.insert(0, control.recv(65536).decode('utf-8', 'surrogateescape')); "
    "from ringtrue.sandbox.pool.worker import main; del sys.path[0]; main(control)"
)
"""Where ringtrue lies comes through the socket: a program could read it off the command line of its process."""
_ENVIRONMENT = {"PYTHONHASHSEED": "0", "MALLOC_ARENA_MAX": "1", "LC_ALL": "C.UTF-8", "LD_BIND_NOW": "1"}
"""`LD_BIND_NOW`: a worker looks up the addresses of library functions once, and not again in each forked process."""

_REHEARSAL = Exam("assert answer([1, 'a', None]) == [1, 'a', None]", "answer")
"""The exam that a worker goes through before its first program."""
_START_SECONDS = 60.0
_SWEEP_SECONDS = 60.0
_COMPLAINT_BYTES = 1 << 20
_SETTLE_SECONDS = 10.0
"""How long a worker may take to end a program on request before it is ended itself."""


class Unavailable(Exception):
    """No worker of this profile can start here; `no_namespaces` says why, if one without namespaces can."""

    def __init__(self, message: str, *, no_namespaces: str = "") -> None:
        super().__init__(message)
        self.no_namespaces = no_namespaces


@dataclass(slots=True)
class Received:
    """The output of one job."""

    outcome: dict[str, Any]
    streams: dict[str, bytes] = field(default_factory=dict)
    overflow: bool = False
    seconds: float = 0.0


class Handle:
    """A worker process and the socket to it; one job at a time."""

    def __init__(
        self, profile: str, view: dict[str, Any], *, namespaces: bool, limits: Limits, without: str = ""
    ) -> None:
        self.profile = profile
        self.standing = limits.standing()
        self.layers: tuple[str, ...] = ()
        self.spent = False
        self._home = "" if namespaces else tempfile.mkdtemp(prefix=f"ringtrue-sandbox-{os.getpid()}-")
        self._complaints = nameless_file()
        self._control, theirs = pair()
        source = str(Path(__file__).absolute().parents[3])
        self._process = subprocess.Popen(
            [_interpreter(), "-sSBP", "-X", "utf8", "-c", _BOOT, str(theirs.fileno())],
            env=_ENVIRONMENT,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=self._complaints,
            pass_fds=[theirs.fileno()],
            start_new_session=True,
        )
        theirs.close()
        config = {"profile": profile, "view": view, "namespaces": namespaces, "home": self._home, "without": without}
        self._control.send(os.fsencode(source))
        send(self._control, {**config, "limits": limits.numbers(), "rehearsal": _REHEARSAL.plain()})
        self._control.settimeout(_START_SECONDS)
        try:
            answer, _ = receive(self._control)
        except TimeoutError:
            self.close()
            raise TimeoutError(f"a worker was not ready within {_START_SECONDS:g} seconds") from None
        self._control.settimeout(None)
        if "ready" not in answer:
            said = answer.get("refused") or f"a worker process, which ended at once: {self._complaint()}"
            self.close()
            raise Unavailable(said, no_namespaces=answer.get("no_namespaces", ""))
        self.layers = tuple(answer["layers"])

    def run(
        self,
        contents: dict[str, bytes],
        limits: Limits,
        exam: Exam | None = None,
        folder: str = "",
        stop: Stop | None = None,
    ) -> Received:
        """Hand over a job as open files with these contents and wait until it has ended.

        A worker that dies raises ConnectionError. Output goes to files as well: no reader has to keep up, and
        the limit of a file's size bounds them too.
        """
        started = time.monotonic()
        outputs = ("stdout", "stderr", "verdict") if exam else ("stdout", "stderr")
        given: dict[str, int] = {}
        try:
            for name in (*contents, *outputs):
                given[name] = nameless_file(contents.get(name, b""))
            benign = exam is not None and exam.benign
            request = {"limits": limits.numbers(), "files": list(given), "folder": folder, "benign": benign}
            send(self._control, request, tuple(given.values()))
            # A program's time is watched where it runs; here it is only the last resort.
            most = limits.seconds if self.profile == "shell" else PATIENCE * limits.seconds + _SETTLE_SECONDS
            received = Received(self._await_answer(started + most, stop), seconds=time.monotonic() - started)
            if os.fstat(given["job"]).st_size and not received.outcome.get("stopped"):
                received.outcome = {"broken": "a program could not be started", **received.outcome, "spent": True}
            for name in outputs:
                data = os.pread(given[name], limits.output_bytes + 1, 0)
                received.streams[name] = data[: limits.output_bytes]
                received.overflow |= len(data) > limits.output_bytes
        finally:
            for descriptor in given.values():
                os.close(descriptor)
        self.spent = bool(received.outcome.get("spent"))
        return received

    def close(self) -> None:
        """End the worker and everything it may still run."""
        with suppress(OSError):  # the worker is gone
            self._control.shutdown(_socket.SHUT_RDWR)  # a forked copy of this process may hold the socket open
        self._control.close()
        try:
            self._process.wait(_SETTLE_SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(self._process.pid, signal.SIGKILL)  # one that has not come far has others below it
            self._process.wait()
        os.close(self._complaints)
        if os.path.isdir(self._home) and empty(self._home, _SWEEP_SECONDS):
            os.rmdir(self._home)

    def _await_answer(self, deadline: float, stop: Stop | None) -> dict[str, Any]:
        control = self._control.fileno()
        if not wait(control, deadline - time.monotonic(), stop):
            send(self._control, {"stop": True})
            if not wait(control, _SETTLE_SECONDS):
                raise ConnectionError("the worker does not stop what it runs")
        answer, _ = receive(self._control)
        if not answer:
            raise ConnectionError(f"the sandbox's worker ended unexpectedly: {self._complaint()}")
        return answer

    def _complaint(self) -> str:
        with suppress(subprocess.TimeoutExpired):
            self._process.wait(1)
        said = os.pread(self._complaints, _COMPLAINT_BYTES, 0)
        return said[-2_000:].decode(errors="replace").strip() or "it gave no reason"


def _interpreter() -> str:
    # Not the virtual environment's: a program could read off its path where that lies.
    base = getattr(sys, "_base_executable", "")
    return base if base and os.access(base, os.X_OK) else sys.executable


def nameless_file(content: bytes = b"") -> int:
    """An open file without a name, at its beginning."""
    if hasattr(os, "memfd_create"):  # not on the disk, which may be full or read-only
        descriptor = clear_of_streams(os.memfd_create("ringtrue"))
    else:
        with tempfile.TemporaryFile() as file:
            descriptor = os.dup(file.fileno())
    rest = memoryview(content)
    while rest:
        rest = rest[os.pwrite(descriptor, rest, len(content) - len(rest)) :]
    return descriptor
