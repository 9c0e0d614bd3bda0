"""The shell profile: a command with a process tree of its own, bounded as a whole, without a network."""

from __future__ import annotations

import _socket
import fcntl
import os
import struct
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Any

from ringtrue.sandbox.exam import candidate
from ringtrue.sandbox.isolation import kernel, private_root
from ringtrue.sandbox.isolation.walls import Walls
from ringtrue.sandbox.pool.child import BROKEN, arrange, read_job

MEMORY = 112
"""The exit code of a tree that used more memory than it may."""

_WATCH_SECONDS = 0.05
_MEMORY_FIELDS = {"smaps_rollup": b"Pss_Anon:", "status": b"RssAnon:"}
"""Where a process says how much it holds: first with its share of what it shares, else with all of that."""

_SET_FLAGS, _UP = 0x8914, 1


def start(walls: Walls, view: Mapping[str, Any], message: Mapping[str, Any], given: Mapping[str, int]) -> int:
    """Fork the first process of a new process namespace: when it ends, or is ended, the whole tree has ended."""
    own = os.open("/proc/self/ns/pid", os.O_RDONLY)
    try:
        kernel.unshare(kernel.NEW_PID)
        process = os.fork()
        if process:
            kernel.join(own, kernel.NEW_PID)  # the next tree starts beside this one, not below it
            return process
    finally:
        os.close(own)
    code = BROKEN
    try:
        code = _first_process(walls, view, message, given)
    except BaseException as error:  # nothing may escape into the worker's own code
        os.write(given["stderr"], f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(code)


def _first_process(walls: Walls, view: Mapping[str, Any], message: Mapping[str, Any], given: Mapping[str, int]) -> int:
    kernel.die_with_parent(kernel.SIGKILL)
    kernel.forbid_dumps()
    os.setsid()
    limits, folder = message["limits"], message["folder"]
    kernel.unshare(private_root.APART)
    if folder and walls.user is not None:
        _hand_over(folder, walls.user)
    private_root.build(view, processes=True, folder=folder)
    _write_accounts(walls.user if walls.user is not None else private_root.INSIDE_ID)
    _raise_loopback()
    private_root.close(int(limits["disk_bytes"]), walls.user)
    command = os.fork()
    if command:
        arrange({})
        return _watch(command, int(limits["memory_bytes"]))
    try:
        _run_command(walls, view, message, given)
    except BaseException as error:  # nothing may escape into the first process's code
        os.write(2, f"{type(error).__name__}: {error}\n".encode(errors="replace"))
    finally:
        os._exit(BROKEN)


def _run_command(walls: Walls, view: Mapping[str, Any], message: Mapping[str, Any], given: Mapping[str, int]) -> None:
    arrange({0: given.get("stdin", 0), 1: given["stdout"], 2: given["stderr"], 3: given["job"]})
    os.setsid()
    walls.enclose(message["limits"])
    task = read_job()
    os.chdir(private_root.HOME)
    candidate.furnish(task["files"])
    if message["folder"]:
        os.chdir(private_root.FOLDER)
    path = ":".join(dict.fromkeys([os.path.join(sys.base_prefix, "bin"), "/usr/local/bin", "/usr/bin", "/bin"]))
    environment = {"HOME": private_root.HOME, "TMPDIR": private_root.HOME, "PATH": path, "LANG": "C.UTF-8"}
    if view["import_paths"]:
        environment["PYTHONPATH"] = ":".join(view["import_paths"])
    os.execve("/bin/sh", ["sh", "-c", task["program"]], environment)


def _watch(command: int, memory: int) -> int:
    """Reap what dies, add up what the living use, and leave with the command's exit code."""
    while True:
        process, status = os.waitpid(-1, os.WNOHANG)
        if process == command:
            code = os.waitstatus_to_exitcode(status)
            return code if code >= 0 else 128 - code
        if process == 0:
            if _used_bytes() > memory:
                return MEMORY
            time.sleep(_WATCH_SECONDS)


def _used_bytes() -> int:
    """Bytes of memory the tree holds; what processes share is counted once."""
    return 1024 * sum(_held_kib(name) for name in os.listdir("/proc") if name.isdigit() and name != "1")


def _held_kib(process: str) -> int:
    tasks = f"/proc/{process}/task"
    with suppress(OSError):
        # The first thread may have ended: then only the others say what the process holds.
        for place in (f"/proc/{process}", *(f"{tasks}/{task}" for task in os.listdir(tasks) if task != process)):
            for source, field in _MEMORY_FIELDS.items():
                with suppress(OSError), open(f"{place}/{source}", "rb") as file:
                    held = [int(line.split()[1]) for line in file if line.startswith(field)]
                    if held:
                        return sum(held)
    return 0


def _hand_over(folder: str, user: int) -> None:
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            os.chown(os.path.join(parent, name), user, user, follow_symlinks=False)
    os.chown(folder, user, user)


def _write_accounts(user: int) -> None:
    accounts = {"passwd": f"sandbox:x:{user}:{user}::{private_root.HOME}:/bin/sh\n", "group": f"sandbox:x:{user}:\n"}
    os.makedirs("/etc", exist_ok=True)
    for name, text in {**accounts, "hosts": "127.0.0.1 localhost sandbox\n"}.items():
        with open(f"/etc/{name}", "w") as file:
            file.write(text)


def _raise_loopback() -> None:
    # The network namespace has nothing but its own loopback, which a project's own tests may need.
    any_socket = _socket.socket(_socket.AF_INET, _socket.SOCK_DGRAM)
    fcntl.ioctl(any_socket.fileno(), _SET_FLAGS, struct.pack("16sh14x", b"lo", _UP))
    any_socket.close()
