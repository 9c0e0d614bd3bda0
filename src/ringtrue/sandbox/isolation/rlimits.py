"""Resource limits of the process that will run a program."""

from __future__ import annotations

import math
import resource
from collections.abc import Mapping

_FILES = 24
"""Open files without which no program starts."""

_NOTHING = ("RLIMIT_CORE", "RLIMIT_MEMLOCK", "RLIMIT_MSGQUEUE", "RLIMIT_NICE", "RLIMIT_RTPRIO")


def forbid() -> None:
    """Forbid what no program needs: core files, locked memory, message queues, precedence over others."""
    for name in _NOTHING:
        _set(name, 0)


def apply(limits: Mapping[str, float], *, harness: int | None) -> None:
    """Set every limit but that of time.

    `harness` is how many processes of the harness are counted with the program's; None where others of the same user
    are counted too, so that a limit would hit the wrong ones.
    """
    _set("RLIMIT_AS", int(limits["memory_bytes"]))
    _set("RLIMIT_FSIZE", int(limits["file_bytes"]))
    _set("RLIMIT_NOFILE", max(_FILES, int(limits["open_files"])))
    if harness is not None:
        _set("RLIMIT_NPROC", int(limits["processes"]) + harness)


def apply_time(limits: Mapping[str, float]) -> None:
    """Limit the processor time: first a signal that names the reason, a second later the end."""
    seconds = max(1, math.ceil(limits["cpu_seconds"]))
    _set("RLIMIT_CPU", seconds, seconds + 1)


def _set(name: str, soft: int, hard: int | None = None) -> None:
    number = getattr(resource, name, None)
    if number is None:
        return
    hard = soft if hard is None else hard
    try:
        resource.setrlimit(number, (soft, hard))
    except ValueError:  # the caller lives under a lower limit already
        ceiling = resource.getrlimit(number)[1]
        resource.setrlimit(number, (min(soft, ceiling), min(hard, ceiling)))
