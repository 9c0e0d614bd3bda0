"""Files that appear whole or not at all."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from ringtrue.errors import ConfigurationError, InputError

Where = str | os.PathLike[str]


def check_place(path: Where, parameter: str) -> None:
    """Raise before the work begins if a file could not be written here after it."""
    place = Path(path).absolute()
    folder = next((parent for parent in place.parents if parent.exists()), place)
    if place.is_dir() or not folder.is_dir() or not os.access(folder, os.W_OK):
        what = "is a folder" if place.is_dir() else f"{str(folder)!r} is not a folder that can be written to"
        raise ConfigurationError(f"{parameter}: cannot write {str(path)!r}: {what}", parameter=parameter, value=path)


def write_whole(path: Where, data: bytes) -> None:
    """Write a file and make its folders; another process sees the old file or the new one, never a part."""
    write_pieces(path, [data])


def write_pieces(path: Where, pieces: Iterable[bytes]) -> None:
    """`write_whole` for what is too large to be held."""
    with whole_file(path) as file:
        file.writelines(pieces)


@contextmanager
def whole_file(path: Where) -> Iterator[BinaryIO]:
    """A file beside its place that takes it when the block ends well; it keeps the mode of a file that was there."""
    place = Path(path).absolute()
    partial = ""
    with explain_failure(path):
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            handle, partial = tempfile.mkstemp(prefix=f".{place.name[:100]}.", suffix=".partial", dir=place.parent)
            with os.fdopen(handle, "wb") as file:
                yield file
                file.flush()
                os.fsync(file.fileno())
            os.chmod(partial, place.stat().st_mode & 0o777 if place.exists() else 0o666 & ~_umask())
            os.replace(partial, place)
        finally:
            if partial:
                with suppress(FileNotFoundError):
                    os.unlink(partial)


@contextmanager
def explain_failure(path: Where) -> Iterator[None]:
    """A disk that is full or gone raises an InputError that names the file."""
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {str(path)!r}: {error.strerror or error}") from error


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
