"""`Workbench`: a container that stays while commands run in it one after another."""

from __future__ import annotations

import secrets
import subprocess
import tarfile
import time
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from threading import Timer
from types import TracebackType
from typing import IO, TypeVar

from ringtrue.sandbox.archive import MAX_BYTES, Unpacking, only_file, packed
from ringtrue.sandbox.caught import Caught
from ringtrue.sandbox.engine import Engine, EngineError, declared, kind_of, last_line, last_words
from ringtrue.sandbox.image import Image
from ringtrue.sandbox.stop import Stop, ended

Found = TypeVar("Found")
OUTPUT_BYTES = FILE_BYTES = 64 << 20
_TAR_BYTES = 64 << 10
"""More than a tar file adds to one file."""
_COPY_SECONDS = 1_800.0
_BOUNDED = ("--log-driver=json-file", "--log-opt=max-size=1m")
"""The engine keeps what is written to the terminal of the first process: a program could fill the host's disk."""
_MOST_PROCESSES = "--pids-limit=4096"
_WAITING = ("--entrypoint=sh", "-c", "read -r _")
"""Waits for ever and reads no file that a program in the container could have written."""


@dataclass(frozen=True, slots=True)
class Ran:
    """One command: its exit code (None where it was ended), what it said on both streams, whether that was cut."""

    exit_code: int | None
    output: bytes
    timed_out: bool = False
    overflow: bool = False


