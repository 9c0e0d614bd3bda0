"""Run a command on a kernel that lacks something: `python lacking.py 272,444 -- command ...` denies those system calls.

The calls fail with `not implemented`, as they do on a kernel without them, for the command and all it starts.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys

LOAD, EQUAL, RETURN = 0x20, 0x15, 0x06
ALLOW, ERRNO = 0x7FFF_0000, 0x0005_0000
SET_NO_NEW_PRIVS, SET_SECCOMP, FILTER = 38, 22, 2


def deny(numbers: list[int]) -> None:
    """Make the system calls with these numbers fail from now on."""
    code = struct.pack("HBBI", LOAD, 0, 0, 0)
    for number in numbers:
        code += struct.pack("HBBI", EQUAL, 0, 1, number)
        code += struct.pack("HBBI", RETURN, 0, 0, ERRNO | errno.ENOSYS)
    code += struct.pack("HBBI", RETURN, 0, 0, ALLOW)
    kept = ctypes.create_string_buffer(code, len(code))
    header = ctypes.create_string_buffer(struct.pack("HxxxxxxP", len(code) // 8, ctypes.addressof(kept)), 16)
    libc = ctypes.CDLL(None, use_errno=True)
    libc.prctl.argtypes = [ctypes.c_int, *[ctypes.c_ulong] * 4]
    assert libc.prctl(SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0
    assert libc.prctl(SET_SECCOMP, FILTER, ctypes.addressof(header), 0, 0) == 0


if __name__ == "__main__":
    deny([int(number) for number in sys.argv[1].split(",")])
    os.execvp(sys.argv[3], sys.argv[3:])
