"""`DockerManager`: an image that is built, a container that runs, and what is copied into and out of it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import Any, NamedTuple

from ringtrue.sandbox.engine import Engine
from ringtrue.sandbox.engine import EngineError as EngineError
from ringtrue.sandbox.image import Image
from ringtrue.sandbox.workbench import Ran, Workbench

from eval_recipes.benchmarking.container_options import options, variables, words
from eval_recipes.benchmarking.jobs.console import ending
from eval_recipes.benchmarking.package_files import collect_eval_recipes_package as collect_eval_recipes_package
from ringtrue.errors import ConfigurationError

TIMED_OUT = 124
"""The exit code of a command whose time was up."""
_EXEC_KEYWORDS = ("environment", "user", "workdir")
_EXEC_FIXED = {"privileged": False, "socket": False, "stderr": True, "stdin": False, "stdout": True, "tty": False}
_RUN_SECONDS = 600.0


class ExecResult(NamedTuple):
    """A command's exit code and what it said."""

    exit_code: int
    output: Any


class Container:
    """A container as those know it who start it: `id`, `short_id`, `status`, and what can be done with it."""

    def __init__(self, bench: Workbench) -> None:
        self.bench = bench

    @property
    def id(self) -> str:
        """The engine's id."""
        return self.bench.id

    @property
    def short_id(self) -> str:
        """The first twelve letters of the id."""
        return self.id[:12]

    @property
    def status(self) -> str:
        """`created`, `running`, `exited` …, as it is now."""
        return self.bench.status()

    def reload(self) -> None:
        """Nothing: `status` is never old."""

    def exec_run(
        self,
        cmd: str | Sequence[str],
        *,
        environment: Mapping[str, str] | Sequence[str] | None = None,
        workdir: str = "",
        user: str = "",
    ) -> ExecResult:
        """Run a command, for ten minutes at most; the output is bytes."""
        ran = self.bench.run(
            words(cmd), seconds=_RUN_SECONDS, environment=variables(environment), folder=workdir, user=user
        )
        return ExecResult(_code(ran), ran.output)

    def remove(self, force: bool = True) -> None:
        """Remove the container and all that runs in it."""
        self.bench.remove()


class DockerClient:
    """The container engine of this machine: `containers.get(id)`, `images.remove(tag, force=)`, `close()`."""

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.containers = Containers(engine)
        self.images = Images(engine)

    def close(self) -> None:
        """Nothing is held open."""


class Containers:
    """The containers of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def get(self, container_id: str) -> Container:
        """The container with this id or name; EngineError of kind `absent` where there is none."""
        return Container(Workbench.of(self._engine, container_id))


class Images:
    """The images of an engine."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def remove(self, image: str, force: bool = False) -> None:
        """Remove an image by its name or id; EngineError of kind `absent` where there is none."""
        Image(self._engine, image, image).remove(force=force)


def from_env() -> DockerClient:
    """A client of Docker, or of Podman where that one answers; EngineError of kind `missing` where neither does."""
    return DockerClient(Engine.found())


