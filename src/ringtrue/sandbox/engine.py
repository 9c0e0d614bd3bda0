"""`Engine`: Docker or Podman, or what speaks like them, by its command line."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cached_property
from tempfile import NamedTemporaryFile
from typing import Any

from ringtrue.errors import ConfigurationError, RingtrueError

ENGINES = ("docker", "podman")
_CALL_SECONDS = 300.0
_WORDS_LINES, _WORDS_BYTES = 6, 4_000
_ADVICE = "install and start one of them"
_NAME = re.compile(r"[^=\0\s]+")
_CLIENTS_OWN = re.compile(
    r"(?i)PATH|HOME|USER|TMPDIR|LD_.*|GO[A-Z]+|SSL_.*|XDG_.*|.*_PROXY|(DOCKER|CONTAINER|BUILDAH|PODMAN|STORAGE|REGISTRY).*"
)
"""The variables that an engine's client might read itself."""
_LINE_BREAK = re.compile(r"[\r\n]")
_GONE = re.compile(rb"(?i)not running|state improper")
_ABSENT = re.compile(rb"(?i)no such|not found|could not (?:be found|find)|does not exist|not known|unable to find")
_PROXY = re.compile(r"(?i)(https?|ftp|no|all)_proxy")


class EngineError(RingtrueError):
    """A container engine could not do what it was told; `log` is all it said, `kind` what was wrong.

    Kinds: `missing` (no engine), `build`, `start`, `absent` (no such container, image or file), `gone` (a container
    that no longer runs), `timeout`, `engine` (anything else).
    """

    def __init__(self, message: str, *, kind: str = "engine", log: str = "") -> None:
        super().__init__(message)
        self.kind = kind
        self.log = log


def missing(engine: str) -> str:
    """Why a container engine cannot be used; empty where it can."""
    if shutil.which(engine) is None:
        return f"the container engine {engine!r} is not installed here"
    try:
        asked = subprocess.run([engine, "version"], capture_output=True, timeout=30, check=False)
    except (OSError, subprocess.TimeoutExpired) as error:
        return f"the container engine {engine!r} does not answer: {error}"
    if asked.returncode:
        return f"the container engine {engine!r} cannot start containers: {last_words(asked.stderr)}"
    return ""


@dataclass(frozen=True)
class Engine:
    """A container engine's client: `name` is its program, `options` stand before every verb (`--runtime=runc`)."""

    name: str
    options: Sequence[str] = ()

    @classmethod
    def found(cls, names: Sequence[str] = ENGINES) -> Engine:
        """The first of these engines that answers; EngineError where none does."""
        problems = []
        for name in names:
            problem = missing(name)
            if not problem:
                return cls(name)
            problems.append(problem)
        raise EngineError("; ".join([*problems, _ADVICE]), kind="missing")

    @cached_property
    def is_podman(self) -> bool:
        """Whether Podman answers, which may be called `docker`."""
        return b"podman" in self.call("--version").lower()

    def command(self, *arguments: str) -> list[str]:
        """The command line of a verb and its arguments."""
        return [self.name, *self.options, *arguments]

    def opened(self, *arguments: str, **streams: Any) -> subprocess.Popen[bytes]:
        """The engine at work, with nothing to read; EngineError where it cannot be started."""
        try:
            return subprocess.Popen(
                self.command(*arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, **streams
            )
        except OSError as error:
            raise EngineError(f"{self.name!r} cannot be started: {error}; {_ADVICE}", kind="missing") from None

    def call(
        self, *arguments: str, stdin: bytes = b"", seconds: float = _CALL_SECONDS, env: dict[str, str] | None = None
    ) -> bytes:
        """What the engine prints; EngineError with its last words where it fails."""
        try:
            done = subprocess.run(
                self.command(*arguments), input=stdin, capture_output=True, timeout=seconds, check=False, env=env
            )
        except subprocess.TimeoutExpired:
            raise EngineError(
                f"{self.name} {arguments[0]} took longer than {seconds:g} seconds", kind="timeout"
            ) from None
        except OSError as error:
            raise EngineError(f"{self.name!r} cannot be started: {error}; {_ADVICE}", kind="missing") from None
        if done.returncode:
            raise EngineError(
                f"{self.name} {arguments[0]}: {last_words(done.stderr)}",
                kind=kind_of(done.stderr),
                log=done.stderr.decode(errors="replace"),
            )
        return done.stdout


@contextmanager
def declared(environment: Mapping[str, str]) -> Iterator[tuple[list[str], dict[str, str]]]:
    """The options that give a container these variables and no others, and the environment its client needs for it.

    A value travels in the client's environment, and one that the client would take for its own in a file that nobody
    else may read: other users of the machine see what stands on a command line.
    """
    for name, value in environment.items():
        _require_variable(name, value)
    own = {name: value for name, value in environment.items() if _CLIENTS_OWN.fullmatch(name)}
    given = {name: value for name, value in environment.items() if name not in own}
    # Podman hands the host's proxies on by itself.
    client = {name: value for name, value in os.environ.items() if not _PROXY.fullmatch(name)}
    with NamedTemporaryFile("w", prefix="ringtrue-env-", encoding="utf-8", errors="surrogateescape") as file:
        file.writelines(f"{name}={value}\n" for name, value in own.items())
        file.flush()
        yield [*([f"--env-file={file.name}"] if own else []), *(f"--env={name}" for name in given)], client | given


def last_line(said: bytes) -> str:
    """The last line of what a program said."""
    return said.decode(errors="replace").strip().rpartition("\n")[2]


def last_words(said: bytes) -> str:
    """The last lines of what a program said, in one: an engine may give a reason and then what follows from it."""
    lines = (line.strip() for line in said[-_WORDS_BYTES:].decode(errors="replace").splitlines())
    return "; ".join([line for line in lines if line][-_WORDS_LINES:])


def kind_of(said: bytes) -> str:
    """What was wrong, by an engine's words."""
    if _GONE.search(said):
        return "gone"
    return "absent" if _ABSENT.search(said) else "engine"


def _require_variable(name: Any, value: Any) -> None:
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise ConfigurationError(
            f"a container's environment needs names without '=' and blanks; got {name!r}", parameter="environment"
        )
    if not isinstance(value, str) or "\0" in value:
        raise ConfigurationError(
            f"the variable {name!r} of a container needs a text without NUL; got {type(value).__name__}",
            parameter="environment",
        )
    if _CLIENTS_OWN.fullmatch(name) and _LINE_BREAK.search(value):
        raise ConfigurationError(
            f"the variable {name!r} of a container cannot hold a line break, for engines read it, too",
            parameter="environment",
        )
