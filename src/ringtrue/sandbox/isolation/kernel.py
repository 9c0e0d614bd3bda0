"""Linux calls the standard library lacks, through ctypes: mounts, namespaces, capabilities, prctl."""

from __future__ import annotations

import ctypes
import errno
import os
import struct

NEW_NS, NEW_CGROUP, NEW_UTS, NEW_IPC = 0x0002_0000, 0x0200_0000, 0x0400_0000, 0x0800_0000
NEW_USER, NEW_PID, NEW_NET = 0x1000_0000, 0x2000_0000, 0x4000_0000

READ_ONLY, NO_SUID, NO_DEV, REMOUNT, BIND, RECURSIVE, PRIVATE = 1, 2, 4, 32, 4096, 16384, 1 << 18
DETACH = 2

SIGKILL = 9
"""Spelled out: the module `signal` builds its names at import, which a small worker can do without."""

_SET_PDEATHSIG, _SET_DUMPABLE, _SET_NO_NEW_PRIVS, _CAPBSET_DROP = 1, 4, 38, 24
_CAPABILITY_HEADER = (0x2008_0522).to_bytes(4, "little") + bytes(4)
_DAC_OVERRIDE, _DAC_READ_SEARCH = 1, 2
_KEEP_CAPABILITIES = 8

_PIVOT_ROOT = {"x86_64": 155, "aarch64": 41}
_CAPSET = {"x86_64": 126, "aarch64": 91}
_CAPGET = {"x86_64": 125, "aarch64": 90}
_MOUNT_SETATTR = 442  # the same on every processor
_HERE, _AND_BELOW = -100, 0x8000
_READ_ONLY_NO_SUID = struct.pack("QQQQ", 1 | 2, 0, 0, 0)

MACHINE = {"amd64": "x86_64", "arm64": "aarch64"}.get(os.uname().machine, os.uname().machine)
"""The processor's name as the kernel's tables have it."""


def syscall(number: int, *arguments: int | bytes | ctypes.Array[ctypes.c_char] | None) -> int:
    """The result of a raw system call; a failure raises OSError."""
    passed = [ctypes.c_long(item) if isinstance(item, int) else item for item in arguments]
    result = int(_libc().syscall(ctypes.c_long(number), *passed))
    if result < 0:
        raise _error()
    return result


def prctl(option: int, value: int = 0, more: int = 0) -> None:
    """Set one attribute of this process."""
    if _libc().prctl(option, value, more, 0, 0) < 0:
        raise _error()


def unshare(flags: int) -> None:
    """Leave the given namespaces for new ones."""
    if _libc().unshare(flags) < 0:
        raise _error()


def join(namespace: int, kind: int) -> None:
    """Enter, or for process namespaces let children enter, the namespace an open file stands for."""
    if _libc().setns(namespace, kind) < 0:
        raise _error()


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount, bind or remount; the message of a failure names the target."""
    encoded = [text.encode() or None for text in (source, target, kind)]
    if _libc().mount(*encoded, ctypes.c_ulong(flags), options.encode() or None) < 0:
        raise _error(target)


def unmount(target: str) -> None:
    """Remove a mount at once, even while it is in use."""
    if _libc().umount2(target.encode(), DETACH) < 0:
        raise _error(target)


def bind_read_only(source: str, target: str) -> None:
    """Show a file or directory elsewhere with all that is mounted below it, read-only, without set-user-id programs."""
    mount(source, target, flags=BIND | RECURSIVE)
    try:
        attributes = ctypes.create_string_buffer(_READ_ONLY_NO_SUID, len(_READ_ONLY_NO_SUID))
        path = ctypes.create_string_buffer(target.encode())
        syscall(_MOUNT_SETATTR, _HERE, path, _AND_BELOW, attributes, len(_READ_ONLY_NO_SUID))
    except OSError as error:
        raise OSError(error.errno, f"{error.strerror} (mount_setattr, Linux 5.12)", target) from error


def pivot_root(new: str, old: str) -> None:
    """Make a mount point the root of this mount namespace; the old root stays visible at `old`."""
    paths = [ctypes.create_string_buffer(path.encode()) for path in (new, old)]
    syscall(_PIVOT_ROOT[MACHINE], *paths)


def drop_bounding_set() -> None:
    """No program started from here can ever regain a capability; done while the right to do so is still held."""
    for number in range(64):
        try:
            prctl(_CAPBSET_DROP, number)
        except OSError as error:
            if error.errno == errno.EINVAL:  # beyond the last capability this kernel knows
                return
            if error.errno != errno.EPERM:  # a process that may not drop has nothing to regain
                raise


def clear_capabilities(*, keep: int = 0) -> None:
    """Give up every capability this process has, but those in the mask `keep`."""
    syscall(_CAPSET[MACHINE], _CAPABILITY_HEADER, struct.pack("6I", keep, keep, 0, 0, 0, 0))


def reading_capability() -> int:
    """The least capability this process has that reads past a file's mode, as a mask; 0 where it has none."""
    held = ctypes.create_string_buffer(24)
    syscall(_CAPGET[MACHINE], _CAPABILITY_HEADER, held)
    permitted = struct.unpack("6I", held.raw)[1]
    return next((1 << number for number in (_DAC_READ_SEARCH, _DAC_OVERRIDE) if permitted >> number & 1), 0)


def keep_capabilities() -> None:
    """Let the capabilities of this process survive the next change of its user."""
    prctl(_KEEP_CAPABILITIES, 1)


def forbid_new_privileges() -> None:
    """No program started from here gains rights by its set-user-id bit; unprivileged filters need this."""
    prctl(_SET_NO_NEW_PRIVS, 1)


def forbid_dumps() -> None:
    """No core file, and no look into this process for others of the same user."""
    prctl(_SET_DUMPABLE, 0)


def die_with_parent(signal_number: int) -> None:
    """Get this signal when the parent ends; changing the user afterwards takes it back."""
    prctl(_SET_PDEATHSIG, signal_number)


_LIBRARY: list[ctypes.CDLL] = []


def _libc() -> ctypes.CDLL:
    if not _LIBRARY:
        library = ctypes.CDLL(None, use_errno=True)
        library.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
        _LIBRARY.append(library)
    return _LIBRARY[0]


def _error(where: str = "") -> OSError:
    number = ctypes.get_errno()
    return OSError(number, os.strerror(number), where) if where else OSError(number, os.strerror(number))
