"""`Container`: the same interface with Docker or Podman behind it, for those who have one of them."""

from __future__ import annotations

import io
import os
import secrets
import shutil
import subprocess
import sys
import time
from contextlib import suppress
from typing import Any

from ringtrue.sandbox.exam.channel import Channel
from ringtrue.sandbox.exam.definition import Exam
from ringtrue.sandbox.isolation.private_root import FOLDER
from ringtrue.sandbox.pool.capture import Caught
from ringtrue.sandbox.pool.execution import Execution
from ringtrue.sandbox.pool.handle import Received
from ringtrue.sandbox.pool.job import Files, describe
from ringtrue.sandbox.pool.limits import Limits
from ringtrue.sandbox.pool.outcome import execution_of
from ringtrue.sandbox.pool.sandbox import STOPPED, Profile
from ringtrue.sandbox.pool.stop import Stop, ends_within

_HARNESS = os.path.dirname(os.path.abspath(__file__))
_VERSION_SECONDS = 30
_WORDS_LINES, _WORDS_BYTES = 6, 4_000
_BEGUN = b"begun\n"
"""The first bytes on a container's standard error: without them the engine failed, and not the program."""
_START = (
    f"import os, sys; os.write(2, {_BEGUN!r}); sys.path.insert(0, '/harness'); "
    "from ringtrue.sandbox.container_entry import main; os._exit(main({role!r}))"
)
_ISOLATION = ("container without network, capabilities and writable root",)


