"""Filters of system calls: what a program may ask of the kernel at all."""

from __future__ import annotations

import ctypes
import errno
import struct
from collections.abc import Iterable
from functools import cache
from typing import NamedTuple

from ringtrue.sandbox.isolation.kernel import MACHINE, prctl
from ringtrue.sandbox.isolation.syscalls import (
    FREE,
    MODES,
    PASSING,
    PRIVILEGED,
    SERVING,
    SHARING,
    WEIGHED,
    is_known,
    numbers,
)

_ARCH = {"x86_64": 0xC000_003E, "aarch64": 0xC000_00B7}
_ALLOW, _ERRNO, _KILL = 0x7FFF_0000, 0x0005_0000, 0x8000_0000
_X32 = 0x4000_0000
_NEWER = 450
"""Calls beyond this number are unknown to the table; `not implemented` lets the C library fall back."""

_REFUSED, _MISSING = _ERRNO | errno.EPERM, _ERRNO | errno.ENOSYS
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN, _GO = 0x20, 0x15, 0x35, 0x54, 0x06, 0x05
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16

_THREAD = 0x0001_0000
_NAMESPACES = 0x7E02_0000
_UNIX, _INET, _INET6, _STREAM = 1, 2, 10, 1
_PROCESS_NAME = (15, 16)
_OUT_OF_BAND = 1
_SHARED_ANONYMOUS = 0x21
"""Memory that stays filled when all but a page of it is unmapped, where no limit on address space counts it."""

_TERMINAL_QUESTIONS = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
"""Is this a terminal, how wide; bytes waiting; non-blocking; close on exec."""

_OWNERSHIP = (8, 10, 15, 1024, 1026)
"""Owner and kind of a file's signals, leases, directory notices: ways to signal others without `kill`."""

_WEIGHED_LATER = ("kill", "tgkill", "prctl", "sendto", "recvfrom")
"""What a worker may do and a program may by its arguments."""

_SET_SECCOMP, _FILTER_MODE, _GET_SECCOMP = 22, 2, 21
_SIZE = 8
"""Bytes of an instruction."""


def available() -> bool:
    """Whether this kernel filters system calls and the processor's numbers are known."""
    if not is_known(MACHINE):
        return False
    try:
        prctl(_GET_SECCOMP)
    except OSError:
        return False
    return True


@cache
def worker_filter(*, private_root: bool) -> bytes:
    """Only listed calls: no program start, no socket beyond pairs, nothing privileged; but forks, and signals to them.

    Without a private root, which guards the host's files and bounds the directory's size, changing a mode or a time
    does nothing and says that it did, and no file gets its space at once, faster than anybody can look.
    """
    calls = numbers(WEIGHED, MACHINE)
    free = numbers(FREE, MACHINE) | numbers(SERVING, MACHINE) | numbers(PASSING, MACHINE)
    plain = dict.fromkeys([*free.values(), *(calls[name] for name in _WEIGHED_LATER)], _ALLOW)
    plain |= dict.fromkeys(numbers(MODES, MACHINE).values(), _ALLOW if private_root else _ERRNO)
    plain[calls["fallocate"]] = _ALLOW if private_root else _ERRNO | errno.EOPNOTSUPP
    plain[calls["clone3"]] = _MISSING
    weighed = {
        calls["clone"]: _masked_test(0, _NAMESPACES, 0),
        calls["mmap"]: _without_all(3, _SHARED_ANONYMOUS),
        calls["fcntl"]: _none_of(1, _OWNERSHIP),
        calls["ioctl"]: _one_of(1, _TERMINAL_QUESTIONS, _ERRNO | errno.ENOTTY),
        calls["prlimit64"]: _one_of(0, [0], _REFUSED),
        # A datagram pair could still write to any named socket; a stream pair talks to its other end only.
        calls["socketpair"]: [_load_argument(0), *_unless(_UNIX, _ret(_REFUSED)), *_masked_test(1, 0xF, _STREAM)],
    }
    return _assemble(plain, weighed, otherwise=_REFUSED)


@cache
def shell_filter() -> bytes:
    """Everything but what reaches other processes' memory, mounts, namespaces, clocks, modules and exotic networks.

    Memory that no process has to map could not be counted: there is none.
    """
    calls = numbers(WEIGHED, MACHINE)
    return _assemble(
        dict.fromkeys(numbers(PRIVILEGED, MACHINE).values(), _REFUSED)
        | dict.fromkeys([calls["clone3"], *numbers(SHARING, MACHINE).values()], _MISSING),
        {
            calls["clone"]: _masked_test(0, _NAMESPACES, 0),
            calls["mmap"]: _without_all(3, _SHARED_ANONYMOUS),
            calls["socket"]: _one_of(0, [_UNIX, _INET, _INET6], _ERRNO | errno.EAFNOSUPPORT),
        },
        otherwise=_ALLOW,
    )


def install(program: bytes) -> None:
    """Filter every further system call of this process and of all it starts; it cannot be taken back."""
    _install(_in_memory(program))


def close(pid: int, *, serving: bool) -> None:
    """On top of the worker's filter: no fork, no signal to anybody but this process, no change of its own standing.

    No open file is sent or, unless it is `serving`, received.
    """
    prepared = prepare(serving)
    prepared.process.value = pid
    _install(prepared)


