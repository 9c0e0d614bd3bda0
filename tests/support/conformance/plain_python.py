"""What plain Python says of programs: each runs with its tests in a forked process, without isolation.

Published solutions and small changes of them do no harm; nothing else belongs here.
"""

from __future__ import annotations

import os
import resource
import signal
import sys
import tempfile
from concurrent.futures import ProcessPoolExecutor
from decimal import Decimal, InvalidOperation
from multiprocessing import get_context

from support.conformance.shapes import Judged

SLOW_SECONDS = 0.9
"""Programs that need more prove nothing: on the border of a limit both answers are right."""

_MOST_SECONDS, _MOST_BYTES = 1, 2 << 30
_PASSED = 77


def truths(programs: list[Judged]) -> list[bool | None]:
    """Whether each passes; None for one that takes too long."""
    with ProcessPoolExecutor(mp_context=get_context("fork")) as pool:
        return list(pool.map(truth, programs, chunksize=20))


def truth(judged: Judged) -> bool | None:
    """Whether a program passes in a process of its own."""
    if not judged.streams:
        return _passes(judged.script, "", None)
    said = [_passes(judged.script, given, wanted) for given, wanted in judged.streams]
    return None if None in said else all(said)


def _passes(script: str, stdin: str, expected: str | None) -> bool | None:
    with tempfile.TemporaryFile() as given, tempfile.TemporaryFile() as printed:
        given.write(stdin.encode())
        given.seek(0)
        child = os.fork()
        if not child:
            _run(script, given.fileno(), printed.fileno())
        _, status, usage = os.wait4(child, 0)
        # On a busy machine the kernel counts more than it reports, and ends a program earlier.
        if usage.ru_utime + usage.ru_stime > SLOW_SECONDS or os.WIFSIGNALED(status):
            return None
        printed.seek(0)
        same = expected is None or _same(printed.read().decode(errors="replace"), expected)
        return os.waitstatus_to_exitcode(status) == _PASSED and same


def _run(script: str, stdin: int, stdout: int) -> None:
    code = 1
    try:
        os.dup2(stdin, 0)
        os.dup2(stdout, 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        resource.setrlimit(resource.RLIMIT_CPU, (_MOST_SECONDS, _MOST_SECONDS))
        resource.setrlimit(resource.RLIMIT_AS, (_MOST_BYTES, _MOST_BYTES))
        signal.alarm(60 * _MOST_SECONDS)
        sys.stdin, sys.stdout = open(0, closefd=False), open(1, "w", closefd=False)  # noqa: SIM115
        exec(compile(script, "script.py", "exec", dont_inherit=True), {"__name__": "__main__"})
        sys.stdout.flush()
        code = _PASSED
    finally:
        os._exit(code)


def _same(printed: str, expected: str) -> bool:
    """LiveCodeBench's rule: the same lines without blanks around them, or the same decimal numbers."""
    one, other = ([line.strip() for line in text.strip().split("\n")] for text in (printed, expected))
    return len(one) == len(other) and all(
        a == b or _numbers(a) == _numbers(b) != [] for a, b in zip(one, other, strict=True)
    )


def _numbers(line: str) -> list[Decimal]:
    try:
        return [Decimal(word) for word in line.split()]
    except InvalidOperation:
        return []