class DockerManager:
    """A context in which an image is built and a container of it runs; both are gone at its end.

    The container gets `container_env` and nothing else of the host's environment. Without `command` it only waits;
    `command=[]` runs what the image says. An image that the Dockerfile starts from is pulled where it is not here.
    """

    def __init__(
        self,
        log_dir: Path,
        dockerfile: str,
        image_tag: str | None = None,
        container_env: dict[str, str] | None = None,
        build_context_files: dict[str, bytes] | None = None,
        **container_kwargs: Any,
    ) -> None:
        options(container_kwargs)
        self.log_dir = Path(log_dir)
        self.dockerfile = dockerfile
        self.image_tag = image_tag
        self.container_env = container_env or {}
        self.build_context_files = build_context_files or {}
        self.container_kwargs = container_kwargs
        self.client: DockerClient | None = None
        self.container: Container | None = None
        self.container_id: str | None = None
        self.actual_image_tag: str | None = None

    def __enter__(self) -> DockerManager:
        self.client = from_env()
        try:
            _, _, self.actual_image_tag = self._build_image(self.dockerfile, self.image_tag)
            self.container, self.container_id = self._run_container(
                self.actual_image_tag, self.container_env, **self.container_kwargs
            )
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        if self.client is None:
            return
        if self.container is not None:
            self._remove_container(self.container)
        if self.actual_image_tag:
            self._remove_image(self.actual_image_tag)
        self.client.close()
        self.client = None

    def exec_command(
        self,
        container: Container,
        command: str | list[str],
        log_filename: str | None = None,
        timeout: float = 180,
        **kwargs: Any,
    ) -> tuple[ExecResult, str]:
        """Run a command and log what it says; after `timeout` seconds nothing runs in the container any more.

        The exit code is then 124, and the log's last line says so. Keywords: `environment`, `user`, `workdir`.
        """
        strange = [name for name, value in kwargs.items() if _EXEC_FIXED.get(name) != value]
        strange = [name for name in strange if name not in _EXEC_KEYWORDS]
        if strange:
            raise ConfigurationError(
                f"a command cannot be run with {strange[0]}={kwargs[strange[0]]!r}; there are "
                f"{', '.join(_EXEC_KEYWORDS)}",
                parameter=strange[0],
            )
        told = command if isinstance(command, str) else " ".join(command)
        self.log_dir.mkdir(parents=True, exist_ok=True)
        with open(self.log_dir / (log_filename or _log_name(told)), "wb") as log:
            ran = container.bench.run(
                words(command),
                seconds=timeout,
                environment=variables(kwargs.get("environment")),
                folder=kwargs.get("workdir") or "",
                user=str(kwargs.get("user") or ""),
                log=log,
            )
            note = ending(ran, "the command", timeout)
            log.write(note.encode())
        logs = ran.output.decode(errors="replace") + note
        return ExecResult(_code(ran), logs), logs

    def end_processes(self, container: Container) -> None:
        """End all that still runs in the container, as is right before a test's files are copied; files stay."""
        container.bench.quiet()

    def copy_files_to_container(
        self,
        container: Container,
        files: dict[str, bytes],
        dest_path: str,
        executable_files: set[str] | None = None,
    ) -> None:
        """Write files below a folder of the container, which is made where it is not there."""
        container.bench.put(files, dest_path, executable=executable_files or set())

    def read_file_from_container(self, container: Container, file_path: str) -> bytes | None:
        """A file's content; None where there is none."""
        return container.bench.file(file_path)

    def extract_directory_from_container(
        self,
        container: Container,
        src_path: str,
        dest_path: Path,
        exclude_dotfiles: bool = True,
        exclude_paths: list[str] | None = None,
    ) -> dict[str, str]:
        """Write a folder's files below one of the host, and say which were left out and why.

        Links, devices and names that lead out of the folder are.
        """
        excluded = set(exclude_paths or ())

        def kept(path: PurePosixPath) -> bool:
            hidden = exclude_dotfiles and any(part.startswith(".") for part in path.parts)
            return not hidden and path.parts[0] not in excluded

        return container.bench.copied(src_path, Path(dest_path), keep=kept)

    def _get_client(self) -> DockerClient:
        if self.client is None:
            raise RuntimeError("a DockerManager is used as a context: with DockerManager(...) as manager: ...")
        return self.client

    def _build_image(
        self, dockerfile: str, image_tag: str | None = None, log_filename: str = "build_image.log"
    ) -> tuple[Image, str, str]:
        engine = self._get_client().engine
        self.log_dir.mkdir(parents=True, exist_ok=True)
        with open(self.log_dir / log_filename, "wb") as log:
            files = self.build_context_files
            image = Image.built(engine, dockerfile, tag=image_tag or "", files=files, cache=False, log=log)
        return image, image.log, image.name

    def _run_container(
        self, image_tag: str, container_env: Mapping[str, str] | None = None, **kwargs: Any
    ) -> tuple[Container, str]:
        image = Image.named(self._get_client().engine, image_tag)
        environment = variables(kwargs.get("environment", container_env))
        command = kwargs.get("command")
        bench = Workbench.started(
            image,
            environment=environment,
            command=words(command) if command is not None else None,
            options=options(kwargs),
        )
        return Container(bench), bench.id

    def _remove_container(self, container: Container | str, force: bool = True) -> bool:
        with suppress(EngineError):
            found = self._get_client().containers.get(container) if isinstance(container, str) else container
            found.remove(force=force)
            return True
        return False

    def _remove_image(self, image_tag: str, force: bool = True) -> bool:
        with suppress(EngineError):
            self._get_client().images.remove(image_tag, force=force)
            return True
        return False


def _log_name(command: str) -> str:
    return f"exec_{re.sub('[^a-zA-Z0-9]', '_', command[:20])}_{secrets.token_hex(4)}.log"


def _code(ran: Ran) -> int:
    return TIMED_OUT if ran.exit_code is None else ran.exit_code
