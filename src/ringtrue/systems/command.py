"""`Command`: a program as a system; the question on its standard input, the answer on its standard output."""

from __future__ import annotations

import asyncio
import os
import shlex
import signal
from collections.abc import Sequence
from contextlib import suppress

from ringtrue.errors import ConfigurationError, RingtrueError
from ringtrue.identity import NamedByClass
from ringtrue.records import Case, Output

MAX_OUTPUT_BYTES = 10_000_000
MAX_COMPLAINT_BYTES = 10_000
GRACE_SECONDS = 5.0


class CommandFailed(RingtrueError):
    """The program ended with an error, or printed more than the limit."""


class Command(NamedByClass):
    """Runs a program once per case, without a shell; its whole process group ends with it."""

    name: str
    case_seconds = 600.0

    def __init__(self, command: str | Sequence[str], name: str = "", *, max_in_flight: int = 4) -> None:
        try:
            self.words = shlex.split(command) if isinstance(command, str) else list(command)
        except ValueError as error:
            raise ConfigurationError(
                f"cannot read the command {command!r}: {error}", parameter="command", value=command
            ) from error
        if not self.words:
            raise ConfigurationError("a command needs at least a program", parameter="command", value=command)
        self.take_name(name, os.path.basename(self.words[0]))
        self.in_flight = max_in_flight

    async def answer(self, case: Case, repeat: int = 0) -> Output:
        """Return what the program prints for a case."""
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
            said, complained = await self._spoken(process, (case.input or case.context).encode("utf-8", "replace"))
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            await _wait_for_end(process)
        if process.returncode:
            tail = complained.decode("utf-8", "replace").strip()[-300:]
            raise CommandFailed(
                f"{self.words[0]!r} ended with code {process.returncode}" + (f": {tail}" if tail else "")
            )
        return Output(said.decode("utf-8", "replace").rstrip("\n"))

    async def _spoken(self, process: asyncio.subprocess.Process, question: bytes) -> tuple[bytes, bytes]:
        """Return the program's output and the end of its complaints, once it has ended."""
        assert process.stdin is not None
        assert process.stdout is not None
        assert process.stderr is not None
        writing = asyncio.ensure_future(_write_input(process.stdin, question))
        printed = asyncio.ensure_future(self._read_output(process.stdout))
        complained = asyncio.ensure_future(_end_of(process.stderr))
        try:
            await asyncio.gather(writing, printed, complained)
            await process.wait()
            return printed.result(), complained.result()
        finally:
            # Nothing else reads while the rest is read to its end.
            for task in (writing, printed, complained):
                task.cancel()
            await asyncio.wait((writing, printed, complained))

    async def _read_output(self, stream: asyncio.StreamReader) -> bytes:
        whole = bytearray()
        while piece := await stream.read(65_536):
            whole += piece
            if len(whole) > MAX_OUTPUT_BYTES:
                raise CommandFailed(f"{self.words[0]!r} printed more than the {MAX_OUTPUT_BYTES:,} bytes that are read")
        return bytes(whole)

    def signature(self) -> str:
        """The words of the command."""
        return f"{self.name}={shlex.join(self.words)}"


async def _wait_for_end(process: asyncio.subprocess.Process) -> None:
    """Wait until a killed program has ended, which is not seen while something it printed lies unread."""
    assert process.stdout is not None
    assert process.stderr is not None
    with suppress(TimeoutError):  # what it started in a session of its own may hold its output open
        async with asyncio.timeout(GRACE_SECONDS):
            await asyncio.gather(_end_of(process.stdout), _end_of(process.stderr), process.wait())


async def _write_input(stream: asyncio.StreamWriter, data: bytes) -> None:
    with suppress(BrokenPipeError, ConnectionResetError):  # a program need not read its question
        stream.write(data)
        await stream.drain()
    stream.close()


async def _end_of(stream: asyncio.StreamReader) -> bytes:
    end = b""
    while piece := await stream.read(65_536):
        end = (end + piece)[-MAX_COMPLAINT_BYTES:]
    return end
