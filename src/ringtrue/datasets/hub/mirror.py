"""`Mirror`: a dataset repository in a folder, laid out as the hub lays it out."""

from __future__ import annotations

from contextlib import AbstractContextManager
from pathlib import Path
from typing import BinaryIO

from ringtrue.datasets.files.reader import open_bytes
from ringtrue.datasets.hub.repository import Repository, copying
from ringtrue.errors import InputError


class Mirror(Repository):
    """The files of one dataset under a mirror folder.

    `DIR/owner/name/…`, as `hf download --local-dir DIR/owner/name` leaves it, or the hub's own cache,
    `DIR/datasets--owner--name/snapshots/COMMIT/…`.
    """

    def __init__(self, folder: str | Path, path: str, revision: str | None = None) -> None:
        self.path = path
        self.folder, self.revision = _locate(Path(folder), path, revision)
        self._wanted = revision

    @property
    def source(self) -> str:
        """The source of the rows, for the record; a copy of another commit than the pinned one says so."""
        if self._wanted is None or self.revision in (None, self._wanted):
            return super().source
        return f"{super().source}, not the pinned {self._wanted[:12]}"

    def names(self) -> list[str]:
        """The names of all files, with `/` between folders; hidden ones are the notes of `hf download`."""
        found = (item.relative_to(self.folder) for item in self.folder.rglob("*") if item.is_file())
        return sorted(name.as_posix() for name in found if not any(part.startswith(".") for part in name.parts))

    def open(self, name: str) -> AbstractContextManager[BinaryIO]:
        """The bytes of a file, unpacked where it is gzipped."""
        return open_bytes(str(self.folder / name))


class Sample(Mirror):
    """The few rows of a dataset that come with the package."""

    @property
    def source(self) -> str:
        """The source of the rows, for the record: a number over a sample is not that of the benchmark."""
        return f"{self.path}@sample"


def _locate(folder: Path, path: str, revision: str | None) -> tuple[Path, str | None]:
    plain = folder / path
    if plain.is_dir():
        return plain, _downloaded_commit(plain)
    snapshots = folder / f"datasets--{path.replace('/', '--')}" / "snapshots"
    kept = sorted(snapshots.iterdir()) if snapshots.is_dir() else []
    for snapshot in kept:
        if revision in (None, snapshot.name):
            return snapshot, snapshot.name
    found = f"; it has {kept[0].name}, and {revision} is wanted" if kept else ""
    raise InputError(f"{folder} holds no copy of {path}{found}; make one with: {copying(path, revision, str(folder))}")


def _downloaded_commit(folder: Path) -> str | None:
    """The commit `hf download` noted beside the files, the first line of each of its notes."""
    for note in sorted((folder / ".cache" / "huggingface" / "download").rglob("*.metadata")):
        return note.read_text(encoding="utf-8").partition("\n")[0].strip() or None
    return None
