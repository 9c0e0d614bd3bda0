"""`Image`: what containers are started from, built from a recipe."""

from __future__ import annotations

import re
import secrets
import subprocess
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import IO

import orjson

from ringtrue.sandbox.archive import inner
from ringtrue.sandbox.caught import Caught
from ringtrue.sandbox.engine import Engine, EngineError, last_words
from ringtrue.sandbox.stop import Stop, ended

BUILD_SECONDS = 3_600.0
_LOG_BYTES = 64 << 20
_LAYER = re.compile(r"(?m)^ ?-{2,3}> ([0-9a-f]{11,64})$")
"""How a build tells that it made a layer, which is an image without a name."""


@dataclass(frozen=True)
class Image:
    """An image of an engine: its id, and the name it is found and removed by."""

    engine: Engine
    id: str
    name: str
    log: str = ""

    @classmethod
    def built(
        cls,
        engine: Engine,
        dockerfile: str,
        *,
        tag: str = "",
        files: Mapping[str, bytes] | None = None,
        executable: Collection[str] = (),
        cache: bool = True,
        pull: bool = False,
        seconds: float = BUILD_SECONDS,
        log: IO[bytes] | None = None,
        stop: Stop | None = None,
    ) -> Image:
        """An image built from a Dockerfile and the files it copies; EngineError with the whole log where it fails.

        An image of the first line that is here already is taken as it is unless `pull`. What the engine says goes
        into the file `log` as it comes. Nothing of the host's environment is handed to the steps.
        """
        # By a name of its own it can be removed: its id may be that of the image it was built from.
        tag = tag or f"ringtrue-{secrets.token_hex(8)}"
        with TemporaryDirectory(prefix="ringtrue-image-") as scratch:
            folder = Path(scratch)
            context = folder / "context"
            context.mkdir()
            (folder / "Dockerfile").write_text(dockerfile, encoding="utf-8")
            for name, content in (files or {}).items():
                target = context / inner(name)
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(content)
                target.chmod(0o755 if name in executable else 0o644)
            options = [f"--file={folder / 'Dockerfile'}", f"--iidfile={folder / 'id'}", f"--tag={tag}"]
            options += [] if cache else ["--no-cache"]
            options += ["--pull"] if pull else []
            options += ["--http-proxy=false"] if engine.is_podman else []
            said = _built(engine, [*options, str(context)], seconds, log, stop)
            found = (folder / "id").read_text().strip()
        return cls(engine, found, _name(engine, found, tag), said)

    @classmethod
    def named(cls, engine: Engine, name: str) -> Image:
        """An image that is here already; EngineError where it is not."""
        found = engine.call("image", "inspect", "--format={{.Id}}", name).decode().strip()
        return cls(engine, found, name)

    def remove(self, *, force: bool = False) -> None:
        """Remove the image, or its name where it has others, too; EngineError where that cannot be."""
        self.engine.call("rmi", *(["--force"] if force else []), self.name)
        _forget_layers(self.engine, self.log)


def _built(engine: Engine, arguments: list[str], seconds: float, log: IO[bytes] | None, stop: Stop | None) -> str:
    process = engine.opened("build", *arguments, stderr=subprocess.STDOUT)
    assert process.stdout is not None
    caught = Caught(process.stdout, _LOG_BYTES, into=log)
    done = False
    try:
        done = ended(process, seconds, stop)
    finally:
        if not done:  # also where whoever waits is interrupted
            process.terminate()  # a build that is asked to end removes its containers
            with suppress(subprocess.TimeoutExpired):
                process.wait(10)
            process.kill()
            process.wait()
    said = caught.data()
    text = said.decode(errors="replace")
    if not done or process.returncode:
        _forget_layers(engine, text)
    if not done:
        why = "was stopped" if stop and stop.said else f"took longer than {seconds:g} seconds"
        raise EngineError(f"building the image {why}", kind="timeout", log=text)
    if process.returncode:
        raise EngineError(f"the image cannot be built: {last_words(said)}", kind="build", log=text)
    return text


def _forget_layers(engine: Engine, log: str) -> None:
    """Remove the layers that a build made and nobody needs; one with a name, or that others build on, stays."""
    for layer in dict.fromkeys(reversed(_LAYER.findall(log))):
        with suppress(EngineError):
            if not orjson.loads(engine.call("image", "inspect", "--format={{json .RepoTags}}", layer)):
                engine.call("rmi", layer)


def _name(engine: Engine, found: str, tag: str) -> str:
    names = orjson.loads(engine.call("image", "inspect", "--format={{json .RepoTags}}", found)) or []
    # Podman puts its own host before a name, and both put a version behind it.
    return next((name for name in names if f"/{name}:".find(f"/{tag}:") >= 0), tag)