@cache
def prepare(serving: bool) -> _InMemory:
    """Assemble once, in the worker, what is the same for every program."""
    calls = numbers(WEIGHED, MACHINE)
    refused = numbers(SERVING, MACHINE) | numbers(PASSING, MACHINE)
    if serving:
        del refused["recvmsg"]
    filter_ = _assemble(
        dict.fromkeys(refused.values(), _REFUSED),
        {
            calls["sendto"]: _masked_test(3, _OUT_OF_BAND, 0),
            calls["recvfrom"]: _masked_test(3, _OUT_OF_BAND, 0),
            calls["clone"]: _masked_test(0, _THREAD, _THREAD),
            calls["prctl"]: _one_of(0, _PROCESS_NAME, _REFUSED),
            calls["kill"]: [],
            calls["tgkill"]: [],
        },
        otherwise=_ALLOW,
    )
    # The check of the process a signal is for comes last, at a place that is known when the process is.
    return _in_memory(filter_ + b"".join(_one_of(0, [0], _REFUSED)))


class _InMemory(NamedTuple):
    """A filter as the kernel wants it: its length and address, and both where they stay.

    `process` is the number that the last comparison of the filter is with.
    """

    address: int
    code: ctypes.Array[ctypes.c_char]
    header: ctypes.Array[ctypes.c_char]
    process: ctypes.c_uint32


def _in_memory(program: bytes) -> _InMemory:
    code = ctypes.create_string_buffer(program, len(program))
    header = struct.pack("HxxxxxxP", len(program) // _SIZE, ctypes.addressof(code))
    kept = ctypes.create_string_buffer(header, len(header))
    compared = ctypes.c_uint32.from_buffer(code, len(program) - 3 * _SIZE + 4)
    return _InMemory(ctypes.addressof(kept), code, kept, compared)


def _install(prepared: _InMemory) -> None:
    prctl(_SET_SECCOMP, _FILTER_MODE, prepared.address)


def _assemble(plain: dict[int, int], weighed: dict[int, list[bytes]], *, otherwise: int) -> bytes:
    """A filter that finds a call's number in a balanced tree; an empty body in `weighed` is what the caller appends."""
    head = [_load(_ARCHITECTURE), *_unless(_ARCH[MACHINE], _ret(_KILL)), _load(_NUMBER)]
    bodies = {number: body for number, body in weighed.items() if body}
    offsets, at = {}, 0
    for number, body in bodies.items():
        offsets[number] = at
        at += len(body)
    offsets |= dict.fromkeys(weighed.keys() - bodies.keys(), at)
    pieces = _pieces(plain, weighed.keys(), otherwise)
    tree = _tree(pieces)
    code: list[bytes] = []
    for position, (kind, value, yes) in enumerate(tree):
        if kind == "body":
            code.append(_op(_GO, len(tree) - position - 1 + offsets[value]))
        else:
            code.append(_ret(value) if kind == "return" else _jump(_AT_LEAST, value, yes, 0))
    return b"".join([*head, *code, *(item for body in bodies.values() for item in body)])


def _pieces(plain: dict[int, int], weighed: Iterable[int], otherwise: int) -> list[tuple[int, str, int]]:
    """Return the places where a new answer begins: first number, and either what to return or whose body to run."""
    answers = {number: ("return", action) for number, action in plain.items()}
    answers |= {number: ("body", number) for number in weighed}
    newer = ("return", otherwise if otherwise == _ALLOW else _MISSING)
    pieces: list[tuple[int, str, int]] = []
    for number in range(_NEWER + 1):
        answer = answers.get(number, ("return", otherwise)) if number < _NEWER else newer
        if not pieces or pieces[-1][1:] != answer:
            pieces.append((number, *answer))
    if MACHINE == "x86_64":
        pieces.append((_X32, "return", _MISSING))
    return pieces


def _tree(pieces: list[tuple[int, str, int]]) -> list[tuple[str, int, int]]:
    if len(pieces) == 1:
        return [(pieces[0][1], pieces[0][2], 0)]
    middle = len(pieces) // 2
    low, high = _tree(pieces[:middle]), _tree(pieces[middle:])
    return [("at least", pieces[middle][0], len(low)), *low, *high]


def _one_of(argument: int, values: tuple[int, ...] | list[int], otherwise: int) -> list[bytes]:
    found = [_load_argument(argument)]
    for value in values:
        found += [_jump(_EQUAL, value, 0, 1), _ret(_ALLOW)]
    return [*found, _ret(otherwise)]


def _none_of(argument: int, values: tuple[int, ...]) -> list[bytes]:
    found = [_load_argument(argument)]
    for value in values:
        found += [_jump(_EQUAL, value, 0, 1), _ret(_REFUSED)]
    return [*found, _ret(_ALLOW)]


def _masked_test(argument: int, mask: int, value: int) -> list[bytes]:
    return [_load_argument(argument), _op(_AND, mask), _jump(_EQUAL, value, 0, 1), _ret(_ALLOW), _ret(_REFUSED)]


def _without_all(argument: int, bits: int) -> list[bytes]:
    return [_load_argument(argument), _op(_AND, bits), _jump(_EQUAL, bits, 0, 1), _ret(_REFUSED), _ret(_ALLOW)]


def _unless(value: int, otherwise: bytes) -> list[bytes]:
    return [_jump(_EQUAL, value, 1, 0), otherwise]


def _load(offset: int) -> bytes:
    return _op(_LOAD, offset)


def _load_argument(index: int) -> bytes:
    # The low half: every weighed argument is an int or an unsigned int in the kernel, which ignores the rest.
    return _load(_ARGUMENTS + 8 * index)


def _op(code: int, value: int) -> bytes:
    return struct.pack("HBBI", code, 0, 0, value)


def _jump(code: int, value: int, yes: int, no: int) -> bytes:
    return struct.pack("HBBI", code, yes, no, value)


def _ret(action: int) -> bytes:
    return _op(_RETURN, action)