class Container:
    """Runs programs in containers of an engine: `docker`, `podman`, or one with the same commands.

    Each program gets one container and its examiner another; starting them takes most of a second. `grace_seconds` is
    the time that starting may take, in addition to the program's own time.
    """

    def __init__(self, engine: str = "docker", *, image: str = "", grace_seconds: float = 5.0) -> None:
        self.engine = engine
        self.grace_seconds = grace_seconds
        self.image = image or f"python:{sys.version_info.major}.{sys.version_info.minor}-slim"
        self.workers = os.cpu_count() or 1

    def run(
        self,
        program: str,
        stdin: str = "",
        files: Files | None = None,
        limits: Limits | None = None,
        *,
        profile: Profile = "program",
        exam: Exam | None = None,
        folder: str = "",
        stop: Stop | None = None,
    ) -> Execution:
        """Run a program in a container of its own; `refused` with the reason where the engine cannot."""
        problem = self.missing()
        if problem:
            advice = "install and start it, or leave `sandbox` out"
            return Execution("refused", profile=self.engine, reason=f"{problem}; {advice}")
        limits = limits or Limits()
        nonce = secrets.token_hex(16) if exam is not None and not exam.across else ""
        job = describe(program, files or {}, command=profile == "shell", exam=exam, nonce=nonce)
        job.update(stdin=stdin, mode="plain" if exam is None else "across" if exam.across else "inside")
        across = exam.plain() if exam is not None and exam.across else None
        received = self._ran(job, across, limits, folder, stop)
        if stop and stop.is_said and received.outcome["stopped"]:
            return Execution("killed", profile=self.engine, reason=STOPPED)
        if exam is not None and not exam.across:
            received.streams.update(verdict=received.streams["stdout"], stdout=b"")
        return execution_of(received, limits, self.engine, _ISOLATION, examined=exam is not None, nonce=nonce)

    def missing(self) -> str:
        """Return why the engine cannot be used; empty if it can."""
        if shutil.which(self.engine) is None:
            return f"the container engine {self.engine!r} is not installed here"
        try:
            asked = subprocess.run([self.engine, "version"], capture_output=True, timeout=_VERSION_SECONDS, check=False)
        except (OSError, subprocess.TimeoutExpired) as error:
            return f"the container engine {self.engine!r} does not answer: {error}"
        if asked.returncode:
            lines = asked.stderr[-_WORDS_BYTES:].decode(errors="replace").split("\n")
            said = "; ".join([line.strip() for line in lines if line.strip()][-_WORDS_LINES:])
            return f"the container engine {self.engine!r} cannot start containers: {said}"
        return ""

    def _ran(
        self, job: dict[str, Any], exam: dict[str, Any] | None, limits: Limits, folder: str, stop: Stop | None
    ) -> Received:
        """Start the containers, each the other's standard input and output, and listen to the one that decides."""
        started = time.monotonic()
        program_in, to_program = os.pipe()
        from_program, program_out = os.pipe()
        containers: list[_Running] = []
        caught: dict[str, Caught] = {}
        try:
            if exam is not None:
                containers.append(self._start("examiner", limits, "", from_program, to_program))
                caught["verdict"] = containers[0].output
                _send(program_out, exam)
            containers.append(self._start("program", limits, folder, program_in, program_out))
            caught["stderr"] = containers[-1].output
            _send(to_program, job)
        finally:
            for end in (program_in, to_program, program_out):
                os.close(end)
        output = os.fdopen(from_program, "rb")
        caught["stdout"] = Caught(output if exam is None else io.BytesIO(), limits.output_bytes)
        begun = all(container.began(self.grace_seconds) for container in containers)
        late = begun and not ends_within(containers[0].process, limits.seconds, stop)
        for container in containers:
            container.stop(self.engine, self.grace_seconds)
        output.close()
        code = containers[-1].process.returncode
        # The engine's client reports a signal as a shell does.
        outcome: dict[str, Any] = {"code": 128 - code if code > 128 else code, "stopped": "owner" if late else ""}
        if not begun:
            outcome["broken"] = f"{self.engine!r} did not start a container of {self.image!r}"
        return Received(
            outcome,
            {name: stream.data() for name, stream in caught.items()},
            any(stream.overflow for stream in caught.values()),
            time.monotonic() - started,
        )

    def _start(self, role: str, limits: Limits, folder: str, reading: int, writing: int) -> _Running:
        name = f"ringtrue-{secrets.token_hex(8)}"
        size = f"size={limits.disk_bytes}"
        mounts = [f"--mount=type=bind,source={_HARNESS},target=/harness/ringtrue/sandbox,readonly"]
        if folder:
            mounts.append(f"--mount=type=bind,source={folder},target={FOLDER}")
        processor = int(limits.cpu_seconds or limits.seconds) + 1
        command = [
            *(self.engine, "run", "--rm", "--interactive", "--init", f"--name={name}", "--network=none", "--read-only"),
            *("--cap-drop=ALL", "--security-opt=no-new-privileges", "--user=65534:65534", "--hostname=sandbox"),
            *(f"--memory={limits.memory_bytes}", f"--memory-swap={limits.memory_bytes}", "--ulimit=core=0"),
            *(f"--pids-limit={limits.processes}", f"--ulimit=nofile={limits.open_files}"),
            *(f"--ulimit=fsize={limits.file_bytes}", f"--ulimit=cpu={processor}:{processor + 1}"),
            f"--ulimit=data={limits.memory_bytes}",
            *(f"--tmpfs=/tmp:rw,mode=1777,{size}", f"--workdir={FOLDER if folder else '/tmp'}", *mounts),
            *(self.image, "python3", "-sSBP", "-c", _START.format(role=role)),
        ]
        process = subprocess.Popen(command, stdin=reading, stdout=writing, stderr=subprocess.PIPE)
        return _Running(name, process, limits.output_bytes)


class _Running:
    """A container and the process of the engine's client that speaks for it."""

    def __init__(self, name: str, process: subprocess.Popen[bytes], most: int) -> None:
        assert process.stderr is not None
        self.process = process
        self.output = Caught(process.stderr, most, _BEGUN)
        self._name = name

    def began(self, seconds: float) -> bool:
        return self.output.headed.wait(seconds) and self.output.has_head

    def stop(self, engine: str, grace_seconds: float) -> None:
        if self.process.poll() is None:
            subprocess.run([engine, "kill", self._name], capture_output=True, check=False)
        if not ends_within(self.process, grace_seconds):
            self.process.kill()
            self.process.wait()


def _send(descriptor: int, message: dict[str, Any]) -> None:
    with suppress(OSError):  # the container is gone already; its exit code says why
        Channel(descriptor).say(message)
