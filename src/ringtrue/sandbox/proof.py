"""Proof by attempt: programs that try to escape from the sandbox this machine offers, and what became of them."""

from __future__ import annotations

import os
import secrets
import socket
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Literal

from ringtrue.sandbox.pool.handle import Unavailable
from ringtrue.sandbox.pool.limits import Limits
from ringtrue.sandbox.pool.sandbox import Profile, Sandbox

ESCAPED = "escaped"

PROGRAMS: dict[str, str] = {
    "read a file outside": "print(open({file!r}).read())",
    "write a file outside": "open({file!r}, 'a').write('x'); print('escaped')",
    "read the caller's environment": (
        "import os; print(dict(os.environ)); print(open('/proc/%d/environ' % os.getppid()).read())"
    ),
    "connect to this machine": "import socket; socket.create_connection(('127.0.0.1', {port}), 1); print('escaped')",
    "send a datagram": "import socket; socket.socket(2, 2).sendto(b'x', ('127.0.0.1', {port})); print('escaped')",
    "speak to an abstract socket": (
        "import socket; socket.socketpair(1, 2)[0].sendto(b'x', '\\0{name}'); print('escaped')"
    ),
    "end its parent": "import os; os.kill(os.getppid(), 0); print('escaped')",
    "start a process": "import os; os.fork(); print('escaped')",
    "start a program": "import subprocess; print(subprocess.run(['/bin/echo', 'escaped'], capture_output=True).stdout)",
    "trace its parent": (
        "import ctypes, os; print('escaped' if ctypes.CDLL(None).ptrace(0x4206, os.getppid(), 0, 0) == 0 else '')"
    ),
    "set the clock": "import time; time.clock_settime(0, time.time()); print('escaped')",
    "take too much memory": "x = bytearray(4 << 30); print('escaped')",
    "fill the disk": "open('f', 'wb').truncate(1 << 40); print('escaped')",
}
COMMANDS: dict[str, str] = {
    "read a file outside": "cat {file}",
    "write a file outside": "echo x >> {file} && echo escaped",
    "read the caller's environment": "env; cat /proc/*/environ",
    "connect to this machine": (
        "python3 -c \"import socket; socket.create_connection(('127.0.0.1', {port}), 1); print('escaped')\""
    ),
    "mount something": "mount -t tmpfs none /mnt && echo escaped",
    "make a namespace": "unshare --user true && echo escaped",
    "start too many processes": "i=0; while [ $i -lt 200 ]; do sleep 5 & i=$((i+1)); done; echo escaped",
    "outlive its command": "(setsid sleep {nap} >/dev/null 2>&1 &)",
}


@dataclass(frozen=True, slots=True)
class Attempt:
    """One attempt to escape: it was held, or it escaped, or there was no sandbox to try."""

    name: str
    profile: Profile
    outcome: Literal["held", "escaped", "refused"]
    detail: str = ""


def prove(sandbox: Sandbox, profiles: Iterable[Profile] = ("program", "shell")) -> list[Attempt]:
    """Try every attempt in each profile; a profile this machine cannot offer is one refused attempt."""
    attempts = {"program": PROGRAMS, "shell": COMMANDS}
    with _bait() as bait:
        return [attempt for profile in profiles for attempt in _try_all(sandbox, profile, attempts[profile], bait)]


@dataclass(slots=True)
class _Bait:
    """The targets of attempts, outside of every sandbox."""

    file: str
    secret: str
    name: str
    nap: str
    stream: socket.socket
    datagrams: socket.socket
    abstract: socket.socket

    def taken(self, stdout: str, stderr: str) -> str:
        """Return what an attempt gained, and remove all traces, so that the next attempt is judged by its own."""
        found = {
            "it saw a secret": self.secret in stdout + stderr,
            "it said so": ESCAPED in stdout,
            "its message was received": max(map(_was_reached, (self.stream, self.datagrams, self.abstract))),
            "it changed a file": self._was_changed(),
            "it left a process": _runs(self.nap),
        }
        return ", ".join(words for words, happened in found.items() if happened)

    def _was_changed(self) -> bool:
        with open(self.file, "r+") as file:
            changed = file.read() != self.secret
            file.seek(0)
            file.write(self.secret)
            file.truncate()
        return changed


@contextmanager
def _bait() -> Iterator[_Bait]:
    secret, variable = secrets.token_hex(16), "RINGTRUE_PROOF"
    before = os.environ.get(variable)
    with (
        tempfile.TemporaryDirectory() as folder,
        socket.create_server(("127.0.0.1", 0)) as stream,
        socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as datagrams,
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as abstract,
    ):
        path = os.path.join(folder, "secret.txt")
        with open(path, "w") as file:
            file.write(secret)
        os.chmod(folder, 0o777)
        os.chmod(path, 0o666)
        datagrams.bind(stream.getsockname())
        name = f"ringtrue-{secret[:8]}"
        abstract.bind(f"\0{name}")
        for listener in (stream, datagrams, abstract):
            listener.setblocking(False)
        os.environ[variable] = secret
        try:
            nap = f"{600 + secrets.randbelow(300)}.{secrets.randbelow(10**6)}"  # no other process sleeps this long
            yield _Bait(path, secret, name, nap, stream, datagrams, abstract)
        finally:
            os.environ.pop(variable)
            if before is not None:
                os.environ[variable] = before


def _try_all(sandbox: Sandbox, profile: Profile, attempts: dict[str, str], bait: _Bait) -> Iterator[Attempt]:
    try:
        sandbox.isolation(profile)
    except Unavailable as error:
        yield Attempt("start", profile, "refused", str(error))
        return
    values = {"file": bait.file, "port": bait.stream.getsockname()[1], "name": bait.name, "nap": bait.nap}
    for name, source in attempts.items():
        filled = source
        for key, value in values.items():
            filled = filled.replace(f"{{{key}!r}}", repr(value)).replace(f"{{{key}}}", str(value))
        execution = sandbox.run(filled, limits=Limits(seconds=5.0), profile=profile)
        got = bait.taken(execution.stdout, execution.stderr)
        last = execution.stderr.strip().rpartition("\n")[2].strip() or execution.reason or "it got nothing"
        yield Attempt(name, profile, "escaped" if got else "held", got or last[:200])


def _was_reached(listener: socket.socket) -> bool:
    connected = False
    while True:
        try:
            if listener.type == socket.SOCK_STREAM:
                listener.accept()[0].close()
            else:
                listener.recv(1)
        except OSError:
            return connected
        connected = True


def _runs(argument: str) -> bool:
    for name in filter(str.isdigit, os.listdir("/proc")):
        try:
            with open(f"/proc/{name}/cmdline", "rb") as file:
                if argument.encode() in file.read():
                    return True
        except OSError:
            continue
    return False
