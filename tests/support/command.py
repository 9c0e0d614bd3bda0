"""The command line in a process of its own, and what it says in this one."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple


class Done(NamedTuple):
    """What a command said, and its exit code."""

    code: int
    stdout: str
    stderr: str


Command = Callable[..., Done]


def exported(ringtrue: Command) -> list[dict[str, Any]]:
    """The rows of the newest run."""
    return [json.loads(line) for line in ringtrue("export", "last", "-f", "jsonl").stdout.splitlines()]


def ringtrue(*words: str, data: str | None = None, cwd: Path | None = None, check: int | None = 0) -> Any:
    """What a command said; its exit code is checked."""
    done = subprocess.run(
        [sys.executable, "-m", "ringtrue", *words], input=data, capture_output=True, text=True, cwd=cwd, timeout=120
    )
    if check is not None:
        assert done.returncode == check, done.stderr + done.stdout
    return done
