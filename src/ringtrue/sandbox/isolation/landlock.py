"""Landlock: which files a process and its descendants may touch, asked of the kernel without any privilege."""

from __future__ import annotations

import ctypes
import os
import stat
import struct
from collections.abc import Iterable

from ringtrue.sandbox.isolation.kernel import syscall

_CREATE, _ADD, _RESTRICT = 444, 445, 446  # the same on every processor
_EXECUTE, _WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 0, 1 << 1, 1 << 2, 1 << 3
_REFER, _TRUNCATE, _IOCTL_DEVICE = 1 << 13, 1 << 14, 1 << 15
_FILES = _EXECUTE | _WRITE_FILE | _READ_FILE | _TRUNCATE | _IOCTL_DEVICE
_BY_ABI = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
_READ = _READ_FILE | _READ_DIR | _EXECUTE
_MAKE_DEVICES = (1 << 6) | (1 << 11)
_TCP = 3
_SIGNALS_AND_ABSTRACT_SOCKETS = 3

GUARDS_TRUNCATION = 3
"""The ABI from which a file that may be read may no longer be emptied."""


def abi() -> int:
    """The version of Landlock this kernel offers; 0 where there is none."""
    try:
        return syscall(_CREATE, None, 0, 1)
    except OSError:
        return 0


def ruleset(
    readable: Iterable[str], writable: Iterable[str], devices: Iterable[str] = (), listed: Iterable[str] = ()
) -> int:
    """A descriptor of the rules: read below `readable`, do everything but make devices below `writable`.

    Below `listed`, names can be seen and nothing else.
    Everything not named is denied, TCP and, where the kernel can, signals and abstract sockets to the outside too.
    Paths that do not exist are left out.
    """
    version = abi()
    handled = _BY_ABI[max(number for number in _BY_ABI if number <= version)]
    attributes = struct.pack("Q", handled)
    if version >= 4:
        attributes += struct.pack("Q", _TCP)
    if version >= 6:
        attributes += struct.pack("Q", _SIGNALS_AND_ABSTRACT_SOCKETS)
    rules = syscall(_CREATE, ctypes.create_string_buffer(attributes, len(attributes)), len(attributes), 0)
    granted = ((readable, _READ), (writable, ~_MAKE_DEVICES), (devices, _READ_FILE | _WRITE_FILE), (listed, _READ_DIR))
    for paths, rights in granted:
        for path in paths:
            _allow(rules, path, rights & handled)
    return rules


def restrict(rules: int) -> None:
    """Bind this process and all it starts to the rules; it cannot be taken back."""
    syscall(_RESTRICT, rules, 0)


def _allow(rules: int, path: str, rights: int) -> None:
    try:
        handle = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except OSError:
        return
    try:
        if not stat.S_ISDIR(os.fstat(handle).st_mode):
            rights &= _FILES
        if not rights:
            return
        rule = struct.pack("=Qi", rights, handle)
        syscall(_ADD, rules, 1, ctypes.create_string_buffer(rule, len(rule)), 0)
    finally:
        os.close(handle)
