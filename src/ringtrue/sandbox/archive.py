"""Tar files into and out of containers: what goes in is checked, what comes out is not trusted."""

from __future__ import annotations

import io
import os
import tarfile
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO

from ringtrue.errors import ConfigurationError

MAX_BYTES = 4 << 30
MAX_ENTRIES = 200_000
_CHUNK = 1 << 20


def inner(name: str) -> PurePosixPath:
    """A path below a folder; ConfigurationError where it is absolute, empty or leads out of it."""
    path = PurePosixPath(name)
    if not path.parts or path.is_absolute() or ".." in path.parts or "\0" in name:
        raise ConfigurationError(
            f"a file to copy needs a relative path without '..'; got {name!r}", parameter="files", value=name
        )
    return path


def packed(files: Mapping[str, bytes], folder: str = "", executable: Collection[str] = ()) -> bytes:
    """A tar file of these files below a folder, owned by root."""
    strangers = sorted(set(executable) - set(files))
    if strangers:
        raise ConfigurationError(
            f"executable names files that are not copied: {', '.join(map(repr, strangers))}", parameter="executable"
        )
    packing = io.BytesIO()
    with tarfile.open(fileobj=packing, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for name, content in files.items():
            member = tarfile.TarInfo(str(PurePosixPath(folder.strip("/")) / inner(name)))
            member.size, member.mode = len(content), 0o755 if name in executable else 0o644
            tar.addfile(member, io.BytesIO(content))
        # Two empty blocks are the end. Who reads no further closes the pipe, and Podman fails at what comes after.
        end = tar.offset + 2 * tarfile.BLOCKSIZE
    return packing.getvalue()[:end]


@dataclass
class Unpacking:
    """Files and folders of a foreign tar file, written below `folder` and nowhere else.

    Links, devices, pipes, names that lead out and what is beyond the bounds are left out; `left_out` says why. A second
    name of a file becomes a copy of it. `keep` decides by the path inside the archive.
    """

    folder: Path
    keep: Callable[[PurePosixPath], bool] = lambda path: True
    max_bytes: int = MAX_BYTES
    max_entries: int = MAX_ENTRIES
    left_out: dict[str, str] = field(default_factory=dict)
    cut: bool = False
    """Whether there are more entries or bytes than are looked at."""
    _room: int = 0

    def read(self, stream: IO[bytes]) -> None:
        """Write what the archive holds; tarfile.TarError where it is none."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._room, passed_over = self.max_bytes, 0
        with tarfile.open(fileobj=stream, mode="r|") as tar:
            for seen, member in enumerate(tar, 1):
                path = PurePosixPath(member.name)
                why = self._problem(member, path) or (self._written(tar, member, path) if self._kept(path) else "")
                if why:
                    self.left_out[member.name] = why
                if why or not self._kept(path):
                    passed_over += member.size
                # Before the next entry is there, all bytes of this one are read.
                if seen >= self.max_entries or passed_over > self.max_bytes:
                    self.cut = True
                    self.left_out["…"] = "the rest: there are more entries or bytes than are looked at"
                    return

    def _kept(self, path: PurePosixPath) -> bool:
        return bool(path.parts) and self.keep(path)

    def _problem(self, member: tarfile.TarInfo, path: PurePosixPath) -> str:
        if path.is_absolute() or ".." in path.parts or "\0" in member.name:
            return "its name leads out of the folder"
        if not self._kept(path):
            return ""
        if member.issym():
            return "a link"
        if not (member.isreg() or member.isdir() or member.islnk()):
            return "neither a file nor a folder"
        return self._charged(member.size) if member.isreg() else ""

    def _charged(self, size: int) -> str:
        """Nothing where there is room for so many bytes, which is taken then; else that there is none."""
        if size > self._room:
            return f"its {size:,} bytes are beyond the size of the copy"
        self._room -= size
        return ""

    def _written(self, tar: tarfile.TarFile, member: tarfile.TarInfo, path: PurePosixPath) -> str:
        target = self.folder / path
        try:
            if member.isdir():
                target.mkdir(parents=True, exist_ok=True)
                return ""
            target.parent.mkdir(parents=True, exist_ok=True)
            if member.islnk():
                return self._second_name(member, target)
            source = tar.extractfile(member)
            assert source is not None  # a regular file has content
            _copy(source, target, 0o755 if member.mode & 0o100 else 0o644)
        except OSError as error:
            return f"cannot be written: {error.strerror}"
        return ""

    def _second_name(self, member: tarfile.TarInfo, target: Path) -> str:
        first = PurePosixPath(member.linkname)
        source = self.folder / first
        if first.is_absolute() or ".." in first.parts or not source.is_file():
            return "a second name of a file that is not here"
        about = source.stat()
        why = self._charged(about.st_size)
        if why:
            return why
        with open(source, "rb") as file:
            _copy(file, target, about.st_mode & 0o777)
        return ""


def only_file(archive: bytes, max_bytes: int = MAX_BYTES) -> bytes | None:
    """The content of a tar file that holds one file and nothing else; None for any other."""
    try:
        with tarfile.open(fileobj=io.BytesIO(archive), mode="r:") as tar:
            members = tar.getmembers()
            if len(members) != 1 or not members[0].isreg() or members[0].size > max_bytes:
                return None
            file = tar.extractfile(members[0])
            return file.read() if file is not None else None
    except tarfile.TarError:
        return None


def _copy(source: IO[bytes], target: Path, mode: int) -> None:
    # No link is written here, so that no folder on the way is one; the last name is not followed either.
    descriptor = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_NOFOLLOW | os.O_CLOEXEC, mode)
    with open(descriptor, "wb") as file:
        while piece := source.read(_CHUNK):
            file.write(piece)
