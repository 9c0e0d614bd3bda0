"""What must be the same on this machine after programs ran in the sandbox: processes, files, sockets."""

from __future__ import annotations

import os
import stat
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

WATCHED = ("/etc", "/usr/bin", "/bin", "/usr/local/bin", os.path.dirname(os.__file__))
PATIENCE_SECONDS = 60.0


@contextmanager
def unchanged() -> Iterator[None]:
    """Whatever happens inside leaves no process, no temporary file, no socket, and every watched file as it was."""
    files, temporary, sockets, others = fingerprint(), leftovers(), unix_sockets(), descendants(os.getpid())
    yield
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (alive := descendants(os.getpid()).keys() - others.keys()) and time.monotonic() < deadline:
        time.sleep(0.05)
    assert not alive, f"still running: {alive}"
    # Other test processes make and leave sandboxes of their own meanwhile.
    assert not {name for name in leftovers() - temporary if name.split("-")[2] == str(os.getpid())}
    assert unix_sockets() <= sockets
    assert fingerprint() == files


def fingerprint() -> dict[str, tuple[int, int, int]]:
    """Mode, size and time of every watched file; caches of compiled modules come and go with anybody's imports."""
    found = {}
    for top in WATCHED:
        for folder, names, files in os.walk(top):
            names[:] = [name for name in names if name not in ("__pycache__", "site-packages", "dist-packages")]
            for name in files:
                path = os.path.join(folder, name)
                try:
                    status = os.lstat(path)
                except OSError:
                    continue
                found[path] = (stat.S_IMODE(status.st_mode), status.st_size, status.st_mtime_ns)
    return found


def leftovers() -> set[str]:
    """Directories of this process's sandboxes, or of those of processes that are gone; others are in use."""
    found = {path.name for path in Path(tempfile.gettempdir()).glob("ringtrue-sandbox-*")}
    owners = {name: name.split("-")[2] for name in found}
    return {name for name, pid in owners.items() if pid == str(os.getpid()) or not Path(f"/proc/{pid}").exists()}


def descendants(root: int) -> dict[int, str]:
    """The living processes below a process, however deep, with their command lines; zombies are not counted."""
    parents: dict[int, int] = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                line = Path(f"/proc/{name}/stat").read_text()
            except OSError:
                continue
            state, parent = line.rpartition(")")[2].split()[:2]
            if state != "Z":
                parents[int(name)] = int(parent)
    found: set[int] = set()
    added = {pid for pid, parent in parents.items() if parent == root}
    while added:
        found |= added
        added = {pid for pid, parent in parents.items() if parent in added}
    return {pid: _command(pid) for pid in sorted(found)}


def unix_sockets() -> set[str]:
    """Unix sockets, abstract ones included, by the names that hostile programs give theirs."""
    lines = [line.split() for line in Path("/proc/net/unix").read_text().splitlines()[1:]]
    return {line[7] for line in lines if len(line) > 7 and line[7].endswith(("mine", "canary"))}


def marked(marker: str) -> list[int]:
    """Processes that carry a marker in their command line or environment."""
    found = []
    for name in os.listdir("/proc"):
        if name.isdigit() and int(name) != os.getpid():
            for part in ("cmdline", "environ"):
                try:
                    if marker.encode() in Path(f"/proc/{name}/{part}").read_bytes():
                        found.append(int(name))
                except OSError:
                    continue
    return found


def is_root() -> bool:
    return os.geteuid() == 0


def open_interpreter() -> str:
    """An interpreter every user may run; empty where there is none."""
    for path in (sys.executable, "/usr/bin/python3", "/usr/local/bin/python3"):
        real = os.path.realpath(path)
        folders = [real, *map(str, Path(real).parents)]
        if os.path.exists(real) and all(os.stat(folder).st_mode & 0o001 for folder in folders):
            return path
    return ""


def _command(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace")[:200]
    except OSError:
        return "?"
