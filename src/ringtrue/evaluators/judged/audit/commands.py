"""`Commands`: shell commands in fresh copies of a snapshot, behind the walls of the sandbox."""

from __future__ import annotations

import asyncio
from typing import Any, Protocol

from ringtrue.evaluators.judged.audit.snapshot import TIME, Snapshot
from ringtrue.evaluators.judged.audit.views import Mistaken
from ringtrue.sandbox.pool.execution import Execution
from ringtrue.sandbox.pool.limits import MIB, Limits
from ringtrue.sandbox.pool.stop import Stop

_MAX_COMMAND_CHARS = 20_000
_ARCHIVE = ".folder.tar"
# All times are the same in every copy, so that the same command prints the same and its reply may come from a cache.
_UNPACK = f"""mkdir folder && tar -xf {_ARCHIVE} -C folder && rm {_ARCHIVE} && cd folder || exit 125
touch -d @{TIME} . .. 2>/dev/null
"""


class Shell(Protocol):
    """The interface that runs commands: a `Sandbox`, a `Container`, or an object with their methods."""

    def run(
        self,
        program: str,
        stdin: str = "",
        files: Any = None,
        limits: Limits | None = None,
        *,
        profile: Any = "shell",
        stop: Stop | None = None,
    ) -> Execution: ...


class Commands:
    """Runs commands, each in a folder that holds the snapshot and nothing of the commands before it.

    `isolation` says what the last one ran behind, or why none can.
    """

    def __init__(self, shell: Shell, snapshot: Snapshot) -> None:
        self._shell = shell
        self._snapshot = snapshot
        self.count = 0
        self.isolation = ""

    async def run(self, command: str, seconds: float, most: int) -> str:
        """Run a command and return its output and its ending, in at most about `most` characters."""
        if not command.strip() or "\0" in command or len(command) > _MAX_COMMAND_CHARS:
            raise Mistaken(f"a command is a text of 1 to {_MAX_COMMAND_CHARS:,} characters without a NUL")
        with Stop() as stop:
            done = await _result_of(stop, self._ran, command, seconds, stop)
        if done.status == "refused":
            self.isolation = f"refused: {done.reason}"
            raise Mistaken(f"commands cannot run here ({done.reason}); judge by reading")
        self.count += 1
        self.isolation = f"{done.profile}: {done.isolation}"
        ended = f"exit code {done.exit_code}" if done.status in ("ok", "failed") else f"{done.status}: {done.reason}"
        streams = (("output", done.stdout), ("error output", done.stderr))
        sections = [f"{name}:\n{_clipped_text(text, most // 2)}" for name, text in streams if text]
        return "\n".join([ended, *sections])

    def _ran(self, command: str, seconds: float, stop: Stop) -> Execution:
        archive = self._snapshot.archive
        limits = Limits(
            seconds=seconds,
            memory_bytes=2_048 * MIB,
            file_bytes=64 * MIB + len(archive),
            disk_bytes=128 * MIB + 3 * len(archive),
            open_files=256,
            output_bytes=MIB,
        )
        program = _UNPACK + command.encode("utf-8", "replace").decode()
        return self._shell.run(program, files={_ARCHIVE: archive}, limits=limits, profile="shell", stop=stop)


async def _result_of(stop: Stop, work: Any, *given: Any) -> Any:
    """The result of blocking work in a thread; a cancelled caller stops it and leaves when it has ended."""
    task = asyncio.ensure_future(asyncio.to_thread(work, *given))
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError:
        stop.say()
        while not task.done():
            try:
                await asyncio.wait({task})
            except asyncio.CancelledError:
                continue
        raise


def _clipped_text(text: str, most: int) -> str:
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}\n… {len(text) - most:,} characters …\n{text[-most // 2 :]}"