@dataclass(frozen=True)
class Workbench:
    """A running container of an engine, known by its id.

    It gets the variables that were declared, and nothing else of the host; no more rights than the engine gives every
    container. Left as a context it is removed. A copy that fails for no fault of a file or the container is made again
    after each of `pauses`, in seconds.
    """

    engine: Engine
    id: str
    pauses: Sequence[float] = (0.5, 4.0, 15.0)

    @classmethod
    def started(
        cls,
        image: Image,
        *,
        environment: Mapping[str, str] | None = None,
        command: Sequence[str] | None = None,
        network: bool = True,
        options: Sequence[str] = (),
    ) -> Workbench:
        """A container of an image that waits for commands; EngineError where it does not stay up.

        `command` runs in place of waiting: an empty one is the image's own. `options` go to the engine's `run`.
        """
        engine, name = image.engine, f"ringtrue-{secrets.token_hex(8)}"
        waiting, *rest = _WAITING if command is None else ("", *command)
        try:
            with declared(environment or {}) as (given, client):
                arguments = [
                    *("run", "--detach", "--interactive", "--tty", "--init", f"--name={name}"),
                    *given,
                    *_BOUNDED,
                    *([] if engine.is_podman else [_MOST_PROCESSES]),  # Podman has a bound of its own
                    *([] if network else ["--network=none"]),
                    *options,
                    *([waiting] if waiting else []),
                    image.id,
                    *rest,
                ]
                bench = cls(engine, last_line(engine.call(*arguments, env=client)))
            bench._require_running()
        except BaseException as error:  # whoever waits may be interrupted; no container is left behind
            cls(engine, name).remove()  # it may have been made and not started
            if not isinstance(error, EngineError):
                raise
            raise EngineError(f"no container of {image.name!r}: {error}", kind="start", log=error.log) from None
        return bench

    @classmethod
    def of(cls, engine: Engine, name: str) -> Workbench:
        """The container with this id or name; EngineError where there is none."""
        return cls(engine, engine.call("container", "inspect", "--format={{.Id}}", name).decode().strip())

    def status(self) -> str:
        """The engine's word: `running`, `exited` …"""
        return self.engine.call("container", "inspect", "--format={{.State.Status}}", self.id).decode().strip()

    def _require_running(self) -> None:
        if self.status() != "running":
            said = self.engine.call("logs", self.id).decode(errors="replace").strip()
            words = f"it ended at once: {said or 'it said nothing'}; give it a command that waits"
            raise EngineError(words, kind="start", log=said)

    def run(
        self,
        command: Sequence[str],
        *,
        seconds: float,
        environment: Mapping[str, str] | None = None,
        folder: str = "",
        user: str = "",
        most: int = OUTPUT_BYTES,
        log: IO[bytes] | None = None,
        stop: Stop | None = None,
    ) -> Ran:
        """Run a command; when its time is up, or at a stop, nothing that was started in the container runs any more.

        What it says goes into the file `log` as it comes. EngineError where the container is gone.
        """
        place = [*([f"--workdir={folder}"] if folder else []), *([f"--user={user}"] if user else [])]
        with declared(environment or {}) as (given, client):
            process = self.engine.opened(
                "exec", *given, *place, self.id, *command, stderr=subprocess.STDOUT, env=client
            )
            assert process.stdout is not None
            caught = Caught(process.stdout, most, into=log)
            finished = False
            try:
                finished = ended(process, seconds, stop)
            finally:
                if not finished:  # also where whoever waits is interrupted
                    process.kill()
                    process.wait()
                    self.quiet()
        said = caught.data()
        if not finished:
            return Ran(None, said, not (stop and stop.said), caught.overflow)
        if process.returncode and self.status() != "running":
            raise EngineError(
                f"the container {self.id[:12]} no longer runs: {last_words(said)}",
                kind="gone",
                log=said.decode(errors="replace"),
            )
        return Ran(process.returncode, said, False, caught.overflow)

    def quiet(self) -> None:
        """End every process in the container and start it afresh; its files stay."""
        self.engine.call("restart", "-t", "0", self.id)

    def put(self, files: Mapping[str, bytes], folder: str, *, executable: Collection[str] = ()) -> None:
        """Write files below a folder of the container, which is made where it is not there."""
        if files:
            archive = packed(files, folder, executable)
            self._tried(lambda: self.engine.call("cp", "-", f"{self.id}:/", stdin=archive))

    def file(self, path: str, *, max_bytes: int = FILE_BYTES) -> bytes | None:
        """The content of a file; None where there is none, where it is larger, or a folder or a device."""
        return self._tried(lambda: self._file(path, max_bytes))

    def _file(self, path: str, max_bytes: int) -> bytes | None:
        with self._copying(path) as (process, errors):
            archive = process.stdout.read(max_bytes + _TAR_BYTES + 1) if process.stdout else b""
            if len(archive) > max_bytes + _TAR_BYTES:
                process.kill()  # the rest of it might never end
                return None
            code, said = process.wait(), errors.data()
        if code and kind_of(said) != "absent":
            raise EngineError(f"{path!r} cannot be read: {last_words(said)}", kind=kind_of(said))
        if code:
            self.status()  # it is the file that is absent, and not the container
        return None if code else only_file(archive, max_bytes)

    def copied(
        self,
        source: str,
        folder: Path,
        *,
        keep: Callable[[PurePosixPath], bool] = lambda path: True,
        max_bytes: int = MAX_BYTES,
    ) -> dict[str, str]:
        """Write the files below a folder of the container into one of the host, and say what was left out, and why."""
        return self._tried(lambda: self._copied(source, Unpacking(folder, keep, max_bytes)))

    def _copied(self, source: str, unpacking: Unpacking) -> dict[str, str]:
        broken = ""
        with self._copying(f"{source.rstrip('/')}/.") as (process, errors):
            assert process.stdout is not None
            try:
                unpacking.read(process.stdout)
            except tarfile.TarError as error:
                broken = str(error)
            if unpacking.cut:
                process.kill()
            code, said = process.wait(), errors.data()
        if broken or (code and not unpacking.cut):
            raise EngineError(f"{source!r} cannot be copied: {last_words(said) or broken}", kind=kind_of(said))
        return unpacking.left_out

    def remove(self) -> None:
        """Remove the container and all that runs in it; one that is gone already is no mistake."""
        with suppress(EngineError):  # only what runs can be killed
            self.engine.call("kill", self.id)
        try:
            self.engine.call("rm", "--force", "--volumes", self.id)
        except EngineError as error:
            if error.kind != "absent":
                raise

    def _tried(self, copy: Callable[[], Found]) -> Found:
        for pause in self.pauses:
            try:
                return copy()
            except EngineError as error:
                if error.kind != "engine":
                    raise
            time.sleep(pause)
        return copy()

    @contextmanager
    def _copying(self, path: str) -> Iterator[tuple[subprocess.Popen[bytes], Caught]]:
        """A path of the container on its way out, as a tar file."""
        process = self.engine.opened("cp", f"{self.id}:{path}", "-", stderr=subprocess.PIPE)
        assert process.stdout is not None
        assert process.stderr is not None
        errors = Caught(process.stderr, OUTPUT_BYTES)
        late = Timer(_COPY_SECONDS, process.kill)
        late.daemon = True
        late.start()
        try:
            yield process, errors
        finally:
            late.cancel()
            process.stdout.close()
            if process.poll() is None:
                process.kill()
            process.wait()
            errors.data()

    def __enter__(self) -> Workbench:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.remove()
