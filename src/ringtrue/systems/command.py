"""`Command`: a program as a system; the question on its standard input, the answer on its standard output."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
from collections.abc import Sequence
from contextlib import suppress

from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.records import Case, Output

MAX_OUTPUT_BYTES = 10_000_000


class CommandFailed(RingtrueError):
    """The program ended with an error, or said more than is read."""


class Command:
    """Runs a program once per case, without a shell; its whole process group ends with it."""

    def __init__(self, command: str | Sequence[str], name: str = "", *, max_in_flight: int = 4) -> None:
        self.words = shlex.split(command) if isinstance(command, str) else list(command)
        if not self.words:
            raise ConfigurationError("a command needs at least a program", parameter="command", value=command)
        self.name = name or os.path.basename(self.words[0])
        self.in_flight = max_in_flight

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """What the program prints for a case."""
        try:
            process = await asyncio.create_subprocess_exec(
                *self.words,
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                start_new_session=True,
            )
        except OSError as error:
            raise CommandFailed(f"cannot start {self.words[0]!r}: {error.strerror}") from error
        try:
            data = (case.input or case.context).encode("utf-8", "replace")
            said, complained = await process.communicate(data)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await process.wait()
        if process.returncode:
            tail = complained.decode("utf-8", "replace").strip()[-300:]
            raise CommandFailed(f"{self.words[0]!r} ended with code {process.returncode}: {tail}")
        if len(said) > MAX_OUTPUT_BYTES:
            raise CommandFailed(f"{self.words[0]!r} printed {len(said):,} bytes; {MAX_OUTPUT_BYTES:,} are read")
        return Output(said.decode("utf-8", "replace").rstrip("\n"))

    def signature(self) -> str:
        """The words of the command."""
        return f"{self.name}={shlex.join(self.words)}"

    def request_key(self, case: Case, repeat: int) -> str | None:
        """A program may change behind its name: its answers serve the run they belong to."""
        return None
