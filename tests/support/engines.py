"""A container engine that works here, and an image made of this machine's own programs: no registry is asked.

@pytest.fixture(scope="module")
def image() -> Iterator[Image]:
    with containers() as image:
        yield image
"""

from __future__ import annotations

import io
import os
import re
import secrets
import shutil
import subprocess
import sys
import sysconfig
import tarfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from ringtrue.sandbox.engine import ENGINES, Engine, EngineError, missing
from ringtrue.sandbox.image import Image
from ringtrue.sandbox.workbench import Workbench

PROGRAMS = (
    "bash",
    "cat",
    "chmod",
    "echo",
    "env",
    "kill",
    "ln",
    "ls",
    "mkdir",
    "mkfifo",
    "rm",
    "sh",
    "sleep",
    "touch",
    "truncate",
)
_CONFINED = '[containers]\ndefault_ulimits = ["nofile=4096:4096", "nproc=4096:4096"]\n[engine]\nruntime = "runc"\n'
"""For hosts that are containers themselves: Podman's own bounds are above what they may set."""


@contextmanager
def containers(*, python: bool = False) -> Iterator[Image]:
    """An image to start containers from; the test is skipped where no engine can."""
    with TemporaryDirectory() as scratch, pytest.MonkeyPatch.context() as patch:
        confined = Path(scratch) / "containers.conf"
        confined.write_text(_CONFINED)
        problems = []
        for name in ENGINES:
            problem = missing(name)
            archive = b"" if problem else machine(PROGRAMS, python=python)
            for setting in [] if problem else [os.environ.get("CONTAINERS_CONF", ""), str(confined)]:
                if setting:
                    patch.setenv("CONTAINERS_CONF", setting)
                image = imported(Engine(name), archive)
                problem = image if isinstance(image, str) else starting(image)
                if isinstance(image, Image) and not problem:
                    try:
                        yield image
                    finally:
                        left = left_behind(image)
                        image.remove(force=True)
                    assert left == [], "the tests left this behind, which is removed now"
                    return
                if isinstance(image, Image):
                    image.remove(force=True)
                patch.delenv("CONTAINERS_CONF", raising=False)
            problems.append(problem)
        pytest.skip("; ".join(problems))


def imported(engine: Engine, archive: bytes) -> Image | str:
    """An archive as an image, or why there is none."""
    name = f"localhost/ringtrue-{secrets.token_hex(8)}:test"
    try:
        engine.call("import", '--change=CMD ["bash"]', "-", name, stdin=archive)
        return Image.named(engine, name)
    except EngineError as error:
        return str(error)


def left_behind(image: Image, besides: str = "") -> list[str]:
    """The containers of an image, besides one, and the images built from it; they are removed."""
    engine = image.engine
    ids = engine.call("images", "--all", "--quiet", "--no-trunc").decode().split()
    built = []
    for one in dict.fromkeys(ids):
        with suppress(EngineError):  # another test's, which has removed it
            if f"FROM {image.name}".encode() in engine.call("image", "inspect", one):
                built.append(one)
    started = []
    for of in (image.id, *built):
        listed = engine.call("ps", "--all", "--quiet", "--no-trunc", f"--filter=ancestor={of}")
        started += listed.decode().split()
    started = [one for one in dict.fromkeys(started) if one != besides]
    for container in started:
        Workbench(engine, container).remove()
    for one in built:
        with suppress(EngineError):
            engine.call("rmi", "--force", one)
    return [*started, *built]


def starting(image: Image) -> str:
    """Why no container of an image starts; empty where one does."""
    try:
        image.engine.call("run", "--rm", image.name, "sh", "-c", ":")
    except EngineError as error:
        return str(error)
    return ""


def machine(programs: Sequence[str], *, python: bool = False) -> bytes:
    """This machine's programs, with all they load, as a file system."""
    found = [path for path in map(shutil.which, programs) if path]
    # Several names may lead to one program.
    files = {f"usr/bin/{os.path.basename(path)}": os.path.realpath(path) for path in found}
    if python:
        files |= _python()
    loaded = [path for path in files.values() if os.access(path, os.X_OK) or ".so" in path]
    listed = subprocess.run(["ldd", *loaded], capture_output=True, text=True, check=False).stdout
    libraries = {path.lstrip("/"): path for path in re.findall(r"(/\S+) \(0x", listed)}
    packing = io.BytesIO()
    with tarfile.open(fileobj=packing, mode="w") as tar:
        for name, mode in (("tmp", 0o1777), ("usr", 0o755), ("usr/bin", 0o755), ("root", 0o700)):
            folder = tarfile.TarInfo(name)
            folder.type, folder.mode = tarfile.DIRTYPE, mode
            tar.addfile(folder)
        link = tarfile.TarInfo("bin")
        link.type, link.linkname = tarfile.SYMTYPE, "usr/bin"
        tar.addfile(link)
        for name, path in {**libraries, **files}.items():
            content = Path(path).read_bytes()
            member = tarfile.TarInfo(name)
            member.size, member.mode = len(content), 0o755
            tar.addfile(member, io.BytesIO(content))
    return packing.getvalue()


def _python() -> dict[str, str]:
    """This interpreter and its standard library, where it is on this machine."""
    program = os.path.realpath(sys.executable)
    standard = Path(sysconfig.get_path("stdlib"))
    left_out = {"__pycache__", "site-packages", "test", "idlelib", "ensurepip", "tkinter", "lib2to3"}
    kept = (
        path for path in standard.rglob("*") if path.is_file() and not left_out & set(path.relative_to(standard).parts)
    )
    config = sysconfig.get_config_var("LIBDIR")
    library = Path(config or "") / (sysconfig.get_config_var("INSTSONAME") or "none")
    paths = [str(path) for path in kept if path.suffix in (".py", ".so")]
    paths += [str(library)] if library.suffix != ".a" and library.is_file() else []
    return {path.lstrip("/"): path for path in (*paths, program)}
