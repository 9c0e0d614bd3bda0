"""`Snapshot`: a copy of a folder in memory, in which nothing leads out of it."""

from __future__ import annotations

import io
import os
import stat
import tarfile
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from fnmatch import fnmatch
from functools import cached_property
from posixpath import dirname, relpath

MAX_ENTRIES = 4_000
TIME = 1_600_000_000
"""When every file of a copy was last changed, as far as programs can tell; some refuse times before 1980."""

_MAX_DEPTH = 64


@dataclass(frozen=True, slots=True)
class File:
    """A file's bytes, its name as the file system spells it, and whether it may be executed."""

    data: bytes
    path: str
    executable: bool = False


@dataclass(frozen=True)
class Snapshot:
    """The content of a folder at the time of the copy, by paths whose letters can all be printed.

    `links` lead to paths of this copy. `left_out` says why something is not here: a link that leads out of the folder,
    a pipe, a file beyond the allowed size. `whole` is False where the folder has more entries than are looked at.
    """

    files: Mapping[str, File]
    folders: Sequence[str] = ()
    links: Mapping[str, str] = field(default_factory=dict)
    left_out: Mapping[str, str] = field(default_factory=dict)
    whole: bool = True

    @classmethod
    def of(cls, folder: str, *, max_bytes: int, exclude: Sequence[str] = ()) -> Snapshot:
        """A copy of a folder, the smallest files first until `max_bytes`; OSError where it cannot be opened."""
        return _Copying(os.path.realpath(folder), max_bytes, tuple(exclude)).copy()

    @classmethod
    def join(cls, parts: Iterable[Snapshot]) -> Snapshot:
        """Several copies as one; no path is in two of them."""
        whole = list(parts)
        return cls(
            {path: file for part in whole for path, file in part.files.items()},
            [path for part in whole for path in part.folders],
            {path: target for part in whole for path, target in part.links.items()},
            {path: why for part in whole for path, why in part.left_out.items()},
            all(part.whole for part in whole),
        )

    def below(self, name: str) -> Snapshot:
        """The same copy as a folder of this name."""
        return Snapshot(
            {f"{name}/{path}": replace(file, path=f"{name}/{file.path}") for path, file in self.files.items()},
            [name, *(f"{name}/{path}" for path in self.folders)],
            {f"{name}/{path}": f"{name}/{target}" for path, target in self.links.items()},
            {f"{name}/{path}": why for path, why in self.left_out.items()},
            self.whole,
        )

    @cached_property
    def archive(self) -> bytes:
        """The copy as a tar file."""
        packed = io.BytesIO()
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.GNU_FORMAT) as tar:
            for file in self.files.values():
                member = _member(file.path, tarfile.REGTYPE, 0o755 if file.executable else 0o644)
                member.size = len(file.data)
                tar.addfile(member, io.BytesIO(file.data))
            for path, target in self.links.items():
                member = _member(path, tarfile.SYMTYPE, 0o777)
                member.linkname = relpath(target, dirname(path) or ".")
                tar.addfile(member)
            # Last and the deepest first: what is put into a folder would change its time again.
            for path in reversed(self.folders):
                tar.addfile(_member(path, tarfile.DIRTYPE, 0o755))
        return packed.getvalue()


@dataclass
class _Copying:
    """A folder on its way into memory."""

    root: str
    max_bytes: int
    exclude: tuple[str, ...]
    found: dict[str, tuple[int, bool, str]] = field(default_factory=dict)
    folders: list[str] = field(default_factory=list)
    links: dict[str, str] = field(default_factory=dict)
    left_out: dict[str, str] = field(default_factory=dict)
    whole: bool = True

    def copy(self) -> Snapshot:
        self._walk()
        files: dict[str, File] = {}
        left = self.max_bytes
        for shown, (size, executable, path) in sorted(self.found.items(), key=lambda item: (item[1][0], item[0])):
            if size > left:
                self.left_out[shown] = f"not copied: its {size:,} bytes are beyond the size of the copy"
                continue
            try:
                data = _content(os.path.join(self.root, path), size)
            except OSError as error:
                self.left_out[shown] = f"cannot be read: {error.strerror}"
                continue
            left -= len(data)
            files[shown] = File(data, path, executable)
        return Snapshot(
            dict(sorted(files.items())),
            sorted(self.folders),
            dict(sorted(self.links.items())),
            dict(sorted(self.left_out.items())),
            self.whole,
        )

    def _walk(self) -> None:
        waiting = deque([""])  # level by level, so that a deep folder leaves room for what lies at the top
        entries = 0
        while waiting:
            inside = waiting.popleft()
            for entry in self._entries(inside):
                if entries == MAX_ENTRIES:
                    self.whole = False
                    return
                entries += 1
                path = f"{inside}/{entry.name}" if inside else entry.name
                if self._note(entry, path):
                    self.folders.append(path)
                    waiting.append(path)

    def _entries(self, inside: str) -> Iterator[os.DirEntry[str]]:
        try:
            with os.scandir(os.path.join(self.root, inside)) as entries:
                yield from sorted(entries, key=lambda entry: entry.name)
        except OSError as error:
            if not inside:
                raise
            self.left_out[printable_path(inside)] = f"cannot be listed: {error.strerror}"

    def _note(self, entry: os.DirEntry[str], path: str) -> bool:
        """Note an entry; True for a folder to go into."""
        name = printable_path(path)
        try:
            why = self._keep(entry, path, name)
        except OSError as error:
            why = f"cannot be read: {error.strerror}"
        if why:
            self.left_out[name] = why
        return not why and entry.is_dir(follow_symlinks=False)

    def _keep(self, entry: os.DirEntry[str], path: str, name: str) -> str:
        """Keep an entry in mind, or say why it is left out."""
        if any(fnmatch(path, one) or fnmatch(entry.name, one) for one in self.exclude):
            return "excluded"
        if name in self.found:
            return "its name looks like another one's"
        if entry.is_symlink():
            real = os.path.realpath(entry.path)
            if os.path.commonpath([real, self.root]) != self.root or not os.path.exists(real):
                return "a link that leads nowhere inside the folder"
            self.links[name] = printable_path(os.path.relpath(real, self.root))
        elif entry.is_dir(follow_symlinks=False):
            return "" if path.count("/") < _MAX_DEPTH else "nested too deeply"
        elif not entry.is_file(follow_symlinks=False):
            return "neither a file nor a folder"
        else:
            about = entry.stat(follow_symlinks=False)
            self.found[name] = about.st_size, bool(about.st_mode & stat.S_IXUSR), path
        return ""


def printable_path(path: str) -> str:
    """A path with every letter that does not print spelled out."""
    plain = path.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return "".join(letter if letter.isprintable() else letter.encode("unicode_escape").decode() for letter in plain)


def _content(path: str, size: int) -> bytes:
    # Neither a link nor a pipe that took the file's place since it was listed is followed or waited for.
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            raise OSError(0, "it is no longer a file")
        return file.read(size)


def _member(path: str, kind: bytes, mode: int) -> tarfile.TarInfo:
    member = tarfile.TarInfo(path)
    member.type, member.mode, member.mtime = kind, mode, TIME
    return member
