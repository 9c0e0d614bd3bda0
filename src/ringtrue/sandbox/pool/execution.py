"""`Execution`: what became of a program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, TypeAlias

Status: TypeAlias = Literal["ok", "failed", "timeout", "memory", "killed", "refused"]


@dataclass(frozen=True, slots=True)
class Execution:
    """The result of a program in the sandbox, or the reason why it did not run.

    `verdict_channel` is the examiner's verdict, from a file that the program cannot reach; it is empty without an
    examiner. `profile` is the profile that was used (`unsafe`: none), and `isolation` describes its layers. The status
    `refused` means that nothing ran; `reason` says what is missing and how to get it.
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
