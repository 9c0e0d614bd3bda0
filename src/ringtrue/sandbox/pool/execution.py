"""`Execution`: what became of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["ok", "failed", "timeout", "memory", "killed", "refused"]


@dataclass(frozen=True, slots=True)
class Execution:
    """What became of a program that ran in the sandbox, or the reason why it did not.

    `verdict_channel` is what the examiner said, in a file the program never holds; it is empty where no examiner ran.
    `profile` is the wall that was used (`unsafe`: none), `isolation` its layers in words. `refused` means that nothing
    ran: `reason` says what is missing and how to get it.
    """

    status: Status
    stdout: str = ""
    stderr: str = ""
    verdict_channel: str = ""
    seconds: float = 0.0
    peak_memory_bytes: int = 0
    profile: str = ""
    isolation: str = ""
    reason: str = ""
    exit_code: int | None = None
