"""A private root: own namespaces, an empty file system, and read-only windows onto the few paths a view names."""

from __future__ import annotations

import _socket
import os
from collections.abc import Mapping
from typing import Any

from ringtrue.sandbox.isolation.directories import ENTRIES
from ringtrue.sandbox.isolation.kernel import (
    BIND,
    NEW_CGROUP,
    NEW_IPC,
    NEW_NET,
    NEW_NS,
    NEW_PID,
    NEW_USER,
    NEW_UTS,
    NO_DEV,
    NO_SUID,
    PRIVATE,
    READ_ONLY,
    RECURSIVE,
    REMOUNT,
    bind_read_only,
    mount,
    pivot_root,
    unmount,
    unshare,
)

HOME = "/box"
"""The private directory, also known as /tmp."""

DEVICES = ("/dev/null", "/dev/full", "/dev/random", "/dev/urandom")

_ZERO = ("/dev/full", "/dev/zero")
"""Both are read as zeros without end; the real `zero`, mapped, would be memory that is not counted."""

INSIDE_ID = 1000
"""The user a program believes to be where a user namespace maps it to the caller."""

FOLDER = "/project"
"""Where a folder of the caller appears, for a shell that works on it."""

APART = NEW_NS | NEW_NET | NEW_IPC | NEW_UTS | NEW_CGROUP


def enter_namespaces() -> None:
    """New namespaces of every kind; without root rights, a user namespace that makes the others possible."""
    if os.geteuid() == 0:
        unshare(APART | NEW_PID)
        return
    user, group = os.geteuid(), os.getegid()
    unshare(NEW_USER | APART | NEW_PID)
    for name, text in (
        ("setgroups", "deny"),
        ("uid_map", f"{INSIDE_ID} {user} 1"),
        ("gid_map", f"{INSIDE_ID} {group} 1"),
    ):
        with open(f"/proc/self/{name}", "w") as file:
            file.write(text)


def build(view: Mapping[str, Any], *, processes: bool = False, folder: str = "") -> None:
    """Make the view the whole file system of this mount namespace, under a host name of its own.

    `processes` adds a /proc for them; `folder` is the one place of the host that can be written to.
    """
    os.umask(0o022)  # whatever the caller's is, the program's user must reach what is made here
    _socket.sethostname("sandbox")
    mount("", "/", flags=RECURSIVE | PRIVATE)
    # First the old root moves aside as a whole, so that no path of the view can be covered by the new one.
    mount("tmpfs", "/tmp", "tmpfs", NO_SUID | NO_DEV, "mode=0755,size=1m")
    os.mkdir("/tmp/old")
    os.mkdir("/tmp/new")
    pivot_root("/tmp", "/tmp/old")
    mount("tmpfs", "/new", "tmpfs", NO_SUID | NO_DEV, "mode=0755,size=1m")
    for path, real in view["readable"]:
        _show(path, real)
    for path in view["hidden"]:
        mount("tmpfs", f"/new{path}", "tmpfs", NO_SUID | NO_DEV | READ_ONLY, "mode=0755,size=4k")
    for device, path in (*zip(DEVICES, DEVICES, strict=True), _ZERO):
        _place(path, directory=False)
        mount(f"/old{device}", f"/new{path}", flags=BIND)
    os.makedirs(f"/new{HOME}")
    if not os.path.lexists("/new/tmp"):  # a path that is shown may lie below it
        os.symlink(HOME, "/new/tmp")
    if processes:
        os.mkdir("/new/proc")
        mount("proc", "/new/proc", "proc", NO_SUID | NO_DEV)
    if folder:
        os.mkdir(f"/new{FOLDER}")
        mount(f"/old{folder}", f"/new{FOLDER}", flags=BIND)
        mount("", f"/new{FOLDER}", flags=REMOUNT | BIND | NO_SUID | NO_DEV)
    os.chdir("/new")
    pivot_root(".", ".")
    unmount(".")
    os.chdir("/")


def close(size: int, owner: int | None) -> None:
    """A private directory in memory, of bounded size; apart from it nothing of the root can be written to any more."""
    ownership = f",uid={owner},gid={owner}" if owner is not None else ""
    options = f"mode=0700,size={size},nr_inodes={ENTRIES}{ownership}"
    mount("tmpfs", HOME, "tmpfs", NO_SUID | NO_DEV, options)
    mount("", "/", flags=REMOUNT | BIND | READ_ONLY | NO_SUID | NO_DEV)


def _show(path: str, real: str) -> None:
    source, target = f"/old{real}", f"/new{path}"
    if os.path.exists(target) and os.path.samefile(source, target):
        return  # below a path that is shown already
    _place(path, directory=os.path.isdir(source))
    bind_read_only(source, target)


def _place(path: str, *, directory: bool) -> None:
    target = f"/new{path}"
    os.makedirs(target if directory else os.path.dirname(target), exist_ok=True)
    if not directory:
        os.close(os.open(target, os.O_CREAT | os.O_WRONLY, 0o644))
