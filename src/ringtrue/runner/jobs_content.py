"""`Fingerprints`: what a job is made from, with the bytes of the files it names in place of their paths."""

from __future__ import annotations

import hashlib
import os
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path

from ringtrue.records import Json


class Fingerprints:
    """Values whose every `Path` is a hash of what is there; each path is read once."""

    def __init__(self) -> None:
        self._seen: dict[Path, Json] = {}

    def of(self, value: Json) -> Json:
        """The value with its paths read."""
        if isinstance(value, Path):
            if value not in self._seen:
                self._seen[value] = _print(value)
            return self._seen[value]
        if isinstance(value, Mapping):
            return {key: self.of(item) for key, item in value.items()}
        if isinstance(value, (list, tuple)):
            return [self.of(item) for item in value]
        return value


def _print(path: Path) -> Json:
    """A file's or folder's hash, whatever it is called; a link counts as what it leads to."""
    return {"path": _entry(os.path.realpath(path)) if not path.is_dir() else _folder(path)}


def _folder(folder: Path) -> str:
    whole = hashlib.sha256()
    for name in sorted(_inside(folder)):
        whole.update(f"{name}\0{_entry(os.path.join(folder, name))}\0".encode("utf-8", "surrogateescape"))
    return f"folder {whole.hexdigest()}"


def _inside(folder: Path) -> Iterator[str]:
    for parent, folders, files in os.walk(folder):
        for name in (*folders, *files):
            yield os.path.relpath(os.path.join(parent, name), folder)


def _entry(path: str) -> str:
    try:
        mode = os.lstat(path).st_mode
        if stat.S_ISLNK(mode):
            return f"link {os.readlink(path)}"
        if not stat.S_ISREG(mode):
            return f"kind {stat.S_IFMT(mode):o}"  # a folder's files speak for themselves; a pipe is never opened
        with open(path, "rb") as file:
            return f"file {mode & 0o111:o} {hashlib.file_digest(file, 'sha256').hexdigest()}"
    except OSError as error:
        return f"unreadable {error.errno}"
